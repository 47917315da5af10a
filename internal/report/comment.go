package report

import (
	"fmt"
	"strings"
	"unicode/utf16"

	"github.com/toolwarrant/toolwarrant/finding"
)

// Approval says what an approval would do for a pull request. The zero value: it
// would do nothing, because nothing fails or because nobody can approve this.
type Approval int

// The answers.
const (
	NoApproval    Approval = iota
	ByReview               // it waits for a review that its author cannot give
	ByCodeOwners           // branch protection waits for a code owner; the job does not
	ApprovalGiven          // the report names who gave it
)

// CommentOptions are what a comment says beside the report.
type CommentOptions struct {
	Path     string // the folder that the run covers; empty for the whole repository
	Category string // keeps the comments of several runs on one pull request apart
	Head     string // the commit that was judged, in hex
	Branch   string // of the anchor; may be empty
	Adoption bool   // the anchor has no lock and no policy at all
	Fails    bool   // the job fails
	Approval Approval
	NoWords  bool // quote nothing that a server says or names
}

// CommentLimit is the most that a comment holds, in UTF-16 code units: GitHub
// takes 65,536 characters, and none of them has fewer units than characters.
const CommentLimit = 65536

// Comment is a report as the one comment on a pull request, in GitHub Flavored
// Markdown. After an invisible marker it starts with the verdict in one
// sentence; a phone shows the verdict, the counts and each changed target
// without a table or a long line; what is longer is folded; last stands what to
// do.
//
// Whatever is no fixed word of ours stands in code that it cannot close.
//
// A comment that would be longer than [CommentLimit] is written with less
// detail, as [steps] lists it, and says what it leaves out.
func Comment(r finding.Report, o CommentOptions) string {
	body := ""
	for _, keep := range steps {
		c := &comment{r: r, o: o, keep: keep}
		c.write()
		body = c.b.String()
		if units(body) <= CommentLimit-markerRoom {
			break
		}
	}
	return markerOf(o, body).String() + "\n" + body
}

func units(text string) int { return len(utf16.Encode([]rune(text))) }

// keep is how many of each a comment shows.
type keep struct {
	words, packages, hosts, unread, aside int
	lines                                 int // of one target
	targets                               int
}

// steps are tried in this order: first fewer of the servers' words, then fewer
// packages, then fewer of what does not count, last fewer lines and targets. The
// last one fits whatever the report holds.
var steps = []keep{
	{words: 100, packages: 300, hosts: 100, unread: 100, aside: 50, lines: 5, targets: 20},
	{words: 20, packages: 300, hosts: 100, unread: 100, aside: 50, lines: 5, targets: 20},
	{words: 0, packages: 300, hosts: 100, unread: 100, aside: 50, lines: 5, targets: 20},
	{words: 0, packages: 20, hosts: 20, unread: 100, aside: 50, lines: 5, targets: 20},
	{words: 0, packages: 0, hosts: 0, unread: 10, aside: 0, lines: 3, targets: 20},
	{words: 0, packages: 0, hosts: 0, unread: 5, aside: 0, lines: 1, targets: 10},
}

// comment is one that is being written.
type comment struct {
	r    finding.Report
	o    CommentOptions
	keep keep
	b    strings.Builder
	less bool // something was left out
}

func (c *comment) line(format string, args ...any) { fmt.Fprintf(&c.b, format+"\n", args...) }

func (c *comment) write() {
	c.line("%s", c.verdict())
	if c.quiet() {
		return
	}
	if c.r.Outcome != finding.Clean {
		c.line("%s", strings.Join(c.counts(), " · "))
	}
	c.targets()
	c.files()
	c.inFull()
	c.words()
	c.packages()
	c.sightings()
	c.unread()
	c.aside()
	c.todo()
	c.judged()
}

// quiet reports whether the verdict line says it all.
func (c *comment) quiet() bool {
	return c.r.Outcome == finding.Clean && len(c.upstream()) == 0 && len(c.waived()) == 0
}

// counts are those of the targets, and of what the change did not cause.
func (c *comment) counts() []string {
	out := tallies(c.r)
	if n := len(c.upstream()); n > 0 {
		out = append(out, fmt.Sprintf("%d not caused by this pull request", n))
	}
	return out
}

// counting are the findings that make the outcome, of one target or, without a
// name, of none.
func (c *comment) counting(of func(finding.Finding) bool) []finding.Finding {
	var out []finding.Finding
	for _, f := range c.r.Findings {
		if counts(f) && of(f) {
			out = append(out, f)
		}
	}
	return out
}

func counts(f finding.Finding) bool { return !f.Known && f.Outcome != finding.Clean }

func (c *comment) upstream() []finding.Finding {
	var out []finding.Finding
	for _, f := range c.r.Findings {
		if upstream(f) && !f.Known {
			out = append(out, f)
		}
	}
	return out
}

func (c *comment) waived() []finding.Target {
	var out []finding.Target
	for _, t := range c.r.Targets {
		if t.Status == finding.Waived {
			out = append(out, t)
		}
	}
	return out
}

// fold hides lines behind a title of ours. GitHub reads markdown again after an
// empty line.
func (c *comment) fold(title string, lines []string) {
	if len(lines) == 0 {
		return
	}
	c.line("\n<details><summary>%s</summary>", title)
	if lines[0] != "" {
		c.line("")
	}
	for _, l := range lines {
		c.line("%s", l)
	}
	c.line("\n</details>")
}

// first keeps n of a list and says how many are left out.
func first[T any](c *comment, n int, list []T, show func(T) []string) []string {
	var out []string
	for _, x := range list[:min(n, len(list))] {
		out = append(out, show(x)...)
	}
	if left := len(list) - n; left > 0 {
		c.less = true
		out = append(out, fmt.Sprintf("- and %d more, left out to keep this short", left))
	}
	return out
}
