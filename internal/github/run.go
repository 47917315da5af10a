package github

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"github.com/toolwarrant/toolwarrant/finding"
	"github.com/toolwarrant/toolwarrant/internal/pattern"
)

// Run is a run of a workflow, as GITHUB_RUN_ID and GITHUB_RUN_ATTEMPT name it.
// Ids grow over all workflows of a repository.
type Run struct {
	ID      int64
	Attempt int
}

// after reports whether a run began after another.
func (r Run) after(q Run) bool {
	return cmp.Or(cmp.Compare(r.ID, q.ID), cmp.Compare(r.Attempt, q.Attempt)) > 0
}

// said is the second line of a comment: who wrote it last, and what the verdict
// was. No reader sees it.
type said struct {
	run     Run
	verdict finding.Outcome
}

func (s said) String() string {
	return fmt.Sprintf("<!-- toolwarrant-run:1 id=%d attempt=%d verdict=%s -->", s.run.ID, s.run.Attempt, s.verdict)
}

var saidLine = pattern.Of(`^<!-- toolwarrant-run:1 id=([0-9]{1,18}) attempt=([0-9]{1,9}) verdict=([a-z]{1,20}) -->\r?$`)

// parseSaid reads the second line; without one the comment is older than every run.
func parseSaid(body string) (s said) {
	_, rest, _ := strings.Cut(body, "\n")
	line, _, _ := strings.Cut(rest, "\n")
	parts := saidLine.FindStringSubmatch(line)
	if parts == nil {
		return s
	}
	s.run.ID, _ = strconv.ParseInt(parts[1], 10, 64)
	s.run.Attempt, _ = strconv.Atoi(parts[2])
	if s.verdict.UnmarshalText([]byte(parts[3])) != nil {
		return said{}
	}
	return s
}

// sign puts the second line into a body that begins with a marker.
func (s said) sign(body string) string {
	marker, rest, _ := strings.Cut(body, "\n")
	return marker + "\n" + s.String() + "\n" + rest
}
