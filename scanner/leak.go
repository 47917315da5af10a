package scanner

import (
	"encoding/base64"
	"encoding/hex"
	"net/url"
	"slices"
	"strings"

	"github.com/toolwarrant/toolwarrant/internal/inspect"
	"github.com/toolwarrant/toolwarrant/internal/secret"
	"github.com/toolwarrant/toolwarrant/internal/surface"
)

// shortest is the length in bytes from which a value is looked for: a shorter
// one stands in honest text by chance.
const shortest = 6

// granted lists the secret values that a start hands to the server: arguments
// that are secret, and variables given with their real value.
func granted(t Target, plan inspect.Environment) []string {
	var out []string
	for _, a := range t.Declared[0].Launch.Argv {
		if a.Secret > 0 {
			out = append(out, secretParts(a.Text.Reveal(), a.Shown)...)
		}
	}
	for _, v := range plan.Given {
		if v.Kind == inspect.Real || v.Kind == inspect.Inherited && (secret.NameLooksSecret(v.Name) || secret.LooksSecret(v.Name, v.Value.Reveal())) {
			out = append(out, v.Value.Reveal())
		}
	}
	out = slices.DeleteFunc(out, func(s string) bool { return len(s) < shortest })
	// longest first, so that a value that holds another is replaced whole
	slices.SortFunc(out, func(a, b string) int { return len(b) - len(a) })
	return slices.Compact(out)
}

// secretParts are the pieces of text that its masked form leaves out.
func secretParts(text, shown string) []string {
	out := []string{text}
	for _, piece := range strings.Split(shown, secret.Mark) {
		before, after, ok := strings.Cut(text, piece)
		if piece == "" || !ok {
			continue
		}
		out = append(out, before)
		text = after
	}
	return append(out, text)
}

// spellings are the forms in which a server may repeat a value.
func spellings(value string) []string {
	reversed := []rune(value)
	slices.Reverse(reversed)
	out := []string{
		value, string(reversed),
		hex.EncodeToString([]byte(value)), strings.ToUpper(hex.EncodeToString([]byte(value))),
		url.QueryEscape(value), url.PathEscape(value),
	}
	for shift := range 3 {
		out = append(out, inBase64(base64.StdEncoding, value, shift), inBase64(base64.URLEncoding, value, shift))
	}
	return slices.DeleteFunc(out, func(s string) bool { return len(s) < shortest })
}

// inBase64 are the characters that stand for a value and nothing else, where so many
// bytes more than a multiple of three come before it.
func inBase64(e *base64.Encoding, value string, shift int) string {
	text := e.EncodeToString([]byte(strings.Repeat("x", shift) + value))
	from := (8*shift + 5) / 6
	to := 8 * (shift + len(value)) / 6
	return text[from:to]
}

// redact takes granted values out of foreign text.
func redact(text string, values []string) string {
	for _, v := range values {
		for _, s := range spellings(v) {
			text = strings.ReplaceAll(text, s, secret.Mark)
		}
	}
	return text
}

// redactAll replaces texts that hold a granted value, also in the lower case of a
// host's name, by one mark; nil stays nil.
func redactAll(list, values []string) []string {
	return maskAll(list, func(text string) bool {
		for _, v := range values {
			for _, s := range spellings(v) {
				if strings.Contains(strings.ToLower(text), strings.ToLower(s)) {
					return false
				}
			}
		}
		return true
	})
}

// repeats reports whether a surface holds a granted value in any spelling:
// texts and names as they read once decoded.
func repeats(s surface.Surface, values []string) bool {
	texts := append(textsIn(s.Server.Capabilities), s.Server.Name, s.Server.Version)
	if s.Instructions != nil {
		texts = append(texts, *s.Instructions)
	}
	for _, list := range s.Lists {
		for _, item := range list.Items {
			texts = append(texts, textsIn(item.Raw)...)
		}
	}
	for _, v := range values {
		for _, spelling := range spellings(v) {
			if slices.ContainsFunc(texts, func(t string) bool { return strings.Contains(t, spelling) }) {
				return true
			}
		}
	}
	return false
}

// withhold redacts every text of a result, ours included, for a name may have
// been put into it, and drops a surface that repeats a value: nothing of it may
// be shown or sealed.
func withhold(r inspect.Result, values []string) inspect.Result {
	if len(values) == 0 {
		return r
	}
	for _, text := range []*string{&r.LastWords, &r.Answer, &r.Detail, &r.Protocol, &r.Era} {
		*text = redact(*text, values)
	}
	for i := range r.Requests {
		r.Requests[i] = redact(r.Requests[i], values)
	}
	r.Seen.Hosts, r.Seen.Wrote = redactAll(r.Seen.Hosts, values), redactAll(r.Seen.Wrote, values)
	if repeats(r.Surface, values) {
		r.Surface = surface.Surface{}
		r.Reason, r.Detail, r.Answer, r.Stage = inspect.Unreadable, "its declaration repeats a secret value that it was given; all of it is withheld", "", "listing"
		return r
	}
	for kind, list := range r.Surface.Lists {
		list.Why = redact(list.Why, values)
		r.Surface.Lists[kind] = list
	}
	return r
}
