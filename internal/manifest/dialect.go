package manifest

import (
	"slices"
	"strings"
)

// Dialect is one kind of file: which paths it claims, how it is parsed, where
// its servers stand, which members of an entry its hosts read, and what each
// host does with odd input. TOML, YAML and front matter plug in as another
// syntax that yields the same nodes.
type Dialect struct {
	name string
	// claims are the path endings that the dialect owns, as exact components.
	claims [][]string
	parse  syntax
	// roots are the keys that hold the map of servers, in order of preference.
	roots []string
	// foreign are root keys of other dialects that people write here; their
	// entries are read, and no host loads them.
	foreign []string
	// noFlat: the file holds other settings, so its own members are never servers.
	noFlat bool
	// reads are the members of an entry that its hosts use and not all hosts know.
	reads []string
	hosts []host
	// off returns the names that the file itself switches off for every host, with
	// the reason.
	off func(root node) map[string]string
	// reference shows how to name a variable in this dialect.
	reference string
}

// dialects in the order in which a path is tried.
var dialects = []*Dialect{&mcpJSON, &claudeDesktop, &vscode, &cursorMCP, &gemini}

// claim finds the dialect of a path. exact is false where the path only looks
// like the dialect's own: hosts on a file system that folds names read it too.
func claim(path string) (d *Dialect, exact bool) {
	parts := strings.Split(path, "/")
	for _, d := range dialects {
		for _, ending := range d.claims {
			if len(parts) < len(ending) {
				continue
			}
			tail := parts[len(parts)-len(ending):]
			if slices.EqualFunc(tail, ending, sameName) {
				return d, slices.Equal(tail, ending)
			}
		}
	}
	return nil, false
}

// claimsFolder reports whether a name is, or looks like, a folder that a dialect
// reads a file from.
func claimsFolder(name string) bool {
	for _, d := range dialects {
		for _, ending := range d.claims {
			if len(ending) > 1 && sameName(name, ending[0]) {
				return true
			}
		}
	}
	return false
}

// sameName compares one component of a path as file systems that fold names do:
// without regard to case, without the characters that HFS+ ignores, without the
// trailing dots and spaces that Windows drops. The claimed names are ASCII, to
// which nothing else is normalised.
func sameName(name, claimed string) bool {
	name = strings.Map(func(r rune) rune {
		switch {
		case r >= 0x200C && r <= 0x200F, r >= 0x202A && r <= 0x202E, r >= 0x206A && r <= 0x206F, r == 0xFEFF:
			return -1
		}
		return r
	}, name)
	return strings.EqualFold(strings.TrimRight(name, " ."), claimed)
}

// hostNames lists the hosts for a sentence.
func (d *Dialect) hostNames() string {
	var names []string
	for _, h := range d.hosts {
		names = append(names, h.name)
	}
	return strings.Join(names, ", ")
}

// has reports whether the dialect's hosts use a member that not all hosts know.
func (d *Dialect) has(name string) bool { return slices.Contains(d.reads, name) }
