package manifest

import (
	"strings"
	"testing"

	"github.com/toolwarrant/toolwarrant/internal/secret"
)

func TestElsewhere(t *testing.T) {
	for line, want := range map[string]string{
		"npx -y pkg@1.0.0": "", "npx -y --registry https://r.example/ pkg@1.0.0": "--registry", "npx -y --registry=https://r.example/ pkg": "--registry",
		"npx --tag next pkg": "--tag", "npx --before=2025-01-01 pkg": "--before", "npx -y pkg --registry https://r.example/": "",
		"uvx --index-url https://i.example/simple pkg": "--index-url", "uvx pkg": "", "node server.js": "",
	} {
		l := Typed(strings.Fields(line)).Launch
		if got := l.Elsewhere(l.Command()); got != want {
			t.Errorf("%s: %q, want %q", line, got, want)
		}
	}
	for name, want := range map[string]bool{"npm_config_registry": true, "NPM_CONFIG_REGISTRY": true, "npm_config_@scope:registry": true,
		"npm_config_loglevel": false, "npm_config_yes": false, "REGISTRY": false} {
		l := Typed([]string{"npx", "-y", "pkg@1.0.0"}).Launch
		l.Env = []Binding{{Name: name, Value: secret.New("x")}}
		if got := l.Elsewhere(l.Command()) != ""; got != want {
			t.Errorf("%s: %t, want %t", name, got, want)
		}
	}
}
