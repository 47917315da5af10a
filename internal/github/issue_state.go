package github

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/toolwarrant/toolwarrant/internal/pattern"
)

// issueState is the first line of the issue: what the runs before this one saw.
// No reader sees it.
type issueState struct {
	key   string // which issue this is
	run   Run
	open  bool     // this program left it open
	clean int      // runs in a row that saw nothing
	body  string   // digest of what follows
	seen  []string // digests of what the last run saw
}

// mostSeen is how many digests are kept.
const mostSeen = 200

func (s issueState) String() string {
	return fmt.Sprintf("<!-- toolwarrant-issue:1 key=%s id=%d attempt=%d open=%t clean=%d body=%s seen=%s -->",
		s.key, s.run.ID, s.run.Attempt, s.open, s.clean, s.body, strings.Join(s.seen, ","))
}

var stateLine = pattern.Of(`^<!-- toolwarrant-issue:1 key=([0-9a-f]{32}) id=([0-9]{1,18}) attempt=([0-9]{1,9}) open=(true|false) clean=([0-9]) body=([0-9a-f]{16}) seen=((?:[0-9a-f]{16},)*[0-9a-f]{16}|) -->$`)

// parseIssueState reads the first line of an issue; ok is false where it is none.
func parseIssueState(body string) (s issueState, ok bool) {
	line, _, _ := strings.Cut(body, "\n")
	p := stateLine.FindStringSubmatch(strings.TrimSuffix(line, "\r"))
	if p == nil {
		return s, false
	}
	s.key, s.open, s.body = p[1], p[4] == "true", p[6]
	s.run.ID, _ = strconv.ParseInt(p[2], 10, 64)
	s.run.Attempt, _ = strconv.Atoi(p[3])
	s.clean, _ = strconv.Atoi(p[5])
	if p[7] != "" {
		s.seen = strings.Split(p[7], ",")
	}
	return s, len(s.seen) <= mostSeen
}

// digests are those of things, in order and once each.
func digests(things []string) []string {
	out := []string{}
	for _, t := range things {
		out = append(out, digest(t))
	}
	slices.Sort(out)
	out = slices.Compact(out)
	return out[:min(len(out), mostSeen)]
}

func digest(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:8])
}

// shares reports whether two lists have something in common.
func shares(a, b []string) bool {
	return slices.ContainsFunc(a, func(x string) bool { return slices.Contains(b, x) })
}

// within reports whether b has all of a.
func within(a, b []string) bool {
	return !slices.ContainsFunc(a, func(x string) bool { return !slices.Contains(b, x) })
}
