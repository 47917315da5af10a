package manifest

import (
	"fmt"
	"strings"
	"unicode"

	"github.com/toolwarrant/toolwarrant/finding"
	"github.com/toolwarrant/toolwarrant/internal/pattern"
	"github.com/toolwarrant/toolwarrant/internal/secret"
)

// addressForm is RFC 3986, appendix B, without what JavaScript's URL reads more
// kindly: a backslash, a control character or a space makes it mean one thing to
// one host and another to the next.
var addressForm = pattern.Of(`^([A-Za-z][A-Za-z0-9+.-]*)://([^/?#]*)[^?#]*(\?[^#]*)?(#.*)?$`)

var loopback = pattern.Of(`^(?:localhost|[a-z0-9.-]+\.localhost|127(?:\.[0-9]{1,3}){3}|\[::1\])(?::[0-9]*)?$`)

// judgeURL checks an address as far as it stands in the file: the value of a
// reference in it is not known, its default is.
func (r *entryReader) judgeURL(n *node) {
	refs, _ := secret.References(n.text)
	own := secret.Own(n.text)
	if strings.ContainsFunc(own, func(c rune) bool { return c == '\\' || unicode.IsControl(c) || unicode.IsSpace(c) }) {
		r.fail(n.at, "the address holds a space, backslash or control character, which hosts read differently", "write it without")
		return
	}
	m := addressForm.FindStringSubmatch(own)
	if m == nil {
		if len(refs) == 0 {
			r.fail(n.at, "the address is none: it has no scheme and host", "write it as https://HOST/PATH")
		}
		return
	}
	scheme := strings.ToLower(m[1])
	switch scheme {
	case "http", "https", "ws", "wss":
	default:
		r.fail(n.at, "the address is none of http or websocket", "write it as https://HOST/PATH")
		return
	}
	r.insecure(n, scheme, m[2], m[4], len(refs) > 0)
}

func (r *entryReader) insecure(n *node, scheme, authority, fragment string, open bool) {
	var why []string
	at := strings.LastIndexByte(authority, '@')
	host := strings.ToLower(authority[at+1:])
	unknown := open && strings.Trim(host, ":0123456789") == ""
	if (scheme == "http" || scheme == "ws") && !unknown && !loopback.MatchString(host) {
		why = append(why, "it is not encrypted and not on loopback")
	}
	if at >= 0 {
		why = append(why, "it holds user information")
	}
	if fragment != "" {
		why = append(why, "it holds a fragment")
	}
	if len(why) == 0 {
		return
	}
	f := finding.New("launch/insecure-url", finding.Error, n.at, fmt.Sprintf("the address is unsafe: %s", strings.Join(why, "; ")))
	f.Hint = "use https, and a header that refers to a variable for credentials"
	r.note(f)
}
