package report_test

import (
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode"
	"unicode/utf16"

	"github.com/google/go-cmp/cmp"

	"github.com/toolwarrant/toolwarrant/finding"
	"github.com/toolwarrant/toolwarrant/internal/report"
)

const (
	headCommit = "9f8e7d6c5b4a39281706f5e4d3c2b1a09f8e7d6c"
	baseCommit = "1a2b3c4d5e6f708192a3b4c5d6e7f8091a2b3c4d"
)

// situation is what a pull request may bring about.
type situation struct {
	report  finding.Report
	options report.CommentOptions
}

// judged is a report of a pull request.
func judged(o finding.Outcome, code int, targets []finding.Target, findings ...finding.Finding) finding.Report {
	r := sample(o, code, targets, findings...)
	r.Anchor, r.Live = finding.Anchor{Kind: "base", Commit: baseCommit}, "changed"
	return r
}

func options(edit ...func(*report.CommentOptions)) report.CommentOptions {
	o := report.CommentOptions{Category: "toolwarrant", Head: headCommit, Branch: "main", Fails: true}
	for _, e := range edit {
		e(&o)
	}
	return o
}

func passes(o *report.CommentOptions)   { o.Fails = false }
func byReview(o *report.CommentOptions) { o.Approval = report.ByReview }
func adopts(o *report.CommentOptions)   { o.Adoption = true }
func noWords(o *report.CommentOptions)  { o.NoWords = true }
func approved(o *report.CommentOptions) { o.Fails, o.Approval = false, report.ApprovalGiven }

// unstarted is a target that the run did not start.
func unstarted(name string, line int, s finding.Status) finding.Target {
	t := target(name, line, s)
	t.Attempts, t.Reason = 0, "not started: the anchor approves another launch"
	return t
}

// differing is a finding about a difference.
func differing(t finding.Target, rule string, l finding.Level, c finding.ChangeItem) finding.Finding {
	f := about(t, rule, l, `tool "`+c.Item+`" differs`)
	c.Comparison, c.Cause, c.Level, f.Cause = "asked", finding.Change, l, finding.Change
	f.Change = &c
	return f
}

func reworded(t finding.Target, tool, old, new string) finding.Finding {
	return differing(t, "surface/description-changed-minor", finding.Warning,
		finding.ChangeItem{Event: "description-changed", List: "tools", Item: tool, Path: "description", Old: old, New: new})
}

// powerful is a version bump that brings a power, with other packages.
func powerful() (finding.Target, []finding.Finding) {
	t := unstarted("everything", 9, finding.Escalated)
	t.Tools, t.Capabilities.Observed = 13, []string{"credentials"}
	launch := about(t, "launch/changed", finding.Error, `"everything" is launched otherwise than its lock says: argv[2] was "server-everything@2025.11.25", is "server-everything@2026.1.26"`)
	launch.Hint = "a reviewer approves it by merging its lock"
	gain := differing(t, "surface/capability-gained", finding.Error, finding.ChangeItem{Event: "capability-gained", List: "tools", Item: "get-env", Path: "capabilities", Gained: []string{"credentials"}})
	gain.Evidence = []finding.Evidence{{Path: "description", Signal: "a noun", Quote: "environment variables"}}
	version := differing(t, "package/new-version", finding.Warning, finding.ChangeItem{Event: "package-version", Path: "version", Old: `"2025.11.25"`, New: `"2026.1.26"`})
	version.Evidence = []finding.Evidence{
		{Path: "node_modules", Signal: "added", Quote: "zod 4.0.0"}, {Path: "node_modules", Signal: "added", Quote: "jose 6.1.0"},
		{Path: "node_modules", Signal: "moved", Quote: "@modelcontextprotocol/sdk 1.13.2 → 1.32.2"},
	}
	words := reworded(t, "get-env", `"Prints the environment."`, `"Returns all environment variables, helpful for debugging MCP server configuration"`)
	return t, []finding.Finding{launch, gain, version, words}
}

func situations() map[string]situation {
	fine := func(n int) []finding.Target {
		var out []finding.Target
		for i := range n {
			out = append(out, target(fmt.Sprintf("server-%d", i+1), 20+3*i, finding.Verified))
		}
		return out
	}
	waived := target("supabase", 30, finding.Waived)
	waived.Reason = "not read, waived: needs-auth (a login of the company)"
	out := map[string]situation{}

	out["clean"] = situation{judged(finding.Clean, 0, fine(4)), options(passes)}
	out["nothing declared"] = situation{judged(finding.Clean, 0, nil), options(passes)}

	memory := target("memory", 5, finding.Drifted)
	drifted := []finding.Finding{reworded(memory, "search_nodes", `"Search for nodes in the knowledge graph"`, `"Search for nodes in the knowledge graph\nby name or observation"`),
		differing(memory, "surface/tool-added", finding.Warning, finding.ChangeItem{Event: "added", List: "tools", Item: "count_nodes", New: `{"name": "count_nodes", "description": "Counts the nodes."}`})}
	out["drift"] = situation{judged(finding.Drift, 3, append(fine(2), memory), drifted...), options(passes)}

	everything, findings := powerful()
	seen := target("seen", 40, finding.Verified)
	seen.Sandbox = finding.Sandbox{Profile: "full", Hosts: []string{"collect.example.com:443"}, Decoys: []string{}, Wrote: []string{}}
	moved := append(findings, drifted...)
	other := differing(seen, "surface/description-changed-minor", finding.Warning, finding.ChangeItem{Event: "description-changed", List: "tools", Item: "look", Path: "description", Old: `"Looks."`, New: `"Looks twice."`}).As(finding.Clean)
	other.Cause = finding.Upstream
	out["escalation waiting"] = situation{judged(finding.Escalation, 4, append(fine(3), everything, memory, seen, waived), append(moved, other)...), options(byReview)}

	granted := judged(finding.Escalation, 4, append(fine(3), everything), findings...)
	granted.Approved, granted.ApprovedBy = true, []string{"octocat", "hubot-of-old"}
	out["approved"] = situation{granted, options(approved)}
	owners := options(passes)
	owners.Approval = report.ByCodeOwners
	out["code owners"] = situation{judged(finding.Escalation, 4, append(fine(3), everything), findings...), owners}
	out["no words quoted"] = situation{judged(finding.Escalation, 4, append(fine(3), everything, seen), append(findings, other)...), options(byReview, noWords)}

	var first []finding.Target
	var news []finding.Finding
	for i, name := range []string{"filesystem", "github", "memory"} {
		t := unstarted(name, 3+6*i, finding.Escalated)
		t.Tools, t.Capabilities.Approved = 9+i, [][]string{{"fs.read", "fs.write"}, {"service.write", "send"}, {"pure"}}[i]
		first, news = append(first, t), append(news, about(t, "launch/new", finding.Error, `"`+name+`" is new: its launch was not approved before`))
	}
	out["adoption"] = situation{judged(finding.Escalation, 4, first, news...), options(adopts, byReview)}

	stray := unstarted("weather", 14, finding.StatusRefused)
	stray.Reason, stray.Launch = "not sealed", "sha256:"+strings.Repeat("0a1b", 16)
	unsealed := about(stray, "launch/not-sealed", finding.Error, `"weather" is declared, and no lock covers it: nothing was started`).As(finding.Refused)
	unsealed.Hint = "toolwarrant seal weather"
	out["refused, not sealed"] = situation{judged(finding.Refused, 6, append(fine(2), stray), unsealed), options()}

	local := unstarted("build", 6, finding.StatusRefused)
	local.Reason = "local-code-changed"
	code := about(local, "launch/local-code-changed", finding.Error, `"build" runs repository code that is not the anchor's: tools/build.js, tools/lib/a.js`).As(finding.Refused)
	out["local code changed"] = situation{judged(finding.Refused, 6, []finding.Target{local}, code), options(byReview)}

	stale := unstarted("github", 9, finding.Escalated)
	moved2 := about(stale, "launch/changed", finding.Error, `"github" is launched otherwise than its lock says: argv[2] was "a@1", is "b@1"`)
	moved2.Hint = "toolwarrant seal github shows the difference and asks"
	edited := finding.New("lock/edited", finding.Error, finding.At(".toolwarrant/servers/notes.lock.json", 40, 5), `the lock of "notes" is not what the server declares: tool "run_command"`)
	notes := target("notes", 3, finding.Escalated)
	notes.Launch = "sha256:" + strings.Repeat("9c8d", 16)
	edited.Target, edited.Related = "notes", []finding.Location{notes.Location}
	out["stale and edited locks"] = situation{judged(finding.Escalation, 4, []finding.Target{notes, stale}, moved2, edited), options()}

	slow := target("postgres", 18, finding.StatusUndetermined)
	slow.Reason = "died: it exited with code 1 before it answered: connection refused"
	broken := finding.New("check/undetermined", finding.Error, finding.At(".cursor/mcp.json", 3, 1), "it is not JSON").As(finding.Undetermined)
	out["undetermined"] = situation{judged(finding.Undetermined, 5, append(fine(2), slow), about(slow, "check/undetermined", finding.Error, `"postgres" could not be judged: died`).As(finding.Undetermined), broken), options()}

	out["waived"] = situation{judged(finding.Clean, 0, append(fine(4), waived)), options(passes)}
	out["upstream only"] = situation{judged(finding.Clean, 0, append(fine(3), seen), other), options(passes)}

	plug := unstarted("review-helper", 1, finding.Escalated)
	plug.Kind, plug.Tools, plug.Location = "plugin", 0, finding.At(".claude-plugin/marketplace.json", 12, 7)
	hook := differing(plug, "plugin/executes", finding.Error, finding.ChangeItem{Event: "added", List: "hooks", Item: "PreToolUse ./scripts/check.sh"})
	skill := differing(plug, "plugin/skill-changed", finding.Warning, finding.ChangeItem{Event: "description-changed", List: "skills", Item: "review", Path: "SKILL.md", Old: `"Reviews a change."`, New: `"Reviews a change.\nAlways run scripts/check.sh first."`})
	out["plugin"] = situation{judged(finding.Escalation, 4, append(fine(1), plug), hook, skill), options(byReview)}

	gate := finding.New("policy/gate-changed", finding.Error, finding.At(".toolwarrant/policy.yaml", 2, 1), "fail-on goes from undetermined to never")
	out["gate changed"] = situation{judged(finding.Escalation, 4, fine(2), gate), options(byReview)}

	out["hostile text"] = venomous()
	out["too long"] = endless()
	return out
}

const venom = "`a` ``b`` </details> --> @all #1 [x](https://evil.example) <img src=x> **b** | ~~~\n```\n# h\n\u202e\u200b::error::"

// venomous has active text wherever a change can put it.
func venomous() situation {
	o := options(byReview)
	o.Branch, o.Path, o.Category = venom, venom, venom
	r := speaking(venom)
	r.Approved, r.ApprovedBy = false, []string{venom}
	r.Anchor = finding.Anchor{Kind: venom, Commit: venom}
	t := &r.Targets[0]
	t.Launch, t.Sandbox = venom, finding.Sandbox{Profile: venom, Hosts: []string{venom}, Decoys: []string{venom}, Wrote: []string{venom}}
	t.Capabilities = finding.Capabilities{Approved: []string{venom}, Asked: []string{venom}, Observed: []string{venom}}
	f := r.Findings[0]
	gain := *f.Change
	gain.Event, gain.List, gain.Item, gain.Path, gain.Gained = "capability-gained", "tools", venom, venom, []string{venom, "exec"}
	power := f
	power.Rule, power.Change = "surface/capability-gained", &gain
	power.Evidence = []finding.Evidence{{Path: venom, Signal: venom, Quote: venom}}
	other := f
	other.Rule, other.Change, other.Message = venom, nil, venom
	moved := f
	moved.Rule, moved.Change = "package/new-version", &finding.ChangeItem{Event: "package-version", Old: venom, New: venom}
	moved.Evidence = []finding.Evidence{{Path: "node_modules", Signal: venom, Quote: venom}}
	r.Findings = append(r.Findings, power, other, moved)
	return situation{r, o}
}

// endless is far more than fits.
func endless() situation {
	var targets []finding.Target
	var findings []finding.Finding
	for i := range 120 {
		t := unstarted(fmt.Sprintf("%03d-%s", i, strings.Repeat("name", 20)), i+1, finding.Escalated)
		t.Location.File = strings.Repeat("folder/", 40) + ".mcp.json"
		t.Sandbox.Hosts = []string{strings.Repeat("h", 200) + ".example:443"}
		targets = append(targets, t)
		for j := range 8 {
			old := fmt.Sprintf("%q", strings.Repeat(fmt.Sprintf("old %d ", j), 100))
			f := reworded(t, fmt.Sprintf("tool-%d-%s", j, strings.Repeat("x", 100)), old, fmt.Sprintf("%q", strings.Repeat("日本語", 200)))
			findings = append(findings, f)
		}
		p := about(t, "package/not-read", finding.Error, strings.Repeat("m", 500))
		for j := range 40 {
			p.Evidence = append(p.Evidence, finding.Evidence{Path: "node_modules", Signal: "added", Quote: fmt.Sprintf("package-%d-%d-%s 1.0.0", i, j, strings.Repeat("p", 80))})
		}
		findings = append(findings, p)
	}
	return situation{judged(finding.Escalation, 4, targets, findings...), options(byReview)}
}

func TestCommentGoldens(t *testing.T) {
	for name, s := range situations() {
		t.Run(name, func(t *testing.T) {
			got := report.Comment(s.report, s.options)
			golden(t, filepath.Join("comments", strings.NewReplacer(" ", "-", ",", "").Replace(name)+".md"), got)
			if again := report.Comment(s.report, s.options); again != got {
				t.Error("the same report is another comment the second time")
			}
			wantHarmless(t, got)
		})
	}
}

// TestCommentFits: whatever a report holds, the comment can be posted, and says
// that it left something out.
func TestCommentFits(t *testing.T) {
	s := endless()
	got := report.Comment(s.report, s.options)
	if n := len(utf16.Encode([]rune(got))); n > report.CommentLimit {
		t.Errorf("%d characters", n)
	}
	if !strings.Contains(got, "Some detail is left out") {
		t.Error("it does not say that it leaves something out")
	}
	if fine := report.Comment(situations()["drift"].report, options()); strings.Contains(fine, "left out") {
		t.Error("a short comment says that it leaves something out")
	}
}

// TestCommentMarker: a comment can be found again, and told whether it is current.
func TestCommentMarker(t *testing.T) {
	s := situations()["drift"]
	a, ok := report.ParseMarker(report.Comment(s.report, s.options))
	if !ok || a.Head != headCommit || a.Key != report.MarkerKey("", "toolwarrant") {
		t.Fatalf("marker %+v, %v", a, ok)
	}
	s.options.Head = baseCommit
	if b, _ := report.ParseMarker(report.Comment(s.report, s.options)); b.Digest != a.Digest || b.Head != baseCommit {
		t.Errorf("the same words about another commit: %+v", b)
	}
	s.options.Category = "other"
	if b, _ := report.ParseMarker(report.Comment(s.report, s.options)); b.Key == a.Key {
		t.Error("two categories have one key")
	}
	if report.MarkerKey("a", "b") == report.MarkerKey("", "ab") {
		t.Error("two folders have one key")
	}
	quiet := situations()["clean"]
	if b, _ := report.ParseMarker(report.Comment(quiet.report, quiet.options)); b.Digest == a.Digest || b.Key != a.Key {
		t.Errorf("other words about the same pull request: %+v", b)
	}
	for _, text := range []string{"", "x", " " + a.String(), a.String() + "x", "> " + a.String(), strings.Replace(a.String(), ":1 ", ":2 ", 1)} {
		if _, ok := report.ParseMarker(text); ok {
			t.Errorf("%q starts with a marker", text)
		}
	}
	if b, ok := report.ParseMarker(a.String() + "\r\nrest"); !ok || b != a {
		t.Error("the line endings that GitHub gives back hide the marker")
	}
}

// TestCommentVerdict: the first line that shows is the verdict, in words.
func TestCommentVerdict(t *testing.T) {
	all := situations()
	for name, want := range map[string]string{
		"clean":                  "✔ **Clean**: 4 verified; this pull request changes nothing.",
		"nothing declared":       "✔ **Clean**: nothing that an agent may call is declared here.",
		"drift":                  "**Changed: `memory` changed, without a new dangerous power** (does not block)",
		"escalation waiting":     "**Blocked: `everything` can now read credentials** (waits for approval)",
		"approved":               "**Approved: `everything` can now read credentials** by `octocat`, `hubot-of-old`",
		"code owners":            "**Changed: `everything` can now read credentials** (waits for a code owner)",
		"adoption":               "**First locks: please review** (waits for approval)",
		"refused, not sealed":    "**Blocked: `weather` has no lock**",
		"local code changed":     "**Blocked: `build` runs code that this pull request changes** (waits for approval)",
		"stale and edited locks": "**Blocked: `github` is started by another command, and 1 more**",
		"undetermined":           "**Blocked: `postgres` could not be read, and 1 more**",
		"waived":                 "✔ **Clean**: 4 verified, 1 waived: not read; this pull request changes nothing.",
		"upstream only":          "✔ **Clean**: 4 verified, 1 not caused by this pull request; this pull request changes nothing.",
		"gate changed":           "**Blocked: this pull request changes what judges it** (waits for approval)",
	} {
		lines := strings.Split(report.Comment(all[name].report, all[name].options), "\n")
		if len(lines) < 2 || lines[1] != want {
			t.Errorf("%s: %q, want %q", name, lines[1], want)
		}
	}
}

// TestCommentFirstScreen: above the first fold nothing is wider than a phone
// shows in a few rows, and there is no table, picture or heading.
func TestCommentFirstScreen(t *testing.T) {
	for name, s := range situations() {
		if name == "hostile text" || name == "too long" {
			continue
		}
		top, _, _ := strings.Cut(report.Comment(s.report, s.options), "<details>")
		for i, l := range strings.Split(top, "\n") {
			if n := len([]rune(l)); i > 0 && n > 160 {
				t.Errorf("%s: a line of %d characters: %s", name, n, l)
			}
			if strings.HasPrefix(l, "|") || strings.HasPrefix(l, "#") || strings.Contains(l, "![") {
				t.Errorf("%s: %s", name, l)
			}
		}
	}
}

// TestCommentNoWords: nothing that a server says, or names, is in it.
func TestCommentNoWords(t *testing.T) {
	const word = "wormwood"
	s := venomous()
	s.report = serverSays(word)
	if plain := report.Comment(s.report, options(byReview)); !strings.Contains(plain, word) {
		t.Fatal("the words do not come out either way")
	}
	if got := report.Comment(s.report, options(byReview, noWords)); strings.Contains(got, word) {
		t.Errorf("it quotes the server:\n%s", got)
	}
}

// serverSays is a report in which everything that comes from a server is one
// word.
func serverSays(word string) finding.Report {
	t := target("notes", 3, finding.Escalated)
	t.Sandbox = finding.Sandbox{Profile: "full", Hosts: []string{word}, Decoys: []string{word}, Wrote: []string{word}}
	unread := target("slow", 9, finding.StatusUndetermined)
	unread.Reason = "died: " + word
	var list []finding.Finding
	for _, event := range []string{"added", "removed", "renamed", "description-changed", "parameter-text-changed", "instructions-changed", "title-changed", "parameter-added",
		"capability-gained", "schema-changed", "package-version", "unheard-of"} {
		f := differing(t, "surface/x", finding.Error, finding.ChangeItem{Event: event, List: "tools", Item: word, Path: word, Old: word, New: word})
		f.Message = word
		powers := f
		powers.Change = &finding.ChangeItem{Event: event, List: "tools", Item: word, Gained: []string{"exec", word}}
		powers.Evidence = []finding.Evidence{{Path: word, Signal: "a verb", Quote: word}}
		list = append(list, f, powers)
	}
	bare := about(t, "text/concealment", finding.Error, word)
	failed := about(unread, "check/undetermined", finding.Error, word).As(finding.Undetermined)
	loose := finding.New("check/undetermined", finding.Error, finding.At("x.json", 1, 1), word).As(finding.Undetermined)
	up := about(t, "surface/y", finding.Error, word).As(finding.Clean)
	up.Cause = finding.Upstream
	return judged(finding.Escalation, 4, []finding.Target{t, unread}, append(list, bare, failed, loose, up)...)
}

// TestCommentCommands: a command to copy names a digest and no target.
func TestCommentCommands(t *testing.T) {
	for name, s := range situations() {
		for _, l := range commandLines(report.Comment(s.report, s.options)) {
			if !regexp.MustCompile(`^toolwarrant seal sha256:[0-9a-f]{12}$`).MatchString(l) {
				t.Errorf("%s: %q", name, l)
			}
		}
	}
	s := situations()["stale and edited locks"]
	if got := commandLines(report.Comment(s.report, s.options)); len(got) != 2 {
		t.Errorf("commands %q", got)
	}
}

func commandLines(comment string) []string {
	_, rest, ok := strings.Cut(comment, "```sh\n")
	if !ok {
		return nil
	}
	block, _, _ := strings.Cut(rest, "\n```")
	return strings.Split(block, "\n")
}

// FuzzComment: foreign text stays in code wherever it stands, so that the rest of
// the comment is the same for every text.
func FuzzComment(f *testing.F) {
	for _, s := range []string{"`", "``` ` ``", "~~~", "```\n</details>", "- `", "--> <!--", "\n\n# x", "[a](https://b.example)", "@all #1 <b> &amp; ![x](y)", "a`", "`a", " ` ", "\u202e\u200b", "\r\n```\r\n", "</summary>", venom} {
		f.Add(s)
	}
	want := bare(f, commentOf("x"))
	f.Fuzz(func(t *testing.T, text string) {
		out := commentOf("x" + text)
		if got := bare(t, out); got != want {
			t.Fatalf("foreign text is outside code:\n%s\nin\n%s", cmp.Diff(want, got), out)
		}
		wantHarmless(t, out)
	})
}

// commentOf is the comment on a report with a text everywhere.
func commentOf(text string) string {
	s := venomous()
	swap := strings.NewReplacer(venom, text)
	r := s.report
	for i := range r.Targets {
		t := &r.Targets[i]
		t.Name, t.Reason, t.Location.File, t.Launch = swap.Replace(t.Name), swap.Replace(t.Reason), swap.Replace(t.Location.File), swap.Replace(t.Launch)
		for _, list := range [][]string{t.Sandbox.Hosts, t.Sandbox.Decoys, t.Sandbox.Wrote, t.Capabilities.Approved, t.Capabilities.Asked, t.Capabilities.Observed} {
			for j := range list {
				list[j] = swap.Replace(list[j])
			}
		}
	}
	for i := range r.Findings {
		f := &r.Findings[i]
		f.Rule, f.Target, f.Message, f.Hint, f.Location.File = swap.Replace(f.Rule), swap.Replace(f.Target), swap.Replace(f.Message), swap.Replace(f.Hint), swap.Replace(f.Location.File)
		if f.Change != nil {
			c := *f.Change
			c.List, c.Item, c.Path, c.Old, c.New = swap.Replace(c.List), swap.Replace(c.Item), swap.Replace(c.Path), swap.Replace(c.Old), swap.Replace(c.New)
			f.Change = &c
		}
		for j, e := range f.Evidence {
			f.Evidence[j] = finding.Evidence{Path: swap.Replace(e.Path), Signal: swap.Replace(e.Signal), Quote: swap.Replace(e.Quote)}
		}
	}
	o := s.options
	o.Branch, o.Path, o.Category = text, text, text
	r.ApprovedBy, r.Anchor.Commit = []string{text}, text
	return report.Comment(r, o)
}

// bare is a comment without its code, block or span, and without its marker.
func bare(t testing.TB, comment string) string {
	t.Helper()
	var b strings.Builder
	fence := ""
	for i, line := range strings.Split(comment, "\n") {
		ticks := line[:len(line)-len(strings.TrimLeft(line, "`"))]
		switch {
		case i == 0:
		case fence != "" && line == fence:
			fence = ""
			b.WriteString("END\n")
		case fence != "":
		case len(ticks) >= 3 && (line == ticks+"diff" || line == ticks+"sh"):
			fence = ticks
			b.WriteString("BLOCK\n")
		default:
			b.WriteString(withoutCode(line) + "\n")
		}
	}
	if fence != "" {
		t.Fatalf("a fence is open at the end:\n%s", comment)
	}
	return b.String()
}

// tags are all the HTML that a comment has outside of code.
var tags = regexp.MustCompile(`</?details>|</?summary>`)

// wantHarmless wants a comment in which, code aside, nothing links, mentions,
// shows a picture or opens an element but our folds, which are closed in order.
func wantHarmless(t testing.TB, comment string) {
	t.Helper()
	for _, r := range comment {
		if r != '\n' && !unicode.IsGraphic(r) {
			t.Fatalf("%U does not show", r)
		}
	}
	rest := bare(t, comment)
	if got := strings.Count(rest, "<details><summary>"); got != strings.Count(rest, "</summary>") || got != strings.Count(rest, "\n</details>") {
		t.Fatalf("folds are open:\n%s", rest)
	}
	if rest = tags.ReplaceAllString(rest, ""); strings.ContainsAny(rest, "<>&@#[]!~\\|") || strings.Contains(rest, "://") {
		t.Fatalf("something is active outside of code:\n%s", rest)
	}
}
