package policy

import (
	"fmt"
	"path"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/toolwarrant/toolwarrant/finding"
)

// Server is what one server may have beyond what every server gets.
type Server struct {
	Env     []string         `json:"env,omitempty"`     // names of variables that get their real value
	Hosts   []string         `json:"hosts,omitempty"`   // hosts that it may contact without a finding, as hostForm has them
	Files   []string         `json:"files,omitempty"`   // decoys that it may read without a finding: "~/.aws/credentials"
	Network bool             `json:"network,omitempty"` // it may reach the network
	Timeout int              `json:"timeout,omitempty"` // seconds for the whole server; 0 for the default
	Memory  int64            `json:"memory,omitempty"`  // bytes of its processes together; 0 for the default
	Cwd     string           `json:"cwd,omitempty"`     // slash-separated, from the root; empty for a neutral folder
	Local   Local            `json:"local,omitempty"`
	Scripts bool             `json:"scripts,omitempty"` // its packages' install scripts may run
	Waive   *Waiver          `json:"waive,omitempty"`
	At      finding.Location `json:"-"`
}

// Waiver accepts that a server is not read, for one reason and a time.
type Waiver struct {
	Reason string           `json:"reason"` // one of WaiverReasons
	Why    string           `json:"why"`
	Until  string           `json:"until"` // yyyy-mm-dd, the last day on which it holds
	At     finding.Location `json:"-"`
}

var waiverReasons = []string{"needs-auth", "needs-network", "needs-backend", "needs-scripts", "needs-build", "missing-program", "unresolvable"}

// WaiverReasons are the reasons for which a server may go unread.
func WaiverReasons() []string { return append([]string{}, waiverReasons...) }

// Waives returns the waiver of a server that was not read for a reason, as of a
// day (yyyy-mm-dd). On a day that is none, nothing is waived.
func (p Policy) Waives(name, reason, date string) (Waiver, bool) {
	w := p.Servers[name].Waive
	if w == nil || w.Reason != reason || expired(w.Until, date) {
		return Waiver{}, false
	}
	return *w, true
}

// expired compares days, which sort as texts.
func expired(last, date string) bool { return !ValidDate(date) || date > last }

// ListsHost reports whether a server may contact a host and port without a
// finding. Where the port is not known (0), a pattern of any port covers the host:
// a name that was looked up and nothing more.
func (s Server) ListsHost(host string, port int) bool {
	for _, pattern := range s.Hosts {
		if want, wantPort, _ := splitHost(pattern); wantPort != 0 && port == 0 {
			pattern = want
		}
		if matchHost(pattern, host, port) {
			return true
		}
	}
	return false
}

// ListsFile reports whether a server may read a decoy, a path that begins with
// "~/" or "/", without a finding.
func (s Server) ListsFile(file string) bool {
	for _, pattern := range s.Files {
		if matchGlob(pattern, file) {
			return true
		}
	}
	return false
}

// Bounds of what a policy may grant one server.
const (
	maxTimeout = 3600 // seconds
	minMemory  = 16 << 20
	maxMemory  = 64 << 30
)

func (r *reader) servers(n *yaml.Node) map[string]Server {
	out := map[string]Server{}
	r.pairs(n, "servers", func(key, value *yaml.Node) {
		if strings.TrimSpace(key.Value) == "" {
			r.fail(r.place(key), "a server without a name", "")
			return
		}
		s := r.server(value, "servers."+finding.Claim(key.Value).Short(40))
		s.At = r.place(key)
		out[key.Value] = s
	})
	return out
}

func (r *reader) server(n *yaml.Node, what string) (s Server) {
	r.mapping(n, what, []field{
		{"env", func(_, v *yaml.Node) { s.Env = r.texts(v, "env", variableForm) }},
		{"hosts", func(_, v *yaml.Node) { s.Hosts = r.texts(v, "hosts", hostForm) }},
		{"files", func(_, v *yaml.Node) { s.Files = r.texts(v, "files", decoyForm) }},
		{"network", func(_, v *yaml.Node) { s.Network = r.boolean(v, "network") }},
		{"timeout", func(_, v *yaml.Node) { s.Timeout, _ = seconds(r.checked(v, "timeout", timeoutForm)) }},
		{"memory", func(_, v *yaml.Node) { s.Memory, _ = size(r.checked(v, "memory", memoryForm)) }},
		{"cwd", func(_, v *yaml.Node) { s.Cwd = r.checked(v, "cwd", localForm) }},
		{"local", func(_, v *yaml.Node) { s.Local = choose[Local](r, v, "local", localWords) }},
		{"scripts", func(_, v *yaml.Node) { s.Scripts = r.boolean(v, "scripts") }},
		{"waive", func(key, v *yaml.Node) { s.Waive = r.waiver(key, v) }},
	})
	return s
}

// waiver returns nil where anything is missing.
func (r *reader) waiver(key, n *yaml.Node) *Waiver {
	w := Waiver{At: r.place(key)}
	ok := r.required(n, "waive", []field{
		{"reason", func(_, v *yaml.Node) { w.Reason = r.word(v, "reason", waiverReasons) }},
		{"why", func(_, v *yaml.Node) { w.Why, _ = r.prose(v, "why") }},
		{"until", func(_, v *yaml.Node) { w.Until = r.date(v, "until") }},
	})
	if !ok || w.Reason == "" || w.Why == "" || w.Until == "" {
		return nil
	}
	return &w
}

// word is choose where no word is the strictest.
func (r *reader) word(n *yaml.Node, what string, words []string) string {
	return append([]string{""}, words...)[choose[uint8](r, n, what, append([]string{""}, words...))]
}

// date reads yyyy-mm-dd, in quotes or not.
func (r *reader) date(n *yaml.Node, what string) string {
	if n.Kind != yaml.ScalarNode || !ValidDate(n.Value) {
		r.fail(r.place(n), what+" is not a day of the calendar", "a day as yyyy-mm-dd")
		return ""
	}
	return n.Value
}

func timeoutForm(s string) string {
	if n, ok := seconds(s); !ok || n < 1 || n > maxTimeout {
		return `a time from 1s to 1h, as "90s" or "5m"`
	}
	return ""
}

func memoryForm(s string) string {
	if n, ok := size(s); !ok || n < minMemory || n > maxMemory {
		return fmt.Sprintf(`a size from %dMiB to %dGiB, as "512MiB" or "2GiB"`, minMemory>>20, maxMemory>>30)
	}
	return ""
}

// decoyForm takes paths of a home or of the whole file system.
func decoyForm(s string) string {
	rest, home := strings.CutPrefix(s, "~")
	if !strings.HasPrefix(rest, "/") || !home && s == "/" || rest != path.Clean(rest) || globForm(strings.TrimPrefix(rest, "/")) != "" {
		return `a path that begins with ~/ or /, as "~/.aws/credentials"`
	}
	return ""
}
