package policy

import (
	"fmt"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
	"go.yaml.in/yaml/v3"

	"github.com/toolwarrant/toolwarrant/finding"
)

// Deny is what no target may have, whoever approved it.
type Deny struct {
	Capabilities []string `json:"capabilities"`
	// Packages are doublestar patterns over names, one ecosystem's where they
	// begin with its name and a colon: "npm:@scope/*", "evil-*".
	Packages []string `json:"packages"`
	Hosts    []string `json:"hosts"` // as hostForm has it
}

// capabilities are those that surfaces have.
var capabilities = []string{
	"exec", "fs.read", "fs.write", "net", "service.read", "service.write", "destructive", "credentials", "send", "spend", "control", "pure", "unknown",
}

// ecosystems are those that package patterns may begin with.
var ecosystems = []string{"npm", "pypi", "oci", "git", "archive"}

// Asked is what a target has, or wants, that a policy may deny.
type Asked struct {
	Name         string           // of the target
	At           finding.Location // its declaration
	Capabilities []string
	Ecosystem    string // of Package; empty where that is not known
	Package      string // without a version; empty for none
	Hosts        []string
}

// Denied tells, as policy/denied, each thing that a target has though the
// policy denies it.
func (p Policy) Denied(a Asked) []finding.Finding {
	var out []finding.Finding
	tell := func(what string) {
		f := finding.New("policy/denied", finding.Error, a.At, finding.Claim(a.Name).Quote()+" "+what+", which the policy denies")
		f.Target = a.Name
		if at, ok := p.places["deny"]; ok {
			f.Related = []finding.Location{at}
		}
		out = append(out, f)
	}
	for _, c := range a.Capabilities {
		if containsFold(p.Deny.Capabilities, c) {
			tell("can do " + finding.Claim(c).Short(20))
		}
	}
	if a.Package != "" && p.Deny.covers(a.Ecosystem, a.Package) {
		tell("runs the package " + finding.Claim(a.Package).Quote())
	}
	for _, h := range a.Hosts {
		if p.Deny.Host(h) {
			tell("reaches the host " + finding.Claim(h).Quote())
		}
	}
	return out
}

// covers reports whether a pattern denies a package. Where the ecosystem is not
// known, a pattern of any denies it.
func (d Deny) covers(ecosystem, name string) bool {
	for _, pattern := range d.Packages {
		eco, glob := splitPackage(pattern)
		if (eco == "" || ecosystem == "" || eco == ecosystem) && matchGlob(glob, name) {
			return true
		}
	}
	return false
}

// Host reports whether "host" or "host:port" is denied. Where the port is not
// known, a pattern of any port denies it.
func (d Deny) Host(host string) bool {
	name, port, ok := splitHost(host)
	for _, pattern := range d.Hosts {
		want, wantPort, _ := splitHost(pattern)
		if wantPort != 0 && port == 0 {
			pattern = want
		}
		if ok && matchHost(pattern, name, port) {
			return true
		}
	}
	return false
}

// splitPackage cuts off the ecosystem that a pattern begins with.
func splitPackage(pattern string) (ecosystem, glob string) {
	for _, e := range ecosystems {
		if rest, ok := strings.CutPrefix(pattern, e+":"); ok {
			return e, rest
		}
	}
	return "", pattern
}

func packageForm(s string) string {
	_, glob := splitPackage(s)
	if glob == "" || strings.ContainsAny(glob, `\ `) || costly(glob) || !doublestar.ValidatePattern(strings.ToLower(glob)) {
		return fmt.Sprintf(`a package's name or a pattern, as "npm:@scope/*" or "evil-*", without a version; before a colon %s`, oneOf(ecosystems))
	}
	if at := strings.LastIndexByte(glob, '@'); at > 0 && glob[at-1] != '/' {
		return "a package's name without a version"
	}
	return ""
}

func (r *reader) deny(n *yaml.Node) (d Deny) {
	r.mapping(n, "deny", []field{
		{"capabilities", func(_, v *yaml.Node) { d.Capabilities = r.texts(v, "deny.capabilities", capabilityForm) }},
		{"packages", func(_, v *yaml.Node) { d.Packages = r.texts(v, "deny.packages", packageForm) }},
		{"hosts", func(_, v *yaml.Node) { d.Hosts = r.texts(v, "deny.hosts", hostForm) }},
	})
	return d
}

func capabilityForm(s string) string {
	for _, c := range capabilities {
		if c == s {
			return ""
		}
	}
	hint := "allowed: " + oneOf(capabilities)
	if near := nearest(s, capabilities); near != "" {
		hint = "did you mean " + near + "? " + hint
	}
	return hint
}
