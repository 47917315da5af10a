package inspect

import (
	"context"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/toolwarrant/toolwarrant/internal/surface"
)

// sdkTools is how many tools the SDK's server declares: more than two pages.
const sdkTools = 25

// sdkServer is a server made with the Go SDK, a peer that we did not write. In
// the older era it does not know server/discover.
func sdkServer(era string) int {
	s := mcp.NewServer(&mcp.Implementation{Name: "sdk", Version: "1"}, &mcp.ServerOptions{PageSize: 10, Instructions: "Be kind."})
	for i := range sdkTools {
		mcp.AddTool(s, &mcp.Tool{Name: fmt.Sprintf("tool_%02d", i), Description: "Return its input."},
			func(context.Context, *mcp.CallToolRequest, struct {
				Text string `json:"text"`
			}) (*mcp.CallToolResult, any, error) {
				return nil, nil, fmt.Errorf("a tool was called")
			})
	}
	s.AddPrompt(&mcp.Prompt{Name: "greet"}, nil)
	s.AddResourceTemplate(&mcp.ResourceTemplate{Name: "t", URITemplate: "note:///{title}"}, nil)
	if era == legacy {
		s.AddReceivingMiddleware(func(next mcp.MethodHandler) mcp.MethodHandler {
			return func(ctx context.Context, method string, r mcp.Request) (mcp.Result, error) {
				if method == discover.name {
					return nil, &jsonrpc.Error{Code: methodNotFound, Message: "method not found"}
				}
				return next(ctx, method, r)
			}
		})
	}
	if err := s.Run(context.Background(), &mcp.StdioTransport{}); err != nil && !strings.Contains(err.Error(), "EOF") {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

func TestSDKServer(t *testing.T) {
	var surfaces []surface.Surface
	for _, era := range []string{legacy, modern} {
		r := Read(t.Context(), Order{Argv: []string{self(t), "sdk", era}, Env: []string{"PATH=/usr/bin:/bin"}, Limits: patient})
		if !r.Complete() || r.Era != era || len(r.Requests) > 0 || r.Noise.Lines > 0 {
			t.Fatalf("%s: got %s %s %s, era %s, last words %s", era, r.Reason, r.Stage, r.Detail, r.Era, r.LastWords)
		}
		if n := len(r.Surface.Lists[surface.Tools].Items); n != sdkTools {
			t.Errorf("%s: %d tools", era, n)
		}
		surfaces = append(surfaces, r.Surface)
	}
	if diff := cmp.Diff(surfaces[0].Lists, surfaces[1].Lists); diff != "" {
		t.Errorf("the eras differ (-legacy +modern):\n%s", diff)
	}
}
