package fetch

import (
	"slices"
	"strconv"
	"strings"

	"github.com/Masterminds/semver/v3"
	"github.com/toolwarrant/toolwarrant/internal/pattern"
)

// span is one alternative of a range of npm's: the bounds that all hold. Source:
// node-semver, README, "Ranges" and "Prerelease Tags".
type span []bound

// bound holds a version against another: "<", "<=", ">", ">=" or "=".
type bound struct {
	op string
	v  *semver.Version
}

// parseRange reads alternatives that stand apart by "||".
func parseRange(selector string) (spans []span, ok bool) {
	for _, text := range strings.Split(selector, "||") {
		s, ok := parseSpan(text)
		if !ok {
			return nil, false
		}
		spans = append(spans, s)
	}
	return spans, true
}

var spaced = pattern.Of(`([<>=~^])\s+`)

func parseSpan(text string) (s span, ok bool) {
	words := strings.Fields(spaced.ReplaceAllString(text, "$1"))
	if len(words) == 3 && words[1] == "-" {
		from, ok1 := parsePartial(words[0])
		to, ok2 := parsePartial(words[2])
		return append(from.bounds(">="), to.bounds("<=")...), ok1 && ok2 && from.op+to.op == ""
	}
	for _, w := range words {
		p, ok := parsePartial(w)
		if !ok {
			return nil, false
		}
		s = append(s, p.bounds(p.op)...)
	}
	return s, true
}

// loose is a version of which the last numbers may be missing or signs for any.
type loose struct {
	op      string
	known   int // numbers that are given
	numbers [3]uint64
	pre     string
}

var partialText = pattern.Of(`^(~>|[<>]=?|[~^=])?[v=]?(0|[1-9][0-9]{0,15}|[xX*])(?:\.(0|[1-9][0-9]{0,15}|[xX*])(?:\.(0|[1-9][0-9]{0,15}|[xX*])(?:-([0-9A-Za-z.-]+))?(?:\+[0-9A-Za-z.-]+)?)?)?$`)

func parsePartial(word string) (p loose, ok bool) {
	m := partialText.FindStringSubmatch(word)
	if m == nil {
		return p, false
	}
	switch p.op = m[1]; p.op {
	case "~>":
		p.op = "~"
	case "=":
		p.op = ""
	}
	any := false
	for i, text := range m[2:5] {
		n, err := strconv.ParseUint(text, 10, 64)
		switch {
		case err != nil: // missing, or a sign for any
			any = true
			continue
		case any:
			return p, false // "1.*.3"
		}
		p.numbers[i], p.known = n, i+1
	}
	p.pre = m[5]
	return p, p.pre == "" || p.known == 3
}

// version is the lowest one, with a prerelease where it has one.
func (p loose) version(pre string) *semver.Version {
	return semver.New(p.numbers[0], p.numbers[1], p.numbers[2], pre, "")
}

// next is the version behind all that agree with p in their first n numbers.
func (p loose) next(n int) loose {
	p.numbers[n-1]++
	clear(p.numbers[n:])
	return p
}

// below is the bound beneath next, and beneath its prereleases.
func (p loose) below(n int) bound { return bound{"<", p.next(n).version("0")} }

// bounds are what an operator says with p.
func (p loose) bounds(op string) span {
	from := bound{">=", p.version(p.pre)}
	switch {
	case p.known == 0 && (op == "<" || op == ">"):
		return span{{"<", semver.New(0, 0, 0, "0", "")}} // none
	case p.known == 0:
		return nil
	case op == "~":
		return span{from, p.below(min(p.known, 2))}
	case op == "^":
		return span{from, p.below(p.caret())}
	case p.known == 3 && op == "":
		return span{{"=", p.version(p.pre)}}
	case p.known == 3:
		return span{{op, p.version(p.pre)}}
	case op == ">":
		return span{{">=", p.next(p.known).version("")}}
	case op == "<":
		return span{{"<", p.version("0")}}
	case op == "<=":
		return span{p.below(p.known)}
	case op == ">=":
		return span{from}
	}
	return span{from, p.below(p.known)}
}

// caret is how many numbers stay: up to the first that is not zero.
func (p loose) caret() int {
	for i := range p.known {
		if p.numbers[i] != 0 {
			return i + 1
		}
	}
	return p.known
}

// holds reports whether a version lies in the span. One with a prerelease does so
// only where a bound has a prerelease of the same version.
func (s span) holds(v *semver.Version) bool {
	for _, b := range s {
		if !b.holds(v) {
			return false
		}
	}
	return v.Prerelease() == "" || slices.ContainsFunc(s, func(b bound) bool {
		return b.v.Prerelease() != "" && b.v.Major() == v.Major() && b.v.Minor() == v.Minor() && b.v.Patch() == v.Patch()
	})
}

func (b bound) holds(v *semver.Version) bool {
	switch c := v.Compare(b.v); b.op {
	case "<":
		return c < 0
	case "<=":
		return c <= 0
	case ">":
		return c > 0
	case ">=":
		return c >= 0
	default:
		return c == 0
	}
}
