package manifest

import (
	"fmt"
	"strings"
	"testing"

	"github.com/toolwarrant/toolwarrant/finding"
)

func TestTyped(t *testing.T) {
	tests := map[string]string{
		"npx -y @scope/server-memory@1.2.3": "server-memory", "cmd /c npx pkg": "pkg", "node x.js": "node", "/usr/bin/Server.EXE": "server",
		"uvx pkg": "pkg", "docker run img": "docker", "/": "server",
	}
	for line, name := range tests {
		e := Typed(strings.Fields(line))
		if e.Name.Value != name || !e.Understood() || e.Place != "" || e.Launch.Transport != Stdio || len(e.Launch.Argv) != len(strings.Fields(line)) {
			t.Errorf("Typed(%q) = %+v", line, e)
		}
		for _, a := range e.Launch.Argv {
			if a.At != finding.Argument(a.Shown) {
				t.Errorf("%q is at %v", a.Shown, a.At)
			}
		}
	}
	e := Typed([]string{"x", "--token", "s3cr3t", "a\x00b", ""})
	if e.Understood() || strings.Contains(fmt.Sprintf("%+v", e), "s3cr3t") {
		t.Errorf("%+v", e)
	}
}

func TestTypedURL(t *testing.T) {
	tests := map[string]string{
		"https://mcp.example/mcp": "mcp.example", "https://mcp.example:8443/": "mcp.example", "http://localhost:80/": "localhost",
		"http://[::1]:80/": "[::1]", "https://u:s3cr3t@h/": "h",
	}
	for url, name := range tests {
		e := TypedURL(url)
		if e.Name.Value != name || !e.Understood() || e.Launch.Transport != HTTP || e.Launch.URL == nil {
			t.Errorf("TypedURL(%q) = %+v", url, e)
		}
		if strings.Contains(fmt.Sprintf("%+v", e), "s3cr3t") {
			t.Errorf("TypedURL(%q) tells it: %+v", url, e)
		}
	}
	for _, url := range []string{"", "h", "file:///x", "https://h/ x"} {
		if e := TypedURL(url); e.Understood() {
			t.Errorf("TypedURL(%q) is understood", url)
		}
	}
	if !has(TypedURL("http://h/"), "launch/insecure-url") {
		t.Error("plain http is not reported")
	}
}
