package surface

import "strings"

// addressCues finds URLs, mail addresses, IPv4 addresses and bare host names.
func addressCues(s string) []cue {
	var out []cue
	low := lower(s)
	for i := 0; i < len(low); {
		j := i
		for j < len(low) && !strings.ContainsRune(" \t\r\n\"'`<>()[]{},;|*", rune(low[j])) {
			j++
		}
		if h := host(low[i:j]); h != "" && !nobody(h) {
			out = append(out, newCue(OutsideAddress, "names a host", s[i:j], h))
		}
		i = max(j, i) + 1
	}
	return out
}

// host is the host that a token names, in lower case without port, or "".
func host(token string) string {
	if _, rest, ok := strings.Cut(token, "://"); ok {
		return authority(rest)
	}
	token = strings.TrimRight(token, ".:!?")
	if _, domain, ok := strings.Cut(strings.TrimPrefix(token, "mailto:"), "@"); ok {
		return bare(domain)
	}
	return bare(token)
}

// authority takes the host from what follows "://" (RFC 3986, section 3.2):
// all before the last "@" is userinfo, however much it looks like a host.
func authority(rest string) string {
	rest, _, _ = strings.Cut(rest, "/")
	rest, _, _ = strings.Cut(rest, "?")
	rest, _, _ = strings.Cut(rest, "#")
	if i := strings.LastIndexByte(rest, '@'); i >= 0 {
		rest = rest[i+1:]
	}
	rest, _, _ = strings.Cut(rest, ":")
	return strings.TrimRight(rest, ".!?")
}

// endings are the top-level domains under which a bare name is taken as a
// host. Endings that are as often a file's (".md", ".rs", ".sh", ".py") are
// left out: with a scheme they are found all the same.
var endings = set(`com net org io dev app xyz ru cn tk top site online info biz me co cloud link click space website store
	club live tech pro onion us uk eu de fr nl in jp kr br su ws cc to gg`)

// bare reads a host name or IPv4 address without a scheme.
func bare(token string) string {
	token, _, _ = strings.Cut(token, "/")
	token, _, _ = strings.Cut(token, ":")
	labels := strings.Split(token, ".")
	if len(labels) == 4 && numeric(labels) {
		return token
	}
	if len(labels) < 2 || !endings[labels[len(labels)-1]] {
		return ""
	}
	for _, l := range labels {
		if l == "" || strings.Trim(l, "abcdefghijklmnopqrstuvwxyz0123456789-") != "" {
			return ""
		}
	}
	return token
}

func numeric(labels []string) bool {
	for _, l := range labels {
		if l == "" || len(l) > 3 || strings.Trim(l, "0123456789") != "" || len(l) == 3 && l > "255" {
			return false
		}
	}
	return true
}

// nobody holds for the names that RFC 2606 and RFC 6761 give to no one, for
// loopback, and for placeholders.
func nobody(h string) bool {
	for _, s := range []string{"example.com", "example.org", "example.net", "example", "test", "invalid", "localhost"} {
		if h == s || strings.HasSuffix(h, "."+s) {
			return true
		}
	}
	return h == "" || strings.HasPrefix(h, "127.") || h == "0.0.0.0" || h == "[" || strings.ContainsAny(h, "<>{}$%…") || !strings.Contains(h, ".") && !strings.Contains(h, "[")
}

// sensitive are paths where credentials lie. ".env" counts only as part of a
// path: in prose it is a kind of file.
var sensitive = []string{".ssh/", ".ssh", "id_rsa", "id_ed25519", "id_ecdsa", "authorized_keys", ".aws/credentials", ".aws/config",
	".netrc", ".npmrc", ".pypirc", ".git-credentials", ".docker/config.json", ".kube/config", "/etc/shadow", "/etc/passwd",
	".gnupg", "cookies.sqlite", "login data", "key4.db", ".bash_history", ".zsh_history", ".config/gcloud", ".config/gh",
	"claude_desktop_config.json", ".cursor/mcp.json", ".claude.json", "/proc/self/environ", "/.env", "wallet.dat",
	".azure/", "keychain-db", "credentials.json", ".vault-token"}

func pathCues(s string) []cue {
	var out []cue
	low := strings.ReplaceAll(lower(s), `\`, "/")
	for _, p := range sensitive {
		if i := indexBounded(low, p); i >= 0 {
			from, to := around(low, i, i+len(p))
			out = append(out, newCue(SensitivePath, "where credentials lie", s[from:to], strings.TrimSuffix(p, "/")))
		}
	}
	return out
}

// around widens a match to the whole path.
func around(s string, from, to int) (int, int) {
	const stops = " \t\r\n\"'`<>()[]{},;|*"
	for from > 0 && !strings.ContainsRune(stops, rune(s[from-1])) {
		from--
	}
	for to < len(s) && !strings.ContainsRune(stops, rune(s[to])) {
		to++
	}
	return from, to
}

// indexBounded finds sub where no letter or digit joins it on either side.
func indexBounded(s, sub string) int {
	for at := 0; ; {
		i := strings.Index(s[at:], sub)
		if i < 0 {
			return -1
		}
		i += at
		end := i + len(sub)
		if (i == 0 || !alnum(s[i-1]) || !alnum(sub[0])) && (end == len(s) || !alnum(s[end]) || !alnum(sub[len(sub)-1])) {
			return i
		}
		at = i + 1
	}
}

func alnum(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '_'
}

// minTool is the length from which an unquoted name is taken as the name of a
// tool. Shorter ones, and plain words ("search", "navigate"), must be quoted.
const minTool = 8

// ToolNames are the names of tools of other servers.
type ToolNames map[string]bool

// NewToolNames makes the set once for many texts: looking each of many names up
// in each of many texts takes minutes for servers of some thousand tools.
func NewToolNames(names []string) ToolNames {
	out := make(ToolNames, len(names))
	for _, n := range names {
		out[n] = true
	}
	delete(out, "")
	return out
}

// maxToolName bounds what is looked up, in bytes.
const maxToolName = 256

// toolCues finds names that stand in quotes, and long ones of several words that
// stand alone.
func toolCues(s string, others ToolNames) []cue {
	if len(others) == 0 {
		return nil
	}
	var out []cue
	add := func(name string, sure bool) {
		name = strings.Trim(name, ".-")
		if others[name] && (sure || len(name) >= minTool && len(splitName(name).words) > 1) {
			out = append(out, newCue(OtherTool, "names a tool of another server", name, name))
		}
	}
	for i := 0; i < len(s); {
		if quote := s[i]; quote == '`' || quote == '"' || quote == '\'' {
			if end := strings.IndexByte(s[i+1:min(len(s), i+1+maxToolName)], quote); end > 0 {
				add(s[i+1:i+1+end], true)
			}
		}
		j := i
		for j < len(s) && (alnum(s[j]) || s[j] == '-' || s[j] == '.') {
			j++
		}
		if j > i && j-i <= maxToolName {
			add(s[i:j], false)
		}
		i = max(j, i+1)
	}
	return out
}
