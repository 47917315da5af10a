package scanner

import (
	"fmt"
	"strings"

	"github.com/toolwarrant/toolwarrant/finding"
	"github.com/toolwarrant/toolwarrant/lockfile"
)

// examplePackage is a surface of no tools with an artifact.
func examplePackage(version, integrity, tree string, scripts ...string) string {
	list := ""
	if len(scripts) > 0 {
		list = `, "installScripts": ["` + strings.Join(scripts, `", "`) + `"]`
	}
	return fmt.Sprintf(`{"artifact": {"ecosystem": "npm", "name": "some-server", "spec": "^1.0.0", "version": %q, "integrity": %q, "tree": {"packages": 2, "digest": %q}%s}}`,
		version, "sha512-"+strings.Repeat(integrity, 86)+"==", "sha256:"+strings.Repeat(tree, 64), list)
}

var ruleBytesChanged = Rule{
	ID:     "package/bytes-changed",
	Title:  "The bytes are not those that were approved",
	Why:    "A version of a package is published once. Where the same version has other bytes, or a file differs from what was hashed when it was unpacked, somebody has put something else there: in the registry, on the way, or on this machine.",
	Remedy: "Do not start it. What differs in the cache was removed and is fetched again by the next run; where the registry serves other bytes, ask who publishes the package.",
	Level:  finding.Error,
	Bad:    Example{State: tampered, Reason: "trees/…/index.js: a file of the unpacked tree has changed"},
	Good:   Example{Old: examplePackage("1.0.0", "a", "1"), New: examplePackage("1.0.0", "a", "2")},
	check: func(s Subject, r Rule) []finding.Finding {
		if s.State == tampered {
			f := r.new(s, s.At, fmt.Sprintf("%s was not started: its bytes are not those that are locked: %s", finding.Claim(s.Name).Quote(), s.Reason))
			f.Hint = s.Hint
			return []finding.Finding{f}
		}
		return bytesOf(s, r, true)
	},
}

var ruleBytesChangedMinor = Rule{
	ID:     "package/bytes-changed-minor",
	Title:  "A program of this machine is not the one that was sealed",
	Why:    "A command that names a program of the machine runs whatever lies there. Its digest was recorded for this platform, and it is another now: an update, or something else.",
	Remedy: "Seal the server again if the program was updated on purpose.",
	Level:  finding.Warning,
	Bad: Example{Old: `{"artifact": {"ecosystem": "binary", "name": "some-server", "integrity": "sha256:1111"}}`,
		New: `{"artifact": {"ecosystem": "binary", "name": "some-server", "integrity": "sha256:2222"}}`},
	Good:  Example{Old: examplePackage("1.0.0", "a", "1"), New: examplePackage("1.0.0", "b", "1")},
	check: func(s Subject, r Rule) []finding.Finding { return bytesOf(s, r, false) },
}

// bytesOf tells of the same version with other bytes: of a registry, where it is
// an error, or of a program that nothing pins.
func bytesOf(s Subject, r Rule, pinned bool) []finding.Finding {
	return each(func(s Subject, c lockfile.Change) (string, bool) {
		if c.Event != lockfile.BytesChanged || (s.New.Artifact.Ecosystem != "binary") != pinned {
			return "", false
		}
		return fmt.Sprintf("%s: same version, other bytes: %s was %s, is %s", packageOf(s), c.Path, shown(c.Old), shown(c.New)), true
	})(s, r)
}

// packageOf names what was resolved, as it is now.
func packageOf(s Subject) string {
	a := s.New.Artifact
	if a.Version == "" {
		return finding.Claim(a.Name).Quote()
	}
	return finding.Claim(a.Name + "@" + a.Version).Quote()
}

var rulePackageUnread = Rule{
	ID:     "package/not-read",
	Title:  "A change brings other packages under an unchanged command, and they were not started",
	Why:    "The command stays the same and the packages behind it do not. On a change nothing is started that the base has not approved, so what the new bytes can do is the lock's word alone.",
	Remedy: "A reviewer reads which packages moved and approves; the server is read after the merge.",
	Level:  finding.Error,
	Bad:    Example{Old: examplePackage("1.0.0", "a", "1"), New: examplePackage("1.0.1", "b", "2"), Unread: true},
	Good:   Example{Old: examplePackage("1.0.0", "a", "1"), New: examplePackage("1.0.1", "b", "2")},
	check: func(s Subject, r Rule) []finding.Finding {
		if !s.bytesUnread {
			return nil
		}
		f := r.new(s, s.At, fmt.Sprintf("the lock of %s names other bytes for the same command, which were not started%s", finding.Claim(s.Name).Quote(), movedWords(s.moves)))
		f.Evidence, f.Hint = movedLines(s.moves), "a reviewer approves it by merging its lock"
		if !s.LockAt.IsZero() {
			f.Related = []finding.Location{s.LockAt}
		}
		return []finding.Finding{f}
	},
}

var ruleNewVersion = Rule{
	ID:     "package/new-version",
	Title:  "The command brings another version of its package",
	Why:    "A range, a tag or no version at all takes what the registry gives on the day. Clients ask nobody when that moves.",
	Remedy: "Read what changed, then seal the server again; an exact version in the command keeps it from moving.",
	Level:  finding.Warning,
	Bad:    Example{Old: examplePackage("1.0.0", "a", "1"), New: examplePackage("1.1.0", "b", "2")},
	Good:   Example{Old: examplePackage("1.0.0", "a", "1"), New: examplePackage("1.0.0", "a", "2")},
	check: packages(lockfile.VersionChanged, func(s Subject, c lockfile.Change) string {
		return fmt.Sprintf("%s: another version: was %s, is %s", finding.Claim(s.New.Artifact.Name).Quote(), shown(c.Old), shown(c.New))
	}),
}

var ruleTreeChanged = Rule{
	ID:     "package/tree-changed",
	Title:  "The same version brings other packages",
	Why:    "An exact version fixes one package; those below it float in their ranges. Of two real servers the surface was measured to change with the SDK below them.",
	Remedy: "None needed while the surface is the same; seal the server again to take the new packages.",
	Level:  finding.Note,
	Bad: Example{Old: examplePackage("1.0.0", "a", "1"), New: examplePackage("1.0.0", "a", "2"),
		Moves: packageMoves{Added: []string{"zod 4.0.0"}, Moved: []string{"sdk 1.13.2 → 1.32.2"}}},
	Good: Example{Old: examplePackage("1.0.0", "a", "1"), New: examplePackage("1.0.0", "a", "1")},
	check: packages(lockfile.TreeChanged, func(s Subject, _ lockfile.Change) string {
		return packageOf(s) + ": same version, other tree"
	}),
}

var ruleSameTree = Rule{
	ID:     "package/same-tree",
	Title:  "The same packages declare something else",
	Why:    "Nothing was published and nothing moved: what the server declares is decided elsewhere, by an account, by the environment, or by a server behind it that nobody here sees.",
	Remedy: "Read the differences as if the server were new; its code does not explain them.",
	Level:  finding.Warning,
	Bad:    Example{Old: withTool("add"), New: withTool("add", "remove"), Live: true},
	Good:   Example{Old: withTool("add"), New: withTool("add"), Live: true},
	check: func(s Subject, r Rule) []finding.Finding {
		if s.State != compared || s.Cause != finding.Upstream || s.Old == nil || s.New == nil || s.Old.Artifact == nil || s.Old.Artifact.Tree == nil {
			return nil
		}
		if s.Old.Surface() == s.New.Surface() || !SameBytes(*s.Old, *s.New) {
			return nil
		}
		f := r.new(s, s.At, packageOf(s)+": same tree, other surface")
		if !s.LockAt.IsZero() {
			f.Related = []finding.Location{s.LockAt}
		}
		return []finding.Finding{f}
	},
}

// withTool is a surface of tools behind one artifact.
func withTool(names ...string) string {
	var tools []string
	for _, n := range names {
		tools = append(tools, fmt.Sprintf(`{"name": %q, "inputSchema": {"type": "object"}}`, n))
	}
	return `{"tools": [` + strings.Join(tools, ", ") + `], ` + strings.TrimPrefix(examplePackage("1.0.0", "a", "1"), "{")
}

var ruleInstallScript = Rule{
	ID:     "package/install-script",
	Title:  "A package with an install script appeared",
	Why:    "Install scripts run with the rights of whoever installs. toolwarrant never runs one; a client that starts the server through npx may.",
	Remedy: "Read the script of the named package before anybody installs it.",
	Level:  finding.Warning,
	Bad:    Example{Old: examplePackage("1.0.0", "a", "1"), New: examplePackage("1.0.0", "a", "2", "node_modules/native")},
	Good:   Example{Old: examplePackage("1.0.0", "a", "1", "node_modules/native"), New: examplePackage("1.0.0", "a", "2", "node_modules/native")},
	check: each(func(s Subject, c lockfile.Change) (string, bool) {
		if c.Event != lockfile.InstallScriptAdded {
			return "", false
		}
		return fmt.Sprintf("%s: an install script appeared in %s", packageOf(s), shown(c.New)), true
	}),
}

// packages is the check of a rule about one event, which lists what moved.
func packages(event lockfile.Event, tell func(Subject, lockfile.Change) string) func(Subject, Rule) []finding.Finding {
	return func(s Subject, r Rule) []finding.Finding {
		out := each(func(s Subject, c lockfile.Change) (string, bool) {
			if c.Event != event {
				return "", false
			}
			return tell(s, c) + movedWords(s.moves), true
		})(s, r)
		for i := range out {
			out[i].Evidence = movedLines(s.moves)
		}
		return out
	}
}

// movedWords tells what moved in half a sentence.
func movedWords(m packageMoves) string {
	var parts []string
	for _, p := range []struct {
		what  string
		lines []string
	}{{"added", m.Added}, {"removed", m.Removed}, {"moved", m.Moved}, {"with other bytes", m.Bytes}} {
		if len(p.lines) > 0 {
			parts = append(parts, fmt.Sprintf("%d %s (%s)", len(p.lines), p.what, someOf(p.lines)))
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return "; packages: " + strings.Join(parts, ", ")
}

// movedLines lists all that moved, as evidence.
func movedLines(m packageMoves) []finding.Evidence {
	var out []finding.Evidence
	for _, p := range []struct {
		signal string
		lines  []string
	}{{"added", m.Added}, {"removed", m.Removed}, {"moved", m.Moved}, {"other bytes", m.Bytes}} {
		for _, line := range p.lines {
			out = append(out, finding.Evidence{Path: "node_modules", Signal: p.signal, Quote: line})
		}
	}
	return out
}
