package secret

import (
	"encoding/base64"
	"strings"
	"unicode/utf8"

	"github.com/toolwarrant/toolwarrant/internal/pattern"
)

// tokens are the shapes that issuers publish for their credentials, so that
// scanners can find them: GitHub, GitLab, OpenAI and Anthropic (sk-), Stripe,
// Slack, AWS, Google, npm, Supabase, Neon, Figma, Notion, Hugging Face, Groq,
// Perplexity, Tavily, Linear, Atlassian, SendGrid, DigitalOcean, Docker,
// Context7, PyPI, a JSON Web Token (RFC 7519) and a PEM key (RFC 7468).
var tokens = pattern.Of(`(?:\b|_)(?:` + strings.Join([]string{
	`gh[pousr]_[A-Za-z0-9_]{16,}`,
	`github_pat_[A-Za-z0-9_]{20,}`,
	`gl(?:pat|ptt|dt|rt|soat|ft|imt|agent|cbt|oas)-[A-Za-z0-9_.-]{16,}`,
	`(?:ctx7)?sk-[A-Za-z0-9_-]{16,}`,
	`[rs]k_(?:live|test)_[A-Za-z0-9]{16,}`,
	`xox[abeoprs]-[A-Za-z0-9-]{10,}`,
	`xapp-[A-Za-z0-9-]{10,}`,
	`(?:AKIA|ASIA)[A-Z0-9]{16}\b`,
	`AIza[A-Za-z0-9_-]{30,}`,
	`ya29\.[A-Za-z0-9_-]{20,}`,
	`npm_[A-Za-z0-9]{30,}`,
	`sbp_[A-Za-z0-9]{30,}`,
	`napi_[A-Za-z0-9]{30,}`,
	`figd_[A-Za-z0-9_-]{30,}`,
	`ntn_[A-Za-z0-9]{30,}`,
	`hf_[A-Za-z0-9]{30,}`,
	`gsk_[A-Za-z0-9]{30,}`,
	`pplx-[A-Za-z0-9]{30,}`,
	`tvly-[A-Za-z0-9-]{20,}`,
	`lin_api_[A-Za-z0-9]{30,}`,
	`ATATT3[A-Za-z0-9_=-]{30,}`,
	`SG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}`,
	`do[opr]_v1_[a-f0-9]{40,}`,
	`dckr_pat_[A-Za-z0-9_-]{20,}`,
	`pypi-[A-Za-z0-9_-]{40,}`,
	`eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]*)*`,
}, "|") + `)`)

var pem = pattern.Of(`(?s)-----BEGIN [A-Z ]*PRIVATE KEY-----.*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)`)

var (
	// bearer is RFC 6750's b64token; basic is RFC 7617's, checked by decoding.
	bearer = pattern.Of(`(?i)\bbearer\s+([A-Za-z0-9._~+/=-]{8,})`)
	basic  = pattern.Of(`(?i)\bbasic\s+([A-Za-z0-9+/_-]{6,}={0,2})`)
	// userinfo is the part of an address before the last "@" of its authority.
	userinfo = pattern.Of(`[A-Za-z][A-Za-z0-9+.-]*:[/\\]{2}([^/?#\\\s"'<>]*)@`)
	// wholeFlag and wholeAssignment are an argument of their own: all behind the
	// sign is the value. So is all behind the colon of a header.
	wholeFlag       = pattern.Of(`(?s)^--?([A-Za-z][A-Za-z0-9_.-]*)=(.+)$`)
	wholeAssignment = pattern.Of(`(?s)^([A-Za-z_][A-Za-z0-9_]*)=(.+)$`)
	wholeHeader     = pattern.Of(`(?s)^([A-Za-z][A-Za-z0-9-]*)\s*:\s*(.+)$`)
	// assigned is a value behind a name somewhere in a text: a query parameter, a
	// shell variable, a field of a connection string.
	assigned = pattern.Of(`([A-Za-z][A-Za-z0-9_.-]*)=(?:\\?["']([^"'\\]*)|([^\s"'&;,#\\]+))`)
	// member is a string member of JSON, perhaps escaped once or twice.
	member = pattern.Of(`\\*["']([A-Za-z][A-Za-z0-9_.-]*)\\*["']\s*:\s*\\*["']([^"'\\]+)`)
	// flagged is the value behind a flag inside of a command line.
	flagged = pattern.Of(`(?:^|\s)--?([A-Za-z][A-Za-z0-9_.-]*)\s+["']?([^\s"'-][^\s"']*)`)
)

// find returns the secret parts of text, in no order. A word that is shorter than
// every token and has none of the signs that bind a value to a name is none.
func find(text string) []span {
	if len(text) < 16 && !strings.ContainsAny(text, "=: \t\n") {
		return nil
	}
	var out []span
	if strings.Contains(text, "-----BEGIN") {
		for _, m := range pem.FindAllStringIndex(text, -1) {
			out = append(out, span{m[0], m[1]})
		}
	}
	for _, m := range tokens.FindAllStringIndex(text, -1) {
		if !placeholder(text[m[0]:m[1]]) && mixed(text[m[0]:m[1]]) {
			out = append(out, span{m[0], m[1]})
		}
	}
	out = append(out, credentialsOf(text)...)
	out = append(out, addresses(text)...)
	for _, re := range []*pattern.Pattern{wholeFlag, wholeAssignment, wholeHeader, assigned, member, flagged} {
		out = append(out, named(text, re)...)
	}
	return out
}

// mixed tells a token from words that begin alike, as sk-learn-contrib-tools.
func mixed(s string) bool { return strings.ContainsAny(s, "0123456789") }

// credentialsOf finds what follows the scheme of an Authorization header.
func credentialsOf(text string) []span {
	var out []span
	for _, m := range bearer.FindAllStringSubmatchIndex(text, -1) {
		v := text[m[2]:m[3]]
		if !placeholder(v) && !inert(v) && (mixed(v) || len(v) >= 24) {
			out = append(out, span{m[2], m[3]})
		}
	}
	for _, m := range basic.FindAllStringSubmatchIndex(text, -1) {
		if v := text[m[2]:m[3]]; pair(v) || mixed(v) && len(v) >= 16 {
			out = append(out, span{m[2], m[3]})
		}
	}
	return out
}

// pair reports whether s is base64 of "user:password".
func pair(s string) bool {
	b, err := base64.RawStdEncoding.DecodeString(strings.TrimRight(s, "="))
	return err == nil && utf8.Valid(b) && strings.Contains(string(b), ":")
}

// addresses finds the user information of addresses. A lone user name is one's
// own business except over http, where it is a token.
func addresses(text string) []span {
	var out []span
	if !strings.Contains(text, "@") {
		return nil
	}
	for _, m := range userinfo.FindAllStringSubmatchIndex(text, -1) {
		user, password, ok := strings.Cut(text[m[2]:m[3]], ":")
		rest := strings.TrimSpace(Own(password))
		if !ok {
			rest = ""
			if strings.HasPrefix(strings.ToLower(text[m[0]:]), "http") {
				rest = Own(user)
			}
		}
		if rest != "" && !placeholder(rest) {
			out = append(out, span{m[2], m[3]})
		}
	}
	return out
}

// named finds the values behind a secret's name. A key or signature in a query
// is one too, though the words alone are not.
func named(text string, re *pattern.Pattern) []span {
	var out []span
	for _, m := range re.FindAllStringSubmatchIndex(text, -1) {
		start, end := m[4], m[5]
		if len(m) > 6 && start < 0 {
			start, end = m[6], m[7]
		}
		name := text[m[2]:m[3]]
		if !NameLooksSecret(name) && !(re == assigned && queryKey(text, m[2], name)) {
			continue
		}
		out = append(out, literals(text, start, end)...)
	}
	return out
}

// queryKey reports whether name, at an offset in text, is a query parameter that
// holds a key or a signature.
func queryKey(text string, at int, name string) bool {
	if at == 0 || text[at-1] != '?' && text[at-1] != '&' {
		return false
	}
	switch strings.ToLower(name) {
	case "key", "sig", "signature", "code":
		return true
	}
	return false
}

// literals are the parts of text[start:end] that are no reference, where they
// may be a secret. An authorization scheme in front stays.
func literals(text string, start, end int) []span {
	value := text[start:end]
	if !credible(value) {
		return nil
	}
	var out []span
	for _, p := range pieces(value) {
		for strings.HasPrefix(value[p.start:p.end], " ") {
			p.start++
		}
		if word, _, ok := strings.Cut(value[p.start:p.end], " "); ok && isScheme(word) {
			p.start += len(word) + 1
		}
		if p.end > p.start {
			out = append(out, span{start + p.start, start + p.end})
		}
	}
	return out
}

func isScheme(word string) bool {
	for _, s := range schemes {
		if strings.EqualFold(s, word) {
			return true
		}
	}
	return false
}
