package inspect

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/toolwarrant/toolwarrant/internal/manifest"
	"github.com/toolwarrant/toolwarrant/internal/secret"
)

const planted = "ghp_0123456789abcdefABCDEF0123456789abcd"

func bind(name, value string) manifest.Binding {
	refs, literal := secret.References(value)
	return manifest.Binding{Name: name, Refs: refs, Literal: literal, Value: secret.New(value)}
}

var parent = []string{
	"PATH=/opt/bin", "HOME=/home/me", "TMPDIR=/t", "LANG=de_DE", "EDITOR=vi", "=odd", "broken",
	"GITHUB_TOKEN=" + planted, "AWS_SECRET_ACCESS_KEY=" + planted,
}

func launch(env ...manifest.Binding) manifest.Launch { return manifest.Launch{Env: env} }

func TestPlan(t *testing.T) {
	tests := []struct {
		name    string
		launch  manifest.Launch
		options EnvOptions
		given   []string // name kind value, a secret's value left out
		e       Environment
	}{
		{"nothing declared", launch(), EnvOptions{}, nil,
			Environment{Withheld: []string{"AWS_SECRET_ACCESS_KEY", "GITHUB_TOKEN"}, Others: 1}},
		{"declared", launch(
			bind("MODE", "fast"), bind("GITHUB_TOKEN", "${GITHUB_TOKEN}"), bind("AUTH_HEADER", "Bearer ${T}"),
			bind("API_KEY", planted), bind("LEVEL", "${LEVEL:-info}"), bind("EMPTY", ""),
		), EnvOptions{}, []string{
			"API_KEY placeholder toolwarrant-placeholder-API_KEY",
			"AUTH_HEADER placeholder toolwarrant-placeholder-AUTH_HEADER",
			"EMPTY literal ",
			"GITHUB_TOKEN placeholder toolwarrant-placeholder-GITHUB_TOKEN",
			"LEVEL placeholder toolwarrant-placeholder-LEVEL",
			"MODE literal fast",
		}, Environment{Withheld: []string{"AWS_SECRET_ACCESS_KEY", "GITHUB_TOKEN"}, Others: 1}},
		{"given", launch(bind("GITHUB_TOKEN", "${GITHUB_TOKEN}")), EnvOptions{Set: map[string]secret.Value{
			"GITHUB_TOKEN": secret.New(planted), "EXTRA": secret.New("x")}},
			[]string{"EXTRA real x", "GITHUB_TOKEN real " + planted},
			Environment{Withheld: []string{"AWS_SECRET_ACCESS_KEY"}, Others: 1}},
		{"base by reference stays", launch(bind("PATH", "${PATH}:/x")), EnvOptions{}, nil,
			Environment{Withheld: []string{"AWS_SECRET_ACCESS_KEY", "GITHUB_TOKEN"}, Others: 1}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tt.options.Parent = parent
			e := Plan(tt.launch, tt.options)
			want := append([]string{"PATH base /opt/bin", "HOME base ", "TMPDIR base ", "LANG base C.UTF-8"}, tt.given...)
			if diff := cmp.Diff(want, shown(e)); diff != "" {
				t.Error(diff)
			}
			if diff := cmp.Diff(tt.e.Withheld, e.Withheld); diff != "" || e.Others != tt.e.Others || e.Exposed != 0 {
				t.Errorf("got %v, %d others, %d exposed\n%s", e.Withheld, e.Others, e.Exposed, diff)
			}
		})
	}
}

func shown(e Environment) (out []string) {
	for _, v := range e.Given {
		out = append(out, fmt.Sprintf("%s %s %s", v.Name, v.Kind, v.Value.Reveal()))
	}
	return out
}

func TestPlanInherit(t *testing.T) {
	e := Plan(launch(bind("GITHUB_TOKEN", "${GITHUB_TOKEN}")), EnvOptions{Inherit: true, Parent: parent})
	got := e.Strings()
	for _, want := range []string{"HOME=/home/me", "LANG=de_DE", "EDITOR=vi", "AWS_SECRET_ACCESS_KEY=" + planted,
		"GITHUB_TOKEN=toolwarrant-placeholder-GITHUB_TOKEN"} {
		if !slices.Contains(got, want) {
			t.Errorf("%s is missing", want)
		}
	}
	if e.Exposed != 1 || e.Others != 0 || !slices.Equal(e.Withheld, []string{"GITHUB_TOKEN"}) {
		t.Errorf("exposed %d, others %d, withheld %v", e.Exposed, e.Others, e.Withheld)
	}
}

// The slot's directories are known only when a server runs: Plan names them,
// Strings leaves them out.
func TestStringsLeaveSlotOut(t *testing.T) {
	got := Plan(launch(), EnvOptions{}).Strings()
	if diff := cmp.Diff([]string{"PATH=" + defaultPath, "LANG=" + language}, got); diff != "" {
		t.Error(diff)
	}
}

func TestEnvironmentDoesNotPrint(t *testing.T) {
	e := Plan(launch(), EnvOptions{Set: map[string]secret.Value{"K": secret.New(planted)}, Parent: parent})
	if text := fmt.Sprintf("%v %+v %#v", e, e, e); strings.Contains(text, planted) {
		t.Error("a value was printed")
	}
}
