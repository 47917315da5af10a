package scanner

import (
	"errors"
	"os"
	"strings"

	"github.com/toolwarrant/toolwarrant/lockfile"
)

// aliasedLock seals notes with packages that agree with their lock and are not what
// the launch asks for.
func aliasedLock(w *world) {
	relocked("base", func(e *lockfile.Entry) {
		delete(w.files, TreeFile(notesLock, e.Artifact))
		tree := w.shelf.aliased()
		digest, err := tree.Digest()
		if err != nil {
			w.t.Fatal(err)
		}
		main, _ := tree.Main("notes-server")
		e.Artifact.Spec, e.Artifact.Version, e.Artifact.Integrity = "npm:sdk@1.0.0", main.Version, main.Integrity
		e.Artifact.Tree = &lockfile.Tree{Packages: len(tree.Packages), Digest: digest}
		data, err := tree.Bytes()
		if err != nil {
			w.t.Fatal(err)
		}
		w.files[TreeFile(notesLock, e.Artifact)] = string(data)
	})(w)
}

// packageRows are about launches that fetch packages: which bytes are started,
// and what is said when they are others.
func packageRows(add func(kind string, rs ...row)) {
	exact, floating := both(asPackage("1.0.0"), relocked("base")), both(asPackage("latest"), relocked("base"))
	flip := func(path string) error {
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		data[len(data)/2] ^= 1
		return errors.Join(os.Chmod(path, 0o644), os.WriteFile(path, data, 0o644), os.Chmod(path, 0o555))
	}
	add("base",
		row{name: "packages the same, the registry has newer ones", anchor: exact, head: offers("1.0.1"), live: LiveAll, outcome: clean, started: true},
		row{name: "floating, the registry has newer ones", anchor: floating, head: offers("1.0.1"), live: LiveAll, outcome: clean, started: true},
		row{name: "a lock with other packages for the same command", anchor: exact, head: withSDK("1.0.1"), live: LiveAll, outcome: escalation, started: true, rule: "package/not-read"},
		row{name: "a lock with other packages, told as such", anchor: exact, head: withSDK("1.0.1"), live: LiveNone, outcome: escalation, rule: "package/tree-changed"},
		row{name: "a lock whose packages are edited", anchor: exact, head: treeEdited(func(s string) string { return strings.Replace(s, `"version": "1.0.0"`, `"version": "1.0.1"`, 1) }), live: LiveAll, outcome: escalation, rule: "lock/invalid"},
		row{name: "a lock whose packages are gone", anchor: exact, head: treeEdited(func(string) string { return "" }), live: LiveAll, outcome: escalation, rule: "lock/invalid"},
		row{name: "the integrity in a lock is edited", anchor: exact, head: edited(notesLock, `"integrity": "sha512-`, `"integrity": "sha512-A`), live: LiveAll, outcome: escalation, rule: "lock/invalid"},
		row{name: "the version in a lock is edited", anchor: exact, head: edited(notesLock, `"version": "1.0.0"`, `"version": "1.0.1"`), live: LiveAll, outcome: escalation, rule: "lock/invalid"},
		row{name: "a lock that fixes no packages", anchor: both(asPackage("1.0.0"), unfixedLock), head: asIs, live: LiveAll, outcome: clean, rule: "check/undetermined"},
	)
	add("head",
		row{name: "an exact version, newer packages below it", head: both(exact, offers("1.0.1")), outcome: clean, started: true},
		row{name: "floating, newer packages below it", head: both(floating, offers("1.0.1")), outcome: clean, started: true, rule: "package/tree-changed"},
		row{name: "a lock that fixes no packages", head: both(asPackage("1.0.0"), unfixedLock), outcome: clean, started: true},
		row{name: "a byte of an unpacked file", head: both(exact, tampering("node_modules/sdk/package.json", flip)), outcome: escalation, rule: "package/bytes-changed"},
		row{name: "the program itself", head: both(exact, tampering("node_modules/notes-server/run", flip)), outcome: escalation, rule: "package/bytes-changed"},
		row{name: "a file beside the packages", head: both(exact, tampering("node_modules", func(path string) error {
			return errors.Join(os.Chmod(path, 0o755), os.WriteFile(path+"/extra.js", []byte("x"), 0o444))
		})), outcome: escalation, rule: "package/bytes-changed"},
	)
	add("head",
		row{name: "a lock whose packages are another's by an alias", head: both(asPackage("1.0.0"), aliasedLock), outcome: escalation, rule: "lock/invalid"},
		row{name: "a lock of another ecosystem", head: both(asPackage("1.0.0"), relocked("base", func(e *lockfile.Entry) { e.Artifact.Ecosystem, e.Artifact.Tree = "local", nil })), outcome: escalation, rule: "lock/invalid"},
	)
	add("base",
		row{name: "a server of a registry removed, its lock kept", anchor: exact, head: func(w *world) { delete(w.files, ".mcp.json") }, live: LiveAll, outcome: drift, rule: "launch/not-declared"},
		row{name: "a lock that no longer fixes the packages", anchor: exact, head: unfixedLock, live: LiveAll, outcome: escalation, started: true, rule: "package/not-read"},
		row{name: "packages fixed for the first time by the change", anchor: both(asPackage("1.0.0"), unfixedLock), head: relocked("base"), live: LiveAll, outcome: escalation, rule: "package/not-read"},
	)
	add("person",
		row{name: "sealed by this user", anchor: exact, head: asIs, sealed: true, outcome: clean, started: true},
		row{name: "a branch with other packages, the launch sealed by this user", anchor: exact, head: withSDK("1.0.1"), sealed: true, outcome: escalation, started: true, rule: "package/not-read"},
		row{name: "an exact version, newer packages below it", anchor: exact, head: offers("1.0.1"), approves: true, outcome: clean, started: true},
		row{name: "floating, newer packages below it", anchor: floating, head: offers("1.0.1"), approves: true, outcome: clean, started: true},
		row{name: "floating, today", anchor: floating, head: offers("1.0.1"), approves: true, today: true, outcome: clean, started: true, rule: "package/tree-changed"},
		row{name: "exact, today", anchor: exact, head: offers("1.0.1"), approves: true, today: true, outcome: clean, started: true, rule: "package/tree-changed"},
		row{name: "a new version, today", anchor: both(asPackage("latest"), withLatest("1.0.0")), head: asIs, approves: true, today: true, outcome: drift, started: true, rule: "package/new-version"},
	)
}
