package bench

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os/exec"
	"testing"
	"time"
)

// bare reads the server with as little as the protocol allows.
func bare(b *testing.B, argv, env []string) {
	b.Helper()
	c := startBare(b, argv, env)
	var hello struct {
		Result struct{ Capabilities map[string]any }
	}
	c.ask("initialize", `{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"bare","version":"0"}}`, &hello)
	c.send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	lists := map[string][]string{"tools": {"tools/list"}, "resources": {"resources/list", "resources/templates/list"}, "prompts": {"prompts/list"}}
	for capability, methods := range lists {
		if hello.Result.Capabilities[capability] == nil {
			continue
		}
		for _, method := range methods {
			var page struct{ Result map[string]any }
			c.ask(method, `{}`, &page)
			if page.Result["nextCursor"] != nil {
				b.Fatal("the server has more than one page, which the bare client does not follow")
			}
		}
	}
	c.end()
}

// bareClient is a connection without any protection.
type bareClient struct {
	b     *testing.B
	cmd   *exec.Cmd
	stdin io.WriteCloser
	lines *bufio.Scanner
	id    int
}

func startBare(b *testing.B, argv, env []string) *bareClient {
	b.Helper()
	c := &bareClient{b: b, cmd: exec.CommandContext(b.Context(), argv[0], argv[1:]...)}
	c.cmd.Env, c.cmd.Dir = env, b.TempDir()
	stdin, err := c.cmd.StdinPipe()
	if err != nil {
		b.Fatal(err)
	}
	stdout, err := c.cmd.StdoutPipe()
	if err != nil {
		b.Fatal(err)
	}
	c.stdin, c.lines = stdin, bufio.NewScanner(stdout)
	c.lines.Buffer(nil, 16<<20)
	if err := c.cmd.Start(); err != nil {
		b.Fatal(err)
	}
	return c
}

func (c *bareClient) ask(method, params string, answer any) {
	c.b.Helper()
	c.id++
	c.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":%q,"params":%s}`, c.id, method, params))
	c.receive(answer)
}

func (c *bareClient) send(line string) {
	c.b.Helper()
	if _, err := io.WriteString(c.stdin, line+"\n"); err != nil {
		c.b.Fatal(err)
	}
}

// receive reads the next answer; notifications are passed over.
func (c *bareClient) receive(answer any) {
	c.b.Helper()
	for c.lines.Scan() {
		var head struct{ ID *int }
		if json.Unmarshal(c.lines.Bytes(), &head) != nil || head.ID == nil {
			continue
		}
		if err := json.Unmarshal(c.lines.Bytes(), answer); err != nil {
			c.b.Fatal(err)
		}
		return
	}
	c.b.Fatalf("the server ended: %v", c.lines.Err())
}

// end closes the input and waits; a server that stays is killed.
func (c *bareClient) end() {
	_ = c.stdin.Close()
	timer := time.AfterFunc(10*time.Second, func() { _ = c.cmd.Process.Kill() })
	defer timer.Stop()
	_ = c.cmd.Wait()
}
