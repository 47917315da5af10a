package scanner

import (
	"testing"

	"github.com/toolwarrant/toolwarrant/internal/inspect"
	"github.com/toolwarrant/toolwarrant/internal/manifest"
	"github.com/toolwarrant/toolwarrant/internal/policy"
	"github.com/toolwarrant/toolwarrant/internal/secret"
	"github.com/toolwarrant/toolwarrant/lockfile"
)

// TestRealValues: only what is listed, only to the bytes that were approved, and only
// where the whole value is known here.
func TestRealValues(t *testing.T) {
	probe := lockfile.Probe{Platform: "linux/amd64"}
	bytesOf := func(sum string) *lockfile.Artifact {
		return &lockfile.Artifact{Ecosystem: ecosystemBinary, Name: "server", Integrity: "sha256:" + sum}
	}
	approved := lockfile.Entry{Artifact: bytesOf("aa"), Read: &lockfile.Read{Probe: probe}}
	environ := []string{"TOKEN=real-value", "OTHER=other-value"}
	reference := manifest.Binding{Name: "API_TOKEN", Refs: []string{"TOKEN"}, Value: secret.New("${TOKEN}")}
	for name, tt := range map[string]struct {
		listed  []string
		entry   *lockfile.Entry
		running *lockfile.Artifact
		binding manifest.Binding
		want    string
	}{
		"listed":                             {[]string{"API_TOKEN"}, &approved, bytesOf("aa"), reference, "real-value"},
		"not listed":                         {[]string{"TOKEN"}, &approved, bytesOf("aa"), reference, ""},
		"other bytes":                        {[]string{"API_TOKEN"}, &approved, bytesOf("bb"), reference, ""},
		"bytes of nobody knows":              {[]string{"API_TOKEN"}, &approved, nil, reference, ""},
		"nothing approved":                   {[]string{"API_TOKEN"}, nil, bytesOf("aa"), reference, ""},
		"a literal":                          {[]string{"API_TOKEN"}, &approved, bytesOf("aa"), manifest.Binding{Name: "API_TOKEN", Literal: true, Value: secret.New("in-clear")}, "in-clear"},
		"two references":                     {[]string{"API_TOKEN"}, &approved, bytesOf("aa"), manifest.Binding{Name: "API_TOKEN", Literal: true, Refs: []string{"OTHER", "TOKEN"}, Value: secret.New("x ${TOKEN}:${env:OTHER}")}, "x real-value:other-value"},
		"a reference to what is not here":    {[]string{"API_TOKEN"}, &approved, bytesOf("aa"), manifest.Binding{Name: "API_TOKEN", Refs: []string{"ABSENT"}, Value: secret.New("${ABSENT}")}, ""},
		"a reference in another form, mixed": {[]string{"API_TOKEN"}, &approved, bytesOf("aa"), manifest.Binding{Name: "API_TOKEN", Literal: true, Refs: []string{"TOKEN"}, Value: secret.New("x $TOKEN")}, ""},
	} {
		g := grant{server: policy.Server{Env: tt.listed}, approved: tt.entry}
		got := g.values(manifest.Launch{Env: []manifest.Binding{tt.binding}}, tt.running, inspect.EnvOptions{Parent: environ}, probe)
		if v, ok := got["API_TOKEN"]; ok != (tt.want != "") || ok && !v.Equal(secret.New(tt.want)) {
			t.Errorf("%s: a value of %d bytes, want one of %d", name, v.Len(), len(tt.want))
		}
	}
}
