package inspect

import (
	"encoding/json"
	"errors"
	"os"
	"time"

	"github.com/toolwarrant/toolwarrant/internal/surface"
)

// method is what we may send. Its values are the variables below and no others:
// a test of this package reads the source to make sure of it.
type method struct{ name string }

var (
	discover      = method{"server/discover"}
	initialize    = method{"initialize"}
	initialized   = method{"notifications/initialized"}
	listTools     = method{"tools/list"}
	listResources = method{"resources/list"}
	listTemplates = method{"resources/templates/list"}
	listPrompts   = method{"prompts/list"}
)

func listMethod(k surface.Kind) method {
	switch k {
	case surface.Resources:
		return listResources
	case surface.Templates:
		return listTemplates
	case surface.Prompts:
		return listPrompts
	}
	return listTools
}

// params are all the parameters that one of the methods takes.
type params struct {
	ProtocolVersion string      `json:"protocolVersion,omitempty"`
	Capabilities    *struct{}   `json:"capabilities,omitempty"`
	ClientInfo      *clientInfo `json:"clientInfo,omitempty"`
	Cursor          *string     `json:"cursor,omitempty"`
	Meta            *meta       `json:"_meta,omitempty"`
}

type clientInfo struct {
	Name    string `json:"name"`
	Version string `json:"version"`
}

// meta is what revision 2026-07-28 wants on every request.
type meta struct {
	Protocol     string     `json:"io.modelcontextprotocol/protocolVersion"`
	Client       clientInfo `json:"io.modelcontextprotocol/clientInfo"`
	Capabilities struct{}   `json:"io.modelcontextprotocol/clientCapabilities"`
}

// client is how we introduce ourselves. It does not change with our releases,
// so that no server's surface does.
var client = clientInfo{"toolwarrant", "1"}

// connection is the only writer to a server.
type connection struct {
	to    *os.File
	trace *tracer
}

type envelope struct {
	Version string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id,omitempty"`
	Method  string          `json:"method,omitempty"`
	Params  *params         `json:"params,omitempty"`
	Result  *struct{}       `json:"result,omitempty"`
	Error   *refusal        `json:"error,omitempty"`
}

type refusal struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
}

// send writes one of our methods; without an id it is a notification.
func (c connection) send(m method, id json.RawMessage, p *params, limit time.Duration) error {
	return c.write(m.name, envelope{ID: id, Method: m.name, Params: p}, limit)
}

// answer replies to a request of the server: ping gets an empty result, and
// everything else (roots, sampling, elicitation) the error "method not found".
func (c connection) answer(id json.RawMessage, asked string, limit time.Duration) error {
	e := envelope{ID: id, Result: &struct{}{}}
	if asked != "ping" {
		e.Result, e.Error = nil, &refusal{methodNotFound, "method not found"}
	}
	return c.write(asked, e, limit)
}

// write gives up after limit: a server may never read its input.
func (c connection) write(name string, e envelope, limit time.Duration) error {
	e.Version = "2.0"
	line, err := json.Marshal(e)
	if err != nil {
		return errors.New("a message could not be written")
	}
	if err := c.to.SetWriteDeadline(time.Now().Add(limit)); err != nil {
		return err
	}
	if _, err := c.to.Write(append(line, '\n')); err != nil {
		return err
	}
	c.trace.line('>', name, len(line)+1)
	return nil
}
