package inspect

import (
	"bytes"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestTrace(t *testing.T) {
	var trace bytes.Buffer
	o := newFake(t, "asks-everything").order(t, patient)
	o.Trace, o.Target = &trace, "notes\nforged"
	Read(t.Context(), o)
	line := regexp.MustCompile(`^notes\\nforged\t([<>]\t[a-zA-Z/]+)\t[1-9][0-9]*\t[0-9]+$`)
	var got []string
	for _, l := range strings.Split(strings.TrimSpace(trace.String()), "\n") {
		m := line.FindStringSubmatch(l)
		if m == nil {
			t.Fatalf("a line of another form: %q", l)
		}
		got = append(got, m[1])
	}
	asks := []string{"> tools/list"}
	for _, m := range []string{"ping", "sampling/createMessage", "elicitation/create", "roots/list"} {
		asks = append(asks, "< "+m, "> "+m)
	}
	asks = append(asks, "< tools/list")
	for _, m := range []string{"resources/list", "resources/templates/list", "prompts/list"} {
		asks = append(asks, "> "+m, "< "+m)
	}
	want := append([]string{"> server/discover", "< server/discover"}, append(asks, asks...)...)
	for i := range got {
		got[i] = strings.Replace(got[i], "\t", " ", 1)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	for _, text := range []string{"list_notes", "instructions", "method not found"} {
		if strings.Contains(trace.String(), text) {
			t.Errorf("the trace holds %q", text)
		}
	}
}

// A method that a server makes up is its text, and is not traced.
func TestTraceHidesForeignMethods(t *testing.T) {
	var trace bytes.Buffer
	tr := tracer{to: &trace}
	tr.line('<', "notifications/\x1b[31mevil", 10)
	if got := trace.String(); !strings.HasPrefix(got, "\t<\tother\t10\t") {
		t.Errorf("got %q", got)
	}
}
