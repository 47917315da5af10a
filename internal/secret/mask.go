package secret

import (
	"slices"
	"strings"
)

// Mark stands in a masked text where a secret part was left out.
const Mark = "***"

// MaxText is the most bytes of a text that [Mask] looks into. A longer one is left
// out as a whole, and so is one with more than maxParts different secrets.
const (
	MaxText  = 64 << 10
	maxParts = 64
)

// Mask returns text without its secret parts, each replaced by [Mark], and the
// number of bytes left out: zero when nothing in it looks secret. Known are the
// shapes of tokens and keys, credentials in an address, and values that stand
// behind a secret's name in a query, a flag, an assignment, a header or JSON.
// References and placeholders are not secret; the default in ${X:-default} is
// read like other text. A part that is secret once is left out everywhere.
func Mask(text string) (shown string, hidden int) {
	if len(text) > MaxText {
		return Mark, len(text)
	}
	spans := spread(text, find(text))
	var b strings.Builder
	last := 0
	for _, s := range spans {
		b.WriteString(text[last:s.start])
		b.WriteString(Mark)
		hidden += s.end - s.start
		last = s.end
	}
	b.WriteString(text[last:])
	return b.String(), hidden
}

// LooksSecret reports whether value, bound to name, is a credential that stands
// there in clear: value has text of its own that either has a credential's shape
// or stands under a secret's name and is neither a placeholder nor plainly
// something else.
func LooksSecret(name, value string) bool {
	if _, hidden := Mask(value); hidden > 0 {
		return true
	}
	return NameLooksSecret(name) && credible(value)
}

// credible reports whether a value under a secret's name may be that secret.
func credible(value string) bool {
	rest := strings.TrimSpace(Own(value))
	if scheme, cred, ok := strings.Cut(rest, " "); ok && slices.Contains(schemes, strings.ToLower(scheme)) {
		rest = strings.TrimSpace(cred)
	} else if slices.Contains(schemes, strings.ToLower(rest)) {
		return false
	}
	return rest != "" && !placeholder(rest) && !inert(rest)
}

// schemes are the words of an Authorization header before the credential.
var schemes = []string{"bearer", "basic", "token", "apikey", "digest"}

// span is a part of a text, in bytes.
type span struct{ start, end int }

// spread extends spans to every other occurrence of the same bytes, sorts and
// joins them.
func spread(text string, spans []span) []span {
	parts := map[string]bool{}
	for _, s := range spans {
		parts[text[s.start:s.end]] = true
	}
	if len(parts) > maxParts {
		return []span{{0, len(text)}}
	}
	for p := range parts {
		if len(p) >= 6 {
			spans = append(spans, occurrences(text, p)...)
		}
	}
	return merge(spans)
}

func occurrences(text, part string) []span {
	var out []span
	for from := 0; ; {
		i := strings.Index(text[from:], part)
		if i < 0 {
			return out
		}
		out = append(out, span{from + i, from + i + len(part)})
		from += i + 1
	}
}

func merge(spans []span) []span {
	slices.SortFunc(spans, func(a, b span) int { return a.start - b.start })
	var out []span
	for _, s := range spans {
		if n := len(out); n > 0 && s.start <= out[n-1].end {
			out[n-1].end = max(out[n-1].end, s.end)
			continue
		}
		out = append(out, s)
	}
	return out
}
