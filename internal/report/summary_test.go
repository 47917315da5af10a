package report_test

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode"

	"github.com/google/go-cmp/cmp"

	"github.com/toolwarrant/toolwarrant/finding"
	"github.com/toolwarrant/toolwarrant/internal/report"
)

func summarized(t testing.TB, r finding.Report, o report.SummaryOptions) string {
	t.Helper()
	var b bytes.Buffer
	if err := report.Summary(&b, r, o); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func annotated(t testing.TB, r finding.Report) string {
	t.Helper()
	var b bytes.Buffer
	if err := report.WriteAnnotations(&b, report.Annotations(r)); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// watched is a report of servers that were started: one wanted hosts, one none,
// one could not be watched.
func watched() finding.Report {
	talker, quiet, unseen := target("talker", 3, finding.Verified), target("quiet", 6, finding.Verified), target("unseen", 9, finding.Verified)
	talker.Sandbox = finding.Sandbox{Profile: "full", Hosts: []string{"api.example.com:443", "collect.example.com:443"}}
	quiet.Sandbox = finding.Sandbox{Profile: "full", Hosts: []string{}}
	unseen.Sandbox = finding.Sandbox{Profile: "none"}
	other := target("other", 12, finding.Drifted)
	other.Sandbox = finding.Sandbox{Profile: "full", Hosts: []string{"api.example.com:443"}}
	host := about(other, "sandbox/host-contacted", finding.Warning, `"other" wanted to reach api.example.com:443`)
	return sample(finding.Drift, 3, []finding.Target{talker, quiet, unseen, other}, host)
}

// quiet is a report of servers of which none wanted a host.
func quiet() finding.Report {
	r := watched()
	for i := range r.Targets {
		if r.Targets[i].Sandbox.Hosts != nil {
			r.Targets[i].Sandbox.Hosts = []string{}
		}
	}
	return r
}

// venomousText is what a hostile repository or server writes where it can.
const venomousText = "x`y``z|a</td><img src=x onerror=alert(1)> [l](https://evil.example) ![i](//evil.example) @octocat #1 octo-org/tool#2 " +
	"\"]; click s0 \"javascript:alert(1)\" %%{init: {}}%% end --> s1\n```\n# h\n::error file=a.go,line=1::b\r\n##[warning]c\n::stop-commands::d\x1b[31m\u202eabc\u200b"

// proposal is a report with everything of an approved pull request.
func proposal() finding.Report {
	r := reports()["everything"]
	r.Approved, r.ApprovedBy = true, []string{"octocat", "hubot"}
	return r
}

func TestSummaryGoldens(t *testing.T) {
	waiting := report.SummaryOptions{Fails: true, Why: "no review approves this commit"}
	for name, x := range map[string]struct {
		r finding.Report
		o report.SummaryOptions
	}{
		"everything": {reports()["everything"], waiting}, "approved": {proposal(), report.SummaryOptions{}},
		"clean": {reports()["clean"], report.SummaryOptions{}}, "nothing": {reports()["nothing"], report.SummaryOptions{}},
		"hosts": {watched(), report.SummaryOptions{}}, "no-hosts": {quiet(), report.SummaryOptions{}},
		"hostile": {shouting(venomousText), report.SummaryOptions{Fails: true, Why: venomousText}},
		"short":   {reports()["everything"], report.SummaryOptions{Limit: 1500}},
	} {
		t.Run(name, func(t *testing.T) { golden(t, filepath.Join("summary", name+".md"), summarized(t, x.r, x.o)) })
	}
	for name, r := range map[string]finding.Report{"everything": reports()["everything"], "hostile": shouting(venomousText), "many": many(12)} {
		t.Run("annotations/"+name, func(t *testing.T) { golden(t, filepath.Join("summary", "annotations-"+name+".txt"), annotated(t, r)) })
	}
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("go test -update, and read the difference (-want +got):\n%s", diff)
	}
}

// many is a report with n findings of each level.
func many(n int) finding.Report {
	t := target("notes", 3, finding.Escalated)
	var list []finding.Finding
	for i := range n {
		for _, l := range []finding.Level{finding.Note, finding.Warning, finding.Error} {
			f := about(t, "package/new-version", l, fmt.Sprintf("%s %d", l, i))
			f.Location.Line = i + 1
			list = append(list, f)
		}
	}
	list = append(list, about(t, "check/undetermined", finding.Error, "undetermined").As(finding.Undetermined))
	return sample(finding.Escalation, 4, []finding.Target{t}, list...)
}

func TestAnnotations(t *testing.T) {
	list := report.Annotations(many(12))
	counts := map[string]int{}
	for i, a := range list {
		counts[a.Level]++
		if i > 0 && strings.Index("error warning notice", list[i-1].Level) > strings.Index("error warning notice", a.Level) {
			t.Errorf("%s before %s", list[i-1].Level, a.Level)
		}
	}
	if diff := cmp.Diff(map[string]int{"error": 10, "warning": 10, "notice": 10}, counts); diff != "" {
		t.Errorf("counts (-want +got):\n%s", diff)
	}
	want := report.Annotation{Level: "error", Title: "toolwarrant", Message: "4 more like these: the job summary has them"}
	if diff := cmp.Diff(want, list[9]); diff != "" {
		t.Errorf("the tenth (-want +got):\n%s", diff)
	}
	for _, a := range list[:9] {
		if a.Message == "undetermined" {
			t.Error("what is undetermined stands before an escalation")
		}
	}
	ten := report.Annotations(many(10))
	if len(ten) != 30 || ten[29].Message != "note 9" {
		t.Errorf("ten of a level are %d: %+v", len(ten), ten[len(ten)-1])
	}
}

func TestAnnotationOf(t *testing.T) {
	at := target("notes", 3, finding.Drifted)
	moved := about(at, "surface/title-changed", finding.Error, "m").As(finding.Clean)
	moved.Cause = finding.Upstream
	known := about(at, "surface/title-changed", finding.Error, "k")
	known.Known = true
	hinted := about(at, "surface/title-changed", finding.Warning, "w")
	hinted.Hint = "do this"
	argument := finding.New("policy/input-ignored", finding.Warning, finding.Argument("fail-on"), "a")
	got := report.Annotations(sample(finding.Drift, 3, []finding.Target{at}, moved, known, hinted, argument))
	want := []report.Annotation{
		{Level: "warning", File: ".mcp.json", Line: 3, Column: 5, Title: "surface/title-changed", Message: "w (do this)"},
		{Level: "warning", Title: "policy/input-ignored", Message: "a"},
		{Level: "notice", File: ".mcp.json", Line: 3, Column: 5, Title: "surface/title-changed", Message: "m"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("annotations (-want +got):\n%s", diff)
	}
}

// TestSummaryFits: whatever a report holds, the summary is not longer than GitHub
// takes, still begins with the verdict, and says what it leaves out.
func TestSummaryFits(t *testing.T) {
	long := strings.Repeat("\U0001F600", 2100)
	r := sample(finding.Escalation, 4, nil)
	for i := range 300 {
		x := target(fmt.Sprint(i)+long, i+1, finding.Escalated)
		x.Reason, x.Sandbox = long, finding.Sandbox{Profile: "full", Hosts: []string{long + fmt.Sprint(i)}}
		f := about(x, "surface/description-changed", finding.Error, long)
		f.Change, f.Hint = &finding.ChangeItem{Event: "description-changed", Old: long, New: long}, fmt.Sprint(i)+long
		r.Targets, r.Findings = append(r.Targets, x), append(r.Findings, f)
	}
	r.Next = long
	got := summarized(t, r, report.SummaryOptions{Fails: true, Why: long})
	if len(got) > report.SummaryLimit {
		t.Errorf("%d bytes", len(got))
	}
	if !strings.HasPrefix(got, "## toolwarrant: escalation\n\n**300 targets are not what was approved.** The job fails.\n") {
		t.Errorf("it begins %q", got[:100])
	}
	if want := "leaves out 250 targets, 290 findings, the words of the servers, the picture of the hosts. The report has everything.\n"; !strings.HasSuffix(got, want) {
		t.Errorf("it ends %q", got[len(got)-200:])
	}
}

// TestSummaryOrder: detail goes in the stated order.
func TestSummaryOrder(t *testing.T) {
	r := watched()
	f := about(r.Targets[3], "surface/description-changed", finding.Warning, "m")
	f.Change = &finding.ChangeItem{Event: "description-changed", Old: strings.Repeat("old ", 70), New: strings.Repeat("new ", 70)}
	r.Findings = append(r.Findings, f)
	whole := len(summarized(t, r, report.SummaryOptions{}))
	for _, tt := range []struct {
		limit          int
		words, picture bool
	}{{whole, true, true}, {whole - 1, false, true}, {whole - 700, false, false}} {
		got := summarized(t, r, report.SummaryOptions{Limit: tt.limit})
		if strings.Contains(got, "server says") != tt.words || strings.Contains(got, "```mermaid") != tt.picture {
			t.Errorf("limit %d:\n%s", tt.limit, got)
		}
	}
}

func TestSummaryWriterFails(t *testing.T) {
	if report.Summary(full{}, watched(), report.SummaryOptions{}) == nil || report.WriteAnnotations(full{}, report.Annotations(watched())) == nil {
		t.Error("no error")
	}
}

func TestSummaryVerdict(t *testing.T) {
	x := func(n int, s finding.Status) finding.Target { return target(fmt.Sprint(n), n, s) }
	a, b := x(1, finding.Escalated), x(2, finding.Escalated)
	tests := []struct {
		r    finding.Report
		want string
	}{
		{sample(finding.Escalation, 4, []finding.Target{a}, about(a, "launch/new", finding.Error, "m")), "**1 target is not what was approved.**"},
		{sample(finding.Escalation, 4, []finding.Target{a, b}, about(a, "launch/new", finding.Error, "m"), about(b, "launch/new", finding.Error, "m")), "**2 targets are not what was approved.**"},
		{sample(finding.Escalation, 4, nil, finding.New("lock/invalid", finding.Error, finding.At("l", 1, 1), "m")), "**1 file is not what was approved.**"},
		{sample(finding.Escalation, 4, []finding.Target{a}, about(a, "launch/new", finding.Error, "m"), finding.New("lock/invalid", finding.Error, finding.At("l", 1, 1), "m")), "**1 target and 1 file are not what was approved.**"},
		{sample(finding.Undetermined, 5, []finding.Target{a}, about(a, "check/undetermined", finding.Error, "m").As(finding.Undetermined)), "**1 target could not be judged.**"},
		{sample(finding.Undetermined, 5, nil), "**Something could not be judged.**"},
		{sample(finding.Refused, 6, []finding.Target{a}, about(a, "launch/not-sealed", finding.Error, "m").As(finding.Refused)), "**1 target was not judged"},
		{sample(finding.Refused, 6, nil, finding.New("check/refused", finding.Error, finding.Argument("event"), "m").As(finding.Refused)), "**Nothing was judged.** The job"},
		{sample(finding.Drift, 3, []finding.Target{a}, about(a, "surface/title-changed", finding.Warning, "m")), "**1 target has changed"},
		{sample(finding.Clean, 0, []finding.Target{a}), "**Nothing differs from what was approved.**"},
		{sample(finding.Clean, 0, nil), "**Nothing that an agent may call is declared here.**"},
	}
	for _, tt := range tests {
		if got := strings.Split(summarized(t, tt.r, report.SummaryOptions{}), "\n")[2]; !strings.HasPrefix(got, tt.want) {
			t.Errorf("the verdict is %q, want %q", got, tt.want)
		}
	}
}

// shouting is a report in which foreign text stands in every place that there is:
// names of servers, plugins, files, hosts and accounts, descriptions, a program's
// last words.
func shouting(text string) finding.Report {
	r := speaking(text)
	for i := range r.Targets {
		x := &r.Targets[i]
		x.Kind, x.Pin = "k"+text, "p"+text
		x.Sandbox = finding.Sandbox{Profile: "full", Hosts: []string{"h" + text, "i" + text}}
	}
	stopped := r.Targets[0]
	stopped.Sandbox, stopped.Kind, stopped.Reason = finding.Sandbox{}, "plugin", "died: it said "+text
	r.Targets = append(r.Targets, stopped)
	r.Findings = append(r.Findings, about(stopped, "r"+text, finding.Warning, "m"+text), finding.New("policy/invalid", finding.Error, finding.Argument("a"+text), "m"+text))
	r.ApprovedBy = []string{"b" + text}
	r.Approved = text != "" && len(text)%2 == 0
	return r
}

var seeds = []string{
	"`", "``` ` ``", "|", `\|`, `\`, "\n# x", "[a](https://b.example)", "@all #1 <b> &amp; ![x](y)", "a`", "`a", " ` ", "\u202e\u200b", "\r", "`\\`|", "$`a`$", "<!-- -->", "</details>",
	"\n```\n", `"]`, `"]; click s0 "javascript:x"`, "%%{init}%%", "#quot;", "end", "::error::x", "\n::set-output name=a::b", "##[error]x", "%0A::error::x", "a,title=b", "a:b", "\x00\xff", venomousText,
}

// FuzzSummary: foreign text stands in code that it cannot close; what stands in
// the picture has letters, digits and a few signs only.
func FuzzSummary(f *testing.F) {
	for _, s := range seeds {
		f.Add(s)
	}
	shape := func(t testing.TB, text string) (string, int) {
		r := shouting(text)
		r.Approved = false
		doc, picture := drawing(t, summarized(t, r, report.SummaryOptions{Fails: true, Why: "w" + text}))
		for _, line := range picture {
			if !drawn.MatchString(line) {
				t.Fatalf("the picture has the line %q", line)
			}
		}
		rest, pipes := skeleton(t, doc)
		return rest, pipes
	}
	want, cells := shape(f, "")
	f.Fuzz(func(t *testing.T, text string) {
		got, n := shape(t, text)
		if got != want || n != cells {
			t.Fatalf("foreign text is outside code: %d cells, want %d\n%s", n, cells, cmp.Diff(want, got))
		}
		for _, r := range summarized(t, shouting(text), report.SummaryOptions{}) {
			if r != '\n' && !unicode.IsGraphic(r) {
				t.Fatalf("%U does not show", r)
			}
		}
	})
}

// drawn is every line that a picture may have.
var drawn = regexp.MustCompile(`^(flowchart LR|  [sh]\d+(\["[a-zA-Z0-9 ._:/?-]+"\]|\{\{"[a-zA-Z0-9 ._:/?-]+"\}\}| --> (h\d+|none\(\["no host"\]\))| -\.-> unseen\(\["cannot be seen in this sandbox"\]\)))$`)

// drawing cuts the picture out of a summary.
func drawing(t testing.TB, doc string) (rest string, picture []string) {
	t.Helper()
	before, after, ok := strings.Cut(doc, "\n```mermaid\n")
	inner, after, closed := strings.Cut(after, "\n```\n")
	if !ok || !closed || strings.Contains(after, "```mermaid") {
		t.Fatalf("no picture, or two:\n%s", doc)
	}
	return before + "\nPICTURE\n" + after, strings.Split(inner, "\n")
}

// FuzzAnnotations reads what is written as GitHub's runner does (actions/runner,
// ActionCommand.cs): each line is one command of ours, whose parts are those of
// its annotation and no others.
func FuzzAnnotations(f *testing.F) {
	for _, s := range seeds {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		list := report.Annotations(shouting(text))
		list = append(list, report.Annotation{Level: text, File: text, Line: 1, Column: 2, Title: text, Message: text})
		var b bytes.Buffer
		if err := report.WriteAnnotations(&b, list); err != nil {
			t.Fatal(err)
		}
		lines := strings.FieldsFunc(b.String(), func(r rune) bool { return r == '\n' || r == '\r' })
		if len(lines) != len(list) {
			t.Fatalf("%d lines for %d annotations:\n%s", len(lines), len(list), b.String())
		}
		for i, line := range lines {
			sameRemark(t, list[i], line)
		}
	})
}

// sameRemark holds a command against the annotation that it is of.
func sameRemark(t *testing.T, want report.Annotation, line string) {
	t.Helper()
	head, message, ok := strings.Cut(strings.TrimPrefix(line, "::"), "::")
	command, rest, _ := strings.Cut(head, " ")
	if !ok || !strings.HasPrefix(line, "::") || command != "error" && command != "warning" && command != "notice" || strings.Contains(line, "##[") {
		t.Fatalf("the command is %q", line)
	}
	got := map[string]string{}
	for _, p := range strings.Split(rest, ",") {
		name, value, _ := strings.Cut(p, "=")
		if _, twice := got[name]; twice {
			t.Fatalf("%s stands twice in %q", name, line)
		}
		got[name] = unescaped(value)
	}
	expect := map[string]string{}
	for name, value := range map[string]string{"file": want.File, "title": want.Title} {
		if value != "" {
			expect[name] = finding.Claim(value).String()
		}
	}
	if want.File != "" {
		expect["line"], expect["col"] = fmt.Sprint(want.Line), fmt.Sprint(want.Column)
	}
	if len(expect) == 0 {
		expect[""] = ""
	}
	if diff := cmp.Diff(expect, got); diff != "" {
		t.Fatalf("properties of %q (-want +got):\n%s", line, diff)
	}
	if text := unescaped(message); text != finding.Claim(want.Message).String() {
		t.Fatalf("the message is %q, want %q", text, want.Message)
	}
	for _, r := range line {
		if !unicode.IsGraphic(r) {
			t.Fatalf("%U does not show", r)
		}
	}
}

// unescaped is what the runner makes of a part.
func unescaped(s string) string {
	for _, e := range [][2]string{{"%0D", "\r"}, {"%0A", "\n"}, {"%3A", ":"}, {"%2C", ","}, {"%25", "%"}} {
		s = strings.ReplaceAll(s, e[0], e[1])
	}
	return s
}

// FuzzMarkdownOfRepository: the markdown format, with foreign text in the places
// that FuzzMarkdown leaves out.
func FuzzMarkdownOfRepository(f *testing.F) {
	for _, s := range seeds {
		f.Add(s)
	}
	render := func(t testing.TB, text string) (string, int) {
		return skeleton(t, rendered(t, "markdown", shouting(text)))
	}
	want, cells := render(f, "")
	f.Fuzz(func(t *testing.T, text string) {
		if got, n := render(t, text); got != want || n != cells {
			t.Fatalf("foreign text is outside code: %d cells, want %d\n%s", n, cells, cmp.Diff(want, got))
		}
	})
}

// TestHostileReports: none of the formats that a runner or GitHub shows speaks
// another's words; JSON and JUnit are held by their own tests.
func TestHostileReports(t *testing.T) {
	for _, s := range seeds {
		for name, render := range map[string]func(io.Writer) error{
			"summary":     func(w io.Writer) error { return report.Summary(w, shouting(s), report.SummaryOptions{Why: s}) },
			"markdown":    func(w io.Writer) error { return report.Markdown(w, shouting(s)) },
			"annotations": func(w io.Writer) error { return report.WriteAnnotations(w, report.Annotations(shouting(s))) },
		} {
			var b bytes.Buffer
			if err := render(&b); err != nil {
				t.Fatal(err)
			}
			for line := range strings.Lines(b.String()) {
				command := strings.HasPrefix(strings.TrimSpace(line), "::")
				if command != (name == "annotations") || strings.Contains(line, "##[") {
					t.Errorf("%s of %q: %q", name, s, line)
				}
				if bare := withoutCode(line); name != "annotations" && strings.ContainsAny(bare, "<@$") {
					t.Errorf("%s of %q is active: %q", name, s, bare)
				}
			}
		}
	}
}
