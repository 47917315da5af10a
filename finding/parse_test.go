package finding_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/toolwarrant/toolwarrant/finding"
)

// saved is a report with every member that can be set.
func saved() finding.Report {
	at := finding.At(".mcp.json", 3, 5)
	change := finding.ChangeItem{Comparison: "drifted", Cause: finding.Upstream, Event: "description-changed", Level: finding.Error,
		List: "tools", Item: "add\u202e", Path: "/description", Old: "Adds.", New: "Adds.\nThen\x1b[2J", Gained: []string{"exec"}}
	f := finding.New("surface/description-changed", finding.Error, at, `tool "add" says something else`)
	f.Cause, f.Target, f.Hint, f.Change, f.Fingerprint = finding.Upstream, "notes\u200b", "read it", &change, "00ff"
	f.Related = []finding.Location{finding.At(".toolwarrant/servers/notes.lock.json", 4, 3)}
	f.Evidence = []finding.Evidence{{Path: "/description", Signal: "a verb", Quote: "Then"}}
	known := finding.New("check/undetermined", finding.Error, finding.Argument("npx -y x"), "it did not start").As(finding.Undetermined)
	known.Known = true
	return finding.Report{
		Schema: finding.Schema, Tool: finding.Tool{Name: "toolwarrant", Version: "dev"}, Outcome: finding.Escalation, ExitCode: 4, Live: "all", Part: "a/b",
		Anchor: finding.Anchor{Kind: "commit", Commit: strings.Repeat("a", 40)}, ApprovedBy: []string{}, Excluded: []finding.Excluded{{File: "x\x07.json"}}, Searched: 3,
		Targets: []finding.Target{{
			Name: "notes\u200b", Kind: "server", Location: at, Places: []string{".mcp.json#/mcpServers/notes"}, Status: finding.Escalated, Reason: "why",
			Pin: "exact", Launch: "sha256:ab", Surface: "sha256:cd", Artifact: "x", Lock: ".toolwarrant/servers/notes.lock.json",
			Capabilities: finding.Capabilities{Approved: []string{"pure"}, Asked: []string{}, Observed: []string{"exec"}},
			Clients:      []finding.Client{{Name: "claude-code", Loads: true, Why: "project"}}, Changes: []finding.ChangeItem{change}, Tools: 2, Attempts: 1,
			Sandbox: finding.Sandbox{Profile: "none", Survivors: 1},
		}},
		Findings: []finding.Finding{f, known}, Next: "toolwarrant seal notes",
	}
}

func marshal(t testing.TB, v any) string {
	t.Helper()
	data, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func TestParseReport(t *testing.T) {
	want := saved()
	got, err := finding.ParseReport([]byte(marshal(t, want)))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("it is not the one that was saved (-want +got):\n%s", diff)
	}
	if _, err := finding.ParseReport([]byte("\ufeff")); err == nil {
		t.Error("an empty text is a report")
	}
}

// TestParseReportRefuses breaks a report in one place each.
func TestParseReportRefuses(t *testing.T) {
	good := marshal(t, saved())
	tests := []struct {
		name, old, new string
		line, column   int // 0: not looked at
	}{
		{"not JSON", `{`, `[`, 0, 0},
		{"cut", "\n  \"findings\"", "", 0, 0},
		{"another schema", `toolwarrant.report/1`, `toolwarrant.report/2`, 2, 13},
		{"an unknown member", `"schema"`, `"日😀": 1, "schema"`, 2, 3},
		{"an unknown member inside", `"kind": "server"`, `"kind": "server", "kin": 1`, 0, 0},
		{"a member in another case", `"schema"`, `"Schema"`, 2, 3},
		{"a missing member", `"exitCode": 4,`, ``, 1, 1},
		{"a member twice", `"exitCode": 4,`, `"exitCode": 4, "exitCode": 0,`, 8, 18},
		{"an unknown outcome", `"outcome": "escalation"`, `"outcome": "fine"`, 7, 14},
		{"an unknown level", `"level": "error"`, `"level": "fatal"`, 0, 0},
		{"an unknown status", `"status": "escalated"`, `"status": "ok"`, 0, 0},
		{"an unknown cause", `"cause": "upstream"`, `"cause": "fate"`, 0, 0},
		{"a text for a number", `"exitCode": 4`, `"exitCode": "4"`, 8, 15},
		{"a fraction", `"exitCode": 4`, `"exitCode": 4.5`, 8, 15},
		{"a negative number", `"exitCode": 4`, `"exitCode": -4`, 8, 15},
		{"a huge number", `"exitCode": 4`, `"exitCode": 4e99`, 8, 15},
		{"a number for a text", `"live": "all"`, `"live": 1`, 0, 0},
		{"a text for a list", `"approvedBy": []`, `"approvedBy": "x"`, 0, 0},
		{"a list for an object", `"anchor": {`, `"anchor": [], "ancor": {`, 0, 0},
		{"null for a number", `"exitCode": 4`, `"exitCode": null`, 8, 15},
		{"null for an object", `"tool": {`, `"tool": null, "tol": {`, 0, 0},
		{"a finding without a place", `"argument": "npx -y x"`, ``, 0, 0},
		{"a place that is empty", `"argument": "npx -y x"`, `"argument": ""`, 0, 0},
		{"a place of both kinds", `"argument": "npx -y x"`, `"argument": "x", "file": "y"`, 0, 0},
		{"an escape sequence in our words", `it did not start`, `it did not start\u001b[2J`, 0, 0},
		{"a line of its own in our words", `it did not start`, `it did not\n::error::x`, 0, 0},
		{"an override in what to do next", `"next": "toolwarrant`, `"next": "\u202etoolwarrant`, 0, 0},
		{"bytes that are no UTF-8", `it did not start`, "it did \xff not start", 0, 0},
		{"more after it", "\n}", "\n} {}", 0, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if !strings.Contains(good, tt.old) {
				t.Fatalf("%s does not stand in\n%s", tt.old, good)
			}
			text := strings.Replace(good, tt.old, tt.new, 1)
			if tt.name == "more after it" {
				text = good + " {}"
			}
			_, err := finding.ParseReport([]byte(text))
			var bad *finding.ReportError
			if !errors.As(err, &bad) {
				t.Fatalf("error %v", err)
			}
			if bad.Line < 1 || bad.Column < 1 || tt.line != 0 && (bad.Line != tt.line || bad.Column != tt.column) {
				t.Errorf("at %d:%d (%s), want %d:%d", bad.Line, bad.Column, bad.Reason, tt.line, tt.column)
			}
		})
	}
}

// FuzzParseReport: nothing panics, an error has a place and shows, and what is
// read can be saved and read again.
func FuzzParseReport(f *testing.F) {
	f.Add([]byte(marshal(f, saved())))
	f.Add([]byte(marshal(f, finding.Report{Schema: finding.Schema})))
	f.Add([]byte(strings.Repeat("[", 20000)))
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := finding.ParseReport(data)
		var bad *finding.ReportError
		switch {
		case err == nil:
		case !errors.As(err, &bad) || bad.Line < 1 || bad.Column < 1 || finding.Claim(bad.Reason).String() != bad.Reason:
			t.Fatalf("error %q", err)
		default:
			return
		}
		again, err := finding.ParseReport([]byte(marshal(t, r)))
		if err != nil {
			t.Fatalf("saved again it is no report: %v", err)
		}
		if diff := cmp.Diff(r, again); diff != "" {
			t.Fatal(diff)
		}
	})
}
