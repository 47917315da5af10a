package fakemcp

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strconv"
)

// server is one running fake.
type server struct {
	in       *bufio.Reader
	out      *bufio.Writer
	log      io.Writer
	sentinel string
	earlier  int      // starts before this one
	prefix   []string // of the arguments of a child of ours

	b        behaviour
	d        Declaration
	opened   bool           // initialize was answered
	at       map[string]int // page that a list is at
	listings int            // first pages of tools/list so far
	held     *request       // a request whose answer is kept back
	next     int            // id of our own requests
}

// request is whatever arrives.
type request struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params struct {
		Cursor *string `json:"cursor"`
		Meta   *struct {
			Protocol     string          `json:"io.modelcontextprotocol/protocolVersion"`
			Capabilities json.RawMessage `json:"io.modelcontextprotocol/clientCapabilities"`
		} `json:"_meta"`
		ProtocolVersion string `json:"protocolVersion"`
	} `json:"params"`
	Result json.RawMessage `json:"result"`
	Error  *struct {
		Code int `json:"code"`
	} `json:"error"`
}

// era says which openings a fake knows.
type era int

const (
	dual era = iota
	legacyOnly
	modernOnly
)

const modernVersion = "2026-07-28"

func (r request) modern() bool {
	return r.Params.Meta != nil && r.Params.Meta.Protocol == modernVersion
}

// run serves until the input ends.
func (s *server) run(b behaviour) int {
	if b.surface == "" {
		b.surface = "base"
	}
	s.b, s.d, s.at = b, Surface(b.surface), map[string]int{}
	if b.change != nil {
		b.change(&s.d)
	}
	if b.start != nil {
		b.start(s)
	}
	for {
		line, err := s.in.ReadBytes('\n')
		if err != nil {
			break
		}
		var r request
		if json.Unmarshal(line, &r) == nil {
			s.handle(r)
		}
	}
	if b.end != nil {
		b.end(s)
	}
	return 0
}

func (s *server) handle(r request) {
	switch {
	case r.Method != "":
		s.note("method " + r.Method)
	case r.Error != nil:
		s.note("answer error " + strconv.Itoa(r.Error.Code))
		return
	default:
		s.note("answer result " + string(r.Result))
		return
	}
	if hook := s.b.on[r.Method]; hook != nil && hook(s, r) {
		return
	}
	s.serve(r)
}

// serve is the good behaviour.
func (s *server) serve(r request) {
	switch r.Method {
	case "server/discover":
		s.discover(r)
	case "initialize":
		s.initialize(r)
	case "tools/list", "resources/list", "resources/templates/list", "prompts/list":
		s.list(r)
	case "tools/call", "resources/read", "prompts/get":
		s.called(r)
	case "ping":
		s.reply(r, map[string]any{})
	default:
		if r.ID != nil {
			s.fail(r, -32601, "no such method", nil)
		}
	}
}

// called is what must never happen.
func (s *server) called(r request) {
	if s.sentinel != "" {
		_ = os.WriteFile(s.sentinel, []byte(r.Method+"\n"), 0o600)
	}
	s.reply(r, map[string]any{"content": []any{}})
}

func (s *server) discover(r request) {
	switch {
	case s.b.eras == legacyOnly || !r.modern():
		s.fail(r, -32601, "no such method", nil)
	default:
		s.reply(r, s.with(map[string]any{"supportedVersions": []string{modernVersion}}))
	}
}

func (s *server) initialize(r request) {
	if s.b.eras == modernOnly {
		s.fail(r, -32022, "unsupported protocol version", map[string]any{"supported": []string{modernVersion}, "requested": r.Params.ProtocolVersion})
		return
	}
	s.opened = true
	version := r.Params.ProtocolVersion
	if s.b.version != "" {
		version = s.b.version
	}
	s.reply(r, s.with(map[string]any{
		"protocolVersion": version, "serverInfo": map[string]any{"name": s.d.Name, "version": s.d.Version},
	}))
}

// with adds what both openings tell.
func (s *server) with(result map[string]any) map[string]any {
	result["capabilities"] = s.d.Capabilities
	if s.d.Instructions != "" {
		result["instructions"] = s.d.Instructions
	}
	return result
}

func (s *server) list(r request) {
	kind, items := s.items(r.Method)
	switch {
	case r.modern() && s.b.eras == legacyOnly, !r.modern() && !s.opened:
		s.fail(r, -32602, "the session is not open", nil)
		return
	case s.d.Capabilities[kind] == nil && r.Method != "tools/list":
		s.fail(r, -32601, "no such method", nil)
		return
	}
	if r.Params.Cursor == nil {
		s.at[r.Method] = 0
	} else {
		s.at[r.Method]++
	}
	if r.Method == "tools/list" && r.Params.Cursor == nil {
		s.listings++
	}
	size := s.b.page
	if size == 0 {
		size = max(1, len(items))
	}
	from := min(s.at[r.Method]*size, len(items))
	to := min(from+size, len(items))
	result := map[string]any{member(r.Method): append([]json.RawMessage{}, items[from:to]...)}
	if to < len(items) {
		result["nextCursor"] = s.cursor(s.at[r.Method] + 1)
	}
	s.reply(r, result)
}

func (s *server) cursor(page int) any {
	if s.b.cursor != nil {
		return s.b.cursor(page)
	}
	return "page-" + strconv.Itoa(page)
}

// member is the name of a list in its result.
func member(method string) string {
	switch method {
	case "resources/list":
		return "resources"
	case "resources/templates/list":
		return "resourceTemplates"
	case "prompts/list":
		return "prompts"
	}
	return "tools"
}

// items returns the capability that declares a list, and the list.
func (s *server) items(method string) (string, []json.RawMessage) {
	switch method {
	case "resources/list":
		return "resources", s.d.Resources
	case "resources/templates/list":
		return "resources", s.d.Templates
	case "prompts/list":
		return "prompts", s.d.Prompts
	}
	return "tools", s.d.Tools
}

// reply sends a result, in the envelope of the request's era.
func (s *server) reply(r request, result map[string]any) {
	if r.modern() {
		result["resultType"] = "complete"
		result["ttlMs"], result["cacheScope"] = 0, "private"
		result["_meta"] = map[string]any{"io.modelcontextprotocol/serverInfo": map[string]any{"name": s.d.Name, "version": s.d.Version}}
	}
	s.message(map[string]any{"jsonrpc": "2.0", "id": r.ID, "result": result})
}

func (s *server) fail(r request, code int, text string, data any) {
	e := map[string]any{"code": code, "message": text}
	if data != nil {
		e["data"] = data
	}
	s.message(map[string]any{"jsonrpc": "2.0", "id": r.ID, "error": e})
}

// ask sends a request of ours.
func (s *server) ask(method string) {
	s.next++
	s.message(map[string]any{"jsonrpc": "2.0", "id": fmt.Sprintf("ours-%d", s.next), "method": method})
}

func (s *server) notify(method string) {
	s.message(map[string]any{"jsonrpc": "2.0", "method": method})
}

func (s *server) message(m map[string]any) {
	line, err := json.Marshal(m)
	if err != nil {
		panic(err)
	}
	s.raw(string(line) + "\n")
}

// raw writes bytes as they are.
func (s *server) raw(text string) {
	_, _ = s.out.WriteString(text)
	_ = s.out.Flush()
}

// result writes the answer to r with a result in words of its own.
func (s *server) result(r request, text string) {
	s.raw(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":%s}`+"\n", r.ID, text))
}
