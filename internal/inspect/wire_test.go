package inspect

import (
	"strings"
	"testing"

	"github.com/toolwarrant/toolwarrant/internal/surface"
)

func TestDecode(t *testing.T) {
	tests := []struct {
		line string
		n    int // messages; zero is noise
		want Reason
	}{
		{"", 0, ""},
		{"listening on port 3333", 0, ""},
		{`{"level":"info"}`, 0, ""},
		{`{"level":"info","message":{"jsonrpc":"2.0"}}`, 0, ""},
		{`[info] {"jsonrpc":"2.0"}`, 0, ""},
		{`"jsonrpc"`, 0, ""},
		{`{"jsonrpc":"2.0","id":1,"result":{}}`, 1, ""},
		{"\xef\xbb\xbf" + `{"jsonrpc":"2.0","id":1,"result":{}}` + "\r\n", 1, ""},
		{`{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"m"}}`, 1, ""},
		{`{"jsonrpc":"2.0","id":1,"result":null,"error":{"code":1,"message":"m"}}`, 1, ""},
		{`{"jsonrpc":"2.0","id":1,"result":{},"error":null}`, 1, ""},
		{`{"jsonrpc":"2.0","id":null,"error":{"code":1,"message":"m"}}`, 1, ""},
		{`{"jsonrpc":"2.0","id":1,"result":null}`, 1, ""},
		{`{"jsonrpc":"2.0","method":"m"}`, 1, ""},
		{`[{"jsonrpc":"2.0","method":"m"},{"jsonrpc":"2.0","id":1,"result":{}}]`, 2, ""},
		{`{"jsonrpc":"2.0"`, 0, Protocol},
		{`{"jsonrpc":"2.0",}`, 0, Protocol},
		{`{"jsonrpc":"2.0","id":1}`, 0, Protocol},
		{`{"jsonrpc":"2.0","id":1,"error":null}`, 0, Protocol},
		{`{"jsonrpc":"2.0","id":1,"error":"no"}`, 0, Protocol},
		{`{"jsonrpc":"2.0","method":7}`, 0, Protocol},
		{`{"jsonrpc":"2.0","method":"m","result":{}}`, 0, Protocol},
		{`{"jsonrpc":"2.0","id":1,"result":{},"id":2}`, 0, Protocol},
		{`{"jsonrpc":"2.0","id":1,"result":{}} trailing`, 0, Protocol},
		{`{"jsonrpc":"2.0","id":1,"result":"\udc00"}`, 0, Protocol},
		{`{"jsonrpc":"2.0","id":1,"result":` + strings.Repeat("[", 100) + strings.Repeat("]", 100) + `}`, 0, Limit},
	}
	for _, tt := range tests {
		got, stop := decode([]byte(tt.line))
		var reason Reason
		if stop != nil {
			reason = stop.reason
		}
		if len(got) != tt.n || reason != tt.want {
			t.Errorf("%.60s: got %d messages, reason %q; want %d, %q", tt.line, len(got), reason, tt.n, tt.want)
		}
	}
}

// Whatever a server writes, reading it ends, in messages that are requests,
// notifications or answers, or in one named reason.
func FuzzWire(f *testing.F) {
	for _, seed := range []string{
		`{"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"a"}],"nextCursor":""}}` + "\n",
		`{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"m"}}` + "\nnoise\n",
		`[{"jsonrpc":"2.0","method":"ping","id":"x"}]`, "\xff\n{\"jsonrpc\"", strings.Repeat("x", 5000),
	} {
		f.Add([]byte(seed))
	}
	l := Limits{Line: 1 << 12, Output: 1 << 14}
	f.Fuzz(func(t *testing.T, data []byte) {
		w := newWire(l)
		go w.read(strings.NewReader(string(data)))
		read := 0
		for {
			e := <-w.events
			if e.stop != nil {
				if !e.stop.fatal || e.stop.detail == "" {
					t.Fatalf("stopped without a reason: %+v", e.stop)
				}
				break
			}
			answers := (e.result != nil) != (e.fault != nil)
			if answers == (e.method != "") {
				t.Fatalf("neither a request nor an answer: %+v", e.message)
			}
			for _, k := range surface.Kinds {
				_, _, _ = readPage(k, e.result)
			}
			read += e.bytes
		}
		if n := w.noise(); n.Bytes+read > len(data) {
			t.Fatalf("%d bytes of noise and %d of messages in %d", n.Bytes, read, len(data))
		}
	})
}

func TestLastWords(t *testing.T) {
	for text, want := range map[string]string{
		"":                      "",
		"short\n":               "short",
		"first line\nlast word": "last word",
		"no line end at all":    "end at all",
		"\xff\xfe bad\n":        "\uFFFD bad",
	} {
		l := newLastWords(10)
		l.read(strings.NewReader(text))
		if got := l.String(); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}
