package sarif_test

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/toolwarrant/toolwarrant/finding"
	"github.com/toolwarrant/toolwarrant/sarif"
)

var update = flag.Bool("update", false, "rewrite the expected files")

// rules are a few, so that the expected files do not move with the words of the
// real ones.
var rules = []finding.Explanation{
	{ID: "surface/power-added", Level: finding.Error, Outcome: "escalation", Title: "A new tool can do something dangerous", Why: "An update gave it to the agent.", Remedy: "Read it, then run `toolwarrant seal NAME`."},
	{ID: "surface/title-changed", Level: finding.Warning, Outcome: "drift", Title: "A title changed", Why: "People see it.", Remedy: "Read it."},
	{ID: "check/undetermined", Level: finding.Error, Outcome: "undetermined", Title: "It could not be told", Why: "It did not start.", Remedy: "Inspect it."},
	{ID: "surface/server-info", Level: finding.Note, Outcome: "clean", Title: "The server calls itself otherwise", Why: "It says so.", Remedy: "None needed."},
}

func write(t testing.TB, r finding.Report) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := sarif.Write(&b, r, sarif.Options{Rules: rules}); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// written decodes what conforms to the standard and to GitHub's rules.
func written(t testing.TB, r finding.Report) run {
	t.Helper()
	data := write(t, r)
	conforms(t, oasis(t), data)
	return decode(t, data).Runs[0]
}

func report(o finding.Outcome, code int, findings ...finding.Finding) finding.Report {
	return finding.Report{Schema: finding.Schema, Tool: finding.Tool{Name: "toolwarrant", Version: "1.2.3"}, Outcome: o, ExitCode: code, Findings: findings}
}

// everything has one of each kind of result.
func everything() finding.Report {
	at := finding.At(".mcp.json", 3, 5)
	power := finding.New("surface/power-added", finding.Error, at, `tool "run_command" is new and can do exec`)
	power.Target, power.Cause, power.Fingerprint = "notes", finding.Upstream, "9f0c"
	power.Related = []finding.Location{finding.At(".toolwarrant/servers/notes.lock.json", 9, 3)}
	title := finding.New("surface/title-changed", finding.Warning, at, `title was "[click](https://evil.example)", is "C:\\x"`)
	title.Target, title.Fingerprint, title.Hint = "notes", "77aa", "toolwarrant seal notes shows the difference"
	known := finding.New("surface/power-added", finding.Error, finding.At("a b/日本.json", 1, 1), "it was so before")
	known.Known, known.Fingerprint = true, "1234"
	unread := finding.New("check/undetermined", finding.Error, finding.At(".mcp.json", 9, 5), `"slow" could not be judged: timeout`).As(finding.Undetermined)
	unread.Target = "slow"
	r := report(finding.Escalation, 4,
		finding.New("surface/server-info", finding.Note, at, "it calls itself otherwise"), title, known, power, unread,
		finding.New("future/rule", finding.Warning, finding.At("x.json", 0, 0), "a rule of a later version"))
	r.Targets = []finding.Target{
		{Name: "notes", Location: at, Status: finding.Escalated},
		{Name: "slow", Location: finding.At(".mcp.json", 9, 5), Status: finding.StatusUndetermined, Reason: "timeout"},
		{Name: "quiet", Location: finding.At(".mcp.json", 12, 5), Status: finding.StatusUndetermined},
		{Name: "login", Location: finding.At(".mcp.json", 15, 5), Status: finding.Waived, Reason: "needs-auth"},
		{Name: "stray", Location: finding.At(".mcp.json", 18, 5), Status: finding.StatusRefused, Reason: "not sealed"},
		{Name: "fine", Location: finding.At(".mcp.json", 21, 5), Status: finding.Verified},
	}
	return r
}

func TestGolden(t *testing.T) {
	for name, r := range map[string]finding.Report{"clean": report(finding.Clean, 0), "everything": everything()} {
		t.Run(name, func(t *testing.T) {
			got := write(t, r)
			conforms(t, oasis(t), got)
			file := "testdata/" + name + ".sarif"
			if *update {
				if err := os.WriteFile(file, got, 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), string(got)); diff != "" {
				t.Errorf("go test -update, and read the difference (-want +got):\n%s", diff)
			}
			if !bytes.Equal(got, write(t, r)) {
				t.Error("a second run gives other bytes")
			}
		})
	}
}

// TestOrder: what counts comes first, the worst of it before all.
func TestOrder(t *testing.T) {
	var got []string
	for _, x := range written(t, everything()).Results {
		got = append(got, x.RuleID)
	}
	want := []string{"surface/power-added", "check/refused", "check/undetermined", "check/undetermined", "surface/title-changed",
		"future/rule", "check/waived", "surface/server-info", "surface/power-added"}
	// A waiver and a note weigh alike: they keep the order of the report.
	want[6], want[7] = want[7], want[6]
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestNotJudged: a target that was not read, was refused or is waived is one
// result, whether a finding tells it or not, and the run is successful.
func TestNotJudged(t *testing.T) {
	r := written(t, everything())
	for _, name := range []string{"slow", "quiet", "login", "stray"} {
		n := 0
		for _, x := range r.Results {
			if x.Properties["target"] == name {
				n++
			}
		}
		if n != 1 {
			t.Errorf("%s has %d results, want 1", name, n)
		}
	}
	if !*r.Invocations[0].ExecutionSuccessful || *r.Invocations[0].ExitCode != 4 {
		t.Errorf("invocation %v", r.Invocations[0])
	}
}

func TestBroken(t *testing.T) {
	var b bytes.Buffer
	if err := sarif.Write(&b, finding.Report{ExitCode: 1}, sarif.Options{Rules: rules, Broken: true}); err != nil {
		t.Fatal(err)
	}
	conforms(t, oasis(t), b.Bytes())
	if r := decode(t, b.Bytes()).Runs[0]; *r.Invocations[0].ExecutionSuccessful || len(r.Tool.Driver.Rules) < len(rules) {
		t.Errorf("a broken scan is successful, or lacks rules: %v", r)
	}
}

func TestPart(t *testing.T) {
	for part, want := range map[string]string{"": "toolwarrant/", ".": "toolwarrant/", "a/b": "toolwarrant/a/b/", "/a/": "toolwarrant/a/"} {
		r := report(finding.Clean, 0)
		r.Part = part
		if got := written(t, r).AutomationDetails.ID; got != want {
			t.Errorf("part %q: %q, want %q", part, got, want)
		}
	}
}

// TestLeftOut: of more results than GitHub shows the worst stay, and one says
// how many are gone.
func TestLeftOut(t *testing.T) {
	for _, n := range []int{4999, 5000, 5001, 12000} {
		r := report(finding.Escalation, 4)
		for i := range n - 1 {
			r.Findings = append(r.Findings, finding.New("surface/title-changed", finding.Warning, finding.At("a.json", i+1, 1), "a title"))
		}
		r.Findings = append(r.Findings, finding.New("surface/power-added", finding.Error, finding.At("z.json", 1, 1), "the worst"))
		got := decode(t, write(t, r)).Runs[0].Results
		last := got[len(got)-1]
		if len(got) != min(n, 5000) || got[0].Message.Text != "the worst" {
			t.Errorf("of %d there are %d, the first %q", n, len(got), got[0].Message.Text)
		}
		if gone := n - 4999; n > 5000 && (last.RuleID != "check/left-out" || !strings.HasPrefix(last.Message.Text, fmt.Sprintf("%d further results", gone))) {
			t.Errorf("of %d the last says %q", n, last.Message.Text)
		}
	}
}

// TestTyped: a target of the command line lies at line 1 of its lock.
func TestTyped(t *testing.T) {
	f := finding.New("surface/power-added", finding.Error, finding.Argument("npx -y notes"), "it can do exec")
	f.Target = "notes"
	r := report(finding.Escalation, 4, f)
	r.Targets = []finding.Target{{Name: "notes", Location: finding.Argument("notes"), Status: finding.Escalated, Lock: "locks/notes.lock.json"}}
	x := written(t, r).Results[0].Locations[0].PhysicalLocation
	if x.ArtifactLocation.URI != "locks/notes.lock.json" || x.Region.StartLine != 1 || x.Region.StartColumn != 1 {
		t.Errorf("it lies at %v", x)
	}
}

func TestNoFile(t *testing.T) {
	for _, l := range []finding.Location{finding.Argument("notes"), finding.At("/etc/passwd", 1, 1), finding.At("../x.json", 1, 1), finding.At("a/../..", 1, 1), finding.At(".", 1, 1)} {
		var b bytes.Buffer
		err := sarif.Write(&b, report(finding.Escalation, 4, finding.New("surface/power-added", finding.Error, l, "x")), sarif.Options{})
		if !errors.Is(err, sarif.ErrNoFile) || b.Len() > 0 {
			t.Errorf("%v: error %v, %d bytes", l, err, b.Len())
		}
	}
}

func TestURI(t *testing.T) {
	for file, want := range map[string]string{
		".mcp.json": ".mcp.json", "./a//b.json": "a/b.json", "a b/ü.json": "a%20b/%C3%BC.json", "c:/x": "c%3A/x", "a%2fb": "a%252fb",
		"#?&.json": "%23%3F&.json", "[x].json": "%5Bx%5D.json", "a\\b": "a%5Cb", "\x1b\xff": "%1B%FF", "😀.json": "%F0%9F%98%80.json",
	} {
		r := written(t, report(finding.Drift, 3, finding.New("surface/title-changed", finding.Warning, finding.At(file, 1, 1), "x")))
		if got := r.Results[0].Locations[0].PhysicalLocation.ArtifactLocation.URI; got != want {
			t.Errorf("%q is %q, want %q", file, got, want)
		}
	}
}

// TestIdentity: findings of one fingerprint are alerts of their own, one without
// a fingerprint gets one, and neither depends on the line.
func TestIdentity(t *testing.T) {
	ids := func(line int) (out []string) {
		f := finding.New("surface/title-changed", finding.Warning, finding.At("a.json", line, 1), "x")
		g := f
		g.Fingerprint = "abc"
		for _, x := range written(t, report(finding.Drift, 3, f, g, g)).Results {
			out = append(out, x.PartialFingerprints["primaryLocationLineHash"])
		}
		return out
	}
	got := ids(1)
	if got[1] != "abc:1" || got[2] != "abc:2" || len(got[0]) < 10 {
		t.Errorf("identities %q", got)
	}
	if diff := cmp.Diff(got, ids(7)); diff != "" {
		t.Errorf("another line is another identity:\n%s", diff)
	}
}

// full is a writer on which nothing fits.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, errFull }

var errFull = errors.New("full")

func TestWriterFails(t *testing.T) {
	if err := sarif.Write(full{}, report(finding.Clean, 0), sarif.Options{}); !errors.Is(err, errFull) {
		t.Errorf("error %v", err)
	}
}

// FuzzWrite: whatever a repository and its servers say, the log conforms and
// nothing in it is a link.
func FuzzWrite(f *testing.F) {
	schema := oasis(f)
	f.Add("notes", "it says \"[a](https://b.example)\"", ".mcp.json", "hint", "why")
	f.Add("[x](1)", "](1)", "a:b/\x00c", "\\", "{0}")
	f.Fuzz(func(t *testing.T, name, text, file, hint, reason string) {
		at := finding.At(file, 1, 1)
		if file == "" {
			return
		}
		x := finding.New("surface/power-added", finding.Error, at, text)
		x.Target, x.Hint, x.Related = name, hint, []finding.Location{finding.At(file+".lock.json", 2, 2)}
		r := report(finding.Escalation, 4, x)
		r.Part = reason
		r.Targets = []finding.Target{{Name: name, Location: at, Status: finding.StatusUndetermined, Reason: reason}}
		var b bytes.Buffer
		err := sarif.Write(&b, r, sarif.Options{Rules: rules})
		if errors.Is(err, sarif.ErrNoFile) {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		conforms(t, schema, b.Bytes())
	})
}
