package scanner

import (
	"strings"

	"github.com/toolwarrant/toolwarrant/finding"
	"github.com/toolwarrant/toolwarrant/lockfile"
)

const (
	clean        = finding.Clean
	drift        = finding.Drift
	undetermined = finding.Undetermined
	refused      = finding.Refused
	escalation   = finding.Escalation
)

func asIs(*world) {}

func nothing(w *world) { clear(w.files) }

func noLock(w *world) { delete(w.files, notesLock) }

// declares declares notes anew and leaves the lock alone.
func declares(behaviour string, words ...string) func(*world) {
	return func(w *world) { w.declare(".mcp.json", "notes", w.server(behaviour, words...)) }
}

// sealed declares notes anew with a lock that fits.
func sealedAs(behaviour, surface string, words ...string) func(*world) {
	return func(w *world) {
		declares(behaviour, words...)(w)
		w.seal(".mcp.json", "notes", surface)
	}
}

func relocked(surface string, change ...func(*lockfile.Entry)) func(*world) {
	return func(w *world) { w.seal(".mcp.json", "notes", surface, change...) }
}

func both(fs ...func(*world)) func(*world) {
	return func(w *world) {
		for _, f := range fs {
			f(w)
		}
	}
}

func withFile(name, text string) func(*world) {
	return func(w *world) { w.files[name] = text }
}

func without(name string) func(*world) {
	return func(w *world) { delete(w.files, name) }
}

func edited(name, old, new string) func(*world) {
	return func(w *world) {
		if !strings.Contains(w.files[name], old) {
			w.t.Fatalf("%s does not hold %q", name, old)
		}
		w.files[name] = strings.Replace(w.files[name], old, new, 1)
	}
}

// env declares notes with a variable and a lock that fits.
func withEnv(name, value string) func(*world) {
	return func(w *world) {
		s := w.server("base")
		s["env"] = map[string]string{name: value}
		w.declare(".mcp.json", "notes", s)
		w.seal(".mcp.json", "notes", "base")
	}
}

// npx declares notes as a package of a registry.
func asPackage(version string) func(*world) {
	return func(w *world) {
		w.declare(".mcp.json", "notes", map[string]any{"command": "npx", "args": []string{"-y", "notes-server@" + version}})
	}
}

// launched declares notes by its words.
func launched(command string, args ...string) func(*world) {
	return func(w *world) {
		w.declare(".mcp.json", "notes", map[string]any{"command": command, "args": args})
	}
}

// unheard declares notes with an option that the grammar of npx does not know.
func unheard(w *world) { launched("npx", "--unheard", "notes-server@1.0.0", "x")(w) }

func inShell(text string) func(*world) { return launched("sh", "-c", text) }

func startRows() []row {
	script := sealedAs("base", "base", "server.js")
	var rows []row
	add := func(kind string, rs ...row) {
		for _, r := range rs {
			r.kind = kind
			rows = append(rows, r)
		}
	}
	// A change against its base: what the base approves, unchanged, may start.
	add("base",
		row{name: "nothing changed", anchor: asIs, head: asIs, live: LiveAll, outcome: clean, started: true},
		row{name: "nothing changed, changed targets only", anchor: asIs, head: asIs, live: LiveChanged, outcome: clean},
		row{name: "nothing changed, nothing live", anchor: asIs, head: asIs, live: LiveNone, outcome: clean},
		row{name: "a new server without a lock", anchor: nothing, head: both(declares("base"), noLock), outcome: refused, rule: "launch/not-sealed"},
		row{name: "a new server with its lock", anchor: nothing, head: sealedAs("base", "base"), outcome: escalation, rule: "launch/new"},
		row{name: "a second server with its lock", anchor: asIs, head: func(w *world) {
			w.declare("sub/.mcp.json", "other", w.server("base", "other"))
			w.seal("sub/.mcp.json", "other", "base")
		}, live: LiveChanged, outcome: escalation, rule: "launch/new"},
		row{name: "a command swapped under the same name", anchor: asIs, head: declares("base", "swapped"), live: LiveAll, outcome: escalation, rule: "launch/changed"},
		row{name: "a command swapped with a lock that fits", anchor: asIs, head: sealedAs("base", "base", "swapped"), live: LiveAll, outcome: escalation, rule: "launch/changed"},
		row{name: "a lock deleted", anchor: asIs, head: noLock, live: LiveAll, outcome: refused, rule: "launch/not-sealed"},
		row{name: "a server and its lock removed", anchor: asIs, head: nothing, live: LiveAll, outcome: clean, rule: "launch/removed"},
		row{name: "a server removed, its lock kept", anchor: asIs, head: func(w *world) { delete(w.files, ".mcp.json") }, live: LiveAll, outcome: drift, rule: "launch/not-declared"},
		row{name: "a lock edited to hide a tool", anchor: sealedAs("command-added", "command-added"), head: relocked("base"), live: LiveAll, outcome: escalation, started: true, rule: "lock/edited"},
		row{name: "a lock edited to invent a tool", anchor: asIs, head: relocked("command-added"), live: LiveAll, outcome: escalation, started: true, rule: "lock/edited"},
		row{name: "a lock with a power, nothing live", anchor: asIs, head: relocked("command-added"), live: LiveNone, outcome: escalation, rule: "surface/power-added"},
		row{name: "a lock with other words, nothing live", anchor: asIs, head: relocked("description-reworded"), live: LiveNone, outcome: drift, rule: "surface/description-changed-minor"},
		row{name: "a lock refreshed to what the server says", anchor: relocked("tool-removed"), head: relocked("base"), live: LiveAll, outcome: drift, started: true, rule: "surface/tool-added"},
		row{name: "text of a lock edited by hand", anchor: asIs, head: edited(notesLock, "List the titles", "Burn the titles"), live: LiveAll, outcome: escalation, rule: "lock/invalid"},
		row{name: "a lock set to disabled", anchor: asIs, head: relocked("base", inReview(lockfile.Disabled)), live: LiveAll, outcome: escalation, rule: "launch/barred"},
		row{name: "a lock set to revoked", anchor: asIs, head: relocked("base", inReview(lockfile.Revoked)), live: LiveAll, outcome: escalation, rule: "launch/barred"},
		row{name: "a disabled lock enabled by the change", anchor: relocked("base", inReview(lockfile.Disabled)), head: relocked("base"), live: LiveAll, outcome: escalation, rule: "launch/barred"},
		row{name: "a revoked lock enabled by the change", anchor: relocked("base", inReview(lockfile.Revoked)), head: relocked("base"), live: LiveAll, outcome: escalation, rule: "launch/barred"},
		row{name: "a launch approved without a surface, unchanged", anchor: relocked("base", launchOnly), head: asIs, live: LiveAll, outcome: clean, started: true, rule: "check/undetermined"},
		row{name: "server.js edited under an unchanged launch", anchor: both(script, withFile("server.js", "1")), head: withFile("server.js", "2"), live: LiveAll, outcome: refused, rule: "launch/local-code-changed"},
		row{name: "server.js unchanged", anchor: both(script, withFile("server.js", "1")), head: asIs, live: LiveAll, outcome: clean, started: true},
		row{name: "a file beside server.js added", anchor: both(script, withFile("server.js", "1")), head: withFile("lib.js", "2"), live: LiveAll, outcome: refused, rule: "launch/local-code-changed"},
		row{name: "a file in the package of server.js edited", anchor: both(script, withFile("server.js", "1"), withFile("package.json", "{}"), withFile("lib/a.js", "1")), head: withFile("lib/a.js", "2"), live: LiveAll, outcome: refused, rule: "launch/local-code-changed"},
		row{name: "package-lock.json beside server.js edited", anchor: both(script, withFile("server.js", "1"), withFile("package.json", "{}"), withFile("package-lock.json", "{}")), head: withFile("package-lock.json", `{"a":1}`), live: LiveAll, outcome: refused, rule: "launch/local-code-changed"},
		row{name: "packages that are not installed", anchor: both(script, withFile("server.js", "1"), withFile("package.json", `{"dependencies":{"a":"1"}}`)), head: asIs, live: LiveAll, outcome: clean, rule: "check/undetermined"},
		row{name: "an env literal edited under an unchanged launch", anchor: withEnv("MODE", "one"), head: edited(".mcp.json", `"one"`, `"two"`), live: LiveAll, outcome: escalation, rule: "launch/changed"},
		row{name: "an env literal unchanged", anchor: withEnv("MODE", "one"), head: asIs, live: LiveAll, outcome: clean, started: true},
		row{name: "NODE_OPTIONS changed", anchor: withEnv("NODE_OPTIONS", "--no-warnings"), head: edited(".mcp.json", "--no-warnings", "--require ./x.js"), live: LiveAll, outcome: escalation, rule: "launch/changed"},
		row{name: ".npmrc edited beside a package", anchor: both(asPackage("1.0.0"), relocked("base"), withFile(".npmrc", "a=1")), head: withFile(".npmrc", "registry=https://evil.example"), live: LiveAll, outcome: escalation, rule: "launch/local-code-changed"},
		row{name: ".npmrc added beside a package", anchor: both(asPackage("1.0.0"), relocked("base")), head: withFile(".npmrc", "registry=https://evil.example"), live: LiveAll, outcome: escalation, rule: "launch/local-code-changed"},
		row{name: "a package override added", anchor: both(asPackage("1.0.0"), relocked("base"), withFile("package.json", "{}")), head: withFile("package.json", `{"overrides":{"notes-server":"evil"}}`), live: LiveAll, outcome: escalation, rule: "launch/local-code-changed"},
		row{name: "an unrelated dependency added", anchor: both(asPackage("1.0.0"), relocked("base"), withFile("package.json", "{}")), head: withFile("package.json", `{"dependencies":{"left-pad":"1"}}`), live: LiveAll, outcome: clean, started: true},
		row{name: "a package of the same version", anchor: both(asPackage("1.0.0"), relocked("base")), head: asIs, live: LiveAll, outcome: clean, started: true},
		row{name: "a version moved without a lock", anchor: both(asPackage("1.0.0"), relocked("base")), head: asPackage("1.0.1"), live: LiveAll, outcome: escalation, rule: "launch/changed"},
		row{name: "a version moved with its lock", anchor: both(asPackage("1.0.0"), relocked("base")), head: both(asPackage("1.0.1"), relocked("base")), live: LiveAll, outcome: escalation, rule: "launch/changed"},
		row{name: "a version moved with its lock, sealed by this user", anchor: both(asPackage("1.0.0"), relocked("base")), head: both(asPackage("1.0.1"), relocked("base")), approves: true, live: LiveAll, outcome: drift, started: true, rule: "launch/changed-minor"},
		row{name: "another package with its lock, sealed by this user", anchor: both(asPackage("1.0.0"), relocked("base")), head: both(declares("base", "x"), relocked("base")), approves: true, live: LiveAll, outcome: escalation, started: true, rule: "launch/changed"},
		row{name: "a launch that is not understood, approved by the base", anchor: both(unheard, relocked("base")), head: asIs, live: LiveAll, outcome: clean, rule: "check/undetermined"},
		row{name: "a package in a shell's one command", anchor: both(inShell("npx -y notes-server@1.0.0"), relocked("base")), head: asIs, live: LiveAll, outcome: clean, rule: "check/undetermined"},
		row{name: "a configuration renamed", anchor: asIs, head: func(w *world) {
			w.files["sub/.mcp.json"] = w.files[".mcp.json"]
			delete(w.files, ".mcp.json")
		}, live: LiveAll, outcome: clean, started: true},
		row{name: "a configuration renamed and its command swapped", anchor: asIs, head: func(w *world) {
			delete(w.files, ".mcp.json")
			w.declare("sub/.mcp.json", "notes", w.server("base", "swapped"))
		}, live: LiveAll, outcome: refused, rule: "launch/not-sealed"},
		row{name: "a configuration under another case", anchor: asIs, head: func(w *world) {
			w.files[".MCP.json"] = w.files[".mcp.json"]
			delete(w.files, ".mcp.json")
		}, live: LiveAll, outcome: escalation, started: true, rule: "launch/variant-spelling"},
		row{name: "a second dialect with another command under the name", anchor: asIs, head: func(w *world) {
			w.declare(".vscode/mcp.json", "notes", w.server("base", "other"))
		}, live: LiveAll, outcome: refused, started: true, rule: "launch/not-sealed"},
		row{name: "a second dialect with the same launch", anchor: asIs, head: func(w *world) {
			w.declare(".vscode/mcp.json", "notes", w.server("base"))
		}, live: LiveAll, outcome: clean, started: true},
		row{name: "the name declared twice", anchor: asIs, head: func(w *world) {
			text := w.files[".mcp.json"]
			w.files[".mcp.json"] = strings.Replace(text, `"notes": {`, `"notes": {"command": "evil"}, "notes": {`, 1)
		}, live: LiveAll, outcome: escalation, rule: "launch/duplicate-key"},
		row{name: "a configuration that does not parse", anchor: asIs, head: withFile(".mcp.json", "{"), live: LiveAll, outcome: undetermined, rule: "check/undetermined"},
		row{name: "the server drifted by itself", anchor: sealedAs("command-added", "base"), head: asIs, live: LiveAll, outcome: clean, started: true, rule: "surface/power-added"},
		row{name: "an inline secret that stands at the anchor", anchor: withEnv("API_TOKEN", "q8Zr4Tn1Vb7Xw2Kd9Lp5"), head: asIs, live: LiveAll, outcome: clean, started: true, rule: "launch/inline-secret"},
		row{name: "an inline secret that the change brings", anchor: withEnv("API_TOKEN", "${API_TOKEN}"), head: withEnv("API_TOKEN", "q8Zr4Tn1Vb7Xw2Kd9Lp5"), live: LiveAll, outcome: escalation, rule: "launch/inline-secret"},
		row{name: "an invalid lock at the anchor", anchor: edited(notesLock, "List the titles", "Burn the titles"), head: relocked("base"), live: LiveAll, outcome: escalation, rule: "launch/new"},
		row{name: "a policy that starts nothing", anchor: withFile(PolicyFile, "start: never\n"), head: asIs, live: LiveAll, outcome: clean, rule: "launch/not-approved"},
		row{name: "a policy that the change loosens", anchor: withFile(PolicyFile, "start: never\n"), head: withFile(PolicyFile, "start: approved\n"), live: LiveAll, outcome: escalation, rule: "policy/gate-changed"},
	)
	add("base", codeRows()...)
	packageRows(add)
	programRows(add)
	// A person: what this user sealed on this machine stands in.
	add("person",
		row{name: "nothing sealed, no anchor", head: noLock, outcome: refused, rule: "launch/not-sealed"},
		row{name: "sealed by this user, no anchor", head: asIs, approves: true, outcome: clean, started: true},
		row{name: "somebody's branch approves its own new launch", anchor: nothing, head: sealedAs("base", "base"), outcome: escalation, rule: "launch/new"},
		row{name: "somebody's branch moves a launch with its lock", anchor: asIs, head: sealedAs("base", "base", "moved"), outcome: escalation, rule: "launch/changed"},
		row{name: "moved and resealed by this user", anchor: asIs, head: sealedAs("base", "base", "moved"), approves: true, outcome: clean, started: true},
		row{name: "approved at the anchor", anchor: asIs, head: asIs, outcome: clean, started: true},
		row{name: "approved at the anchor, drifted since", anchor: sealedAs("command-added", "base"), head: asIs, outcome: escalation, started: true, rule: "surface/power-added"},
		row{name: "approved at the anchor, unreadable now", anchor: sealedAs("crash-at-start", "base"), head: asIs, outcome: undetermined, started: true, rule: "check/undetermined"},
		row{name: "approved at the anchor, every tool gone", anchor: sealedAs("all-removed", "base"), head: asIs, outcome: undetermined, started: true, rule: "surface/vanished"},
		row{name: "a launch approved, no surface", anchor: relocked("base", launchOnly), head: asIs, outcome: undetermined, started: true, rule: "check/undetermined"},
		row{name: "disabled by this user", anchor: asIs, head: relocked("base", inReview(lockfile.Disabled)), approves: true, outcome: escalation, rule: "launch/barred"},
		row{name: "revoked, with --start all", anchor: relocked("base", inReview(lockfile.Revoked)), head: asIs, approves: true, start: "all", outcome: escalation, rule: "launch/barred"},
		row{name: "disabled, with --start all", anchor: relocked("base", inReview(lockfile.Disabled)), head: asIs, approves: true, start: "all", outcome: escalation, rule: "launch/barred"},
		row{name: "a new launch with --start all", anchor: nothing, head: sealedAs("base", "base"), start: "all", outcome: escalation, started: true, rule: "launch/new"},
		row{name: "not understood, with --start all", anchor: nothing, head: withFile(".mcp.json", `{"mcpServers": {"notes": {"command": "a", "url": "https://a.example"}}}`), approves: true, start: "all", outcome: escalation, rule: "launch/ambiguous-transport"},
		row{name: "a launch that is not understood, sealed by this user", anchor: nothing, head: both(unheard, relocked("base")), approves: true, outcome: undetermined, rule: "check/undetermined"},
		row{name: "a launch that is not understood, with --start all", anchor: nothing, head: both(unheard, relocked("base")), start: "all", outcome: escalation, rule: "launch/new"},
		row{name: "nothing live", anchor: asIs, head: asIs, approves: true, live: LiveNone, outcome: clean},
		row{name: "a remote server", anchor: nothing, head: func(w *world) {
			w.declare(".mcp.json", "notes", map[string]any{"type": "http", "url": "https://notes.example/mcp"})
			w.seal(".mcp.json", "notes", "base", launchOnly)
		}, approves: true, outcome: undetermined, rule: "check/undetermined"},
		row{name: "switched off in its file", anchor: nothing, head: func(w *world) {
			clear(w.files)
			w.declare(".gemini/settings.json", "notes", w.server("base"))
			w.files[".gemini/settings.json"] = strings.Replace(w.files[".gemini/settings.json"], "{", `{"mcp": {"excluded": ["notes"]}, `, 1)
		}, approves: true, outcome: clean},
		row{name: "waived, and it cannot be read", anchor: both(sealedAs("crash-at-start", "base"), relocked("base", launchOnly), withFile(PolicyFile, "servers:\n  notes:\n    waive: {reason: needs-auth, why: a login, until: 2026-12-31}\n")), head: asIs, outcome: clean, started: true},
		row{name: "waived until yesterday", anchor: both(sealedAs("crash-at-start", "base"), relocked("base", launchOnly), withFile(PolicyFile, "servers:\n  notes:\n    waive: {reason: needs-auth, why: a login, until: 2026-05-31}\n")), head: asIs, outcome: undetermined, started: true},
		row{name: "waived, and its launch changed", anchor: both(relocked("base", launchOnly), withFile(PolicyFile, "servers:\n  notes:\n    waive: {reason: needs-auth, why: a login, until: 2026-12-31}\n")), head: sealedAs("base", "base", "swapped"), outcome: escalation, rule: "launch/changed"},
		row{name: "excluded by the policy", anchor: both(noLock, withFile(PolicyFile, "exclude:\n  - {glob: .mcp.json, reason: an example}\n")), head: asIs, outcome: clean},
		row{name: "excluded by the change itself", anchor: noLock, head: withFile(PolicyFile, "exclude:\n  - {glob: .mcp.json, reason: an example}\n"), outcome: refused, rule: "launch/not-sealed"},
	)
	// A pipeline that trusts its checkout, and one that names no anchor.
	add("head",
		row{name: "sealed", head: asIs, outcome: clean, started: true},
		row{name: "not sealed", head: noLock, outcome: refused, rule: "launch/not-sealed"},
		row{name: "drifted", head: sealedAs("tool-removed", "base"), outcome: drift, started: true, rule: "surface/tool-removed"},
		row{name: "disabled", head: relocked("base", inReview(lockfile.Disabled)), outcome: escalation, rule: "launch/barred"},
		row{name: "an image of a container", head: both(launched("docker", "run", "-i", "notes:1.0.0"), relocked("base")), outcome: undetermined, rule: "check/undetermined"},
		row{name: "a module of Go", head: both(launched("go", "run", "notes.example/notes@v1.0.0"), relocked("base")), outcome: undetermined, rule: "check/undetermined"},
		row{name: "a text for a shell", head: both(inShell("npx -y notes-server@1.0.0; true"), relocked("base")), outcome: undetermined, rule: "launch/shell"},
		row{name: "a stale lock", head: declares("base", "moved"), outcome: escalation, rule: "launch/changed"},
	)
	add("pipeline",
		row{name: "sealed", head: asIs, outcome: refused, rule: "launch/not-approved"},
		row{name: "sealed by this user", head: asIs, approves: true, outcome: refused, rule: "launch/not-approved"},
		row{name: "not sealed", head: noLock, outcome: refused, rule: "launch/not-sealed"},
		row{name: "nothing declared", head: nothing, outcome: clean},
	)
	return rows
}

// codeRows are ways in which repository code reaches a launch.
func codeRows() []row {
	granted := withFile(PolicyFile, "servers:\n  notes: {local: same-repository}\n")
	script := both(sealedAs("base", "base", "server.js"), withFile("server.js", "1"))
	folder := both(sealedAs("base", "base", "srv"), withFile("srv/lib/a.js", "1"))
	linked := both(sealedAs("base", "base", "bin/run"), withFile("bin/run", "->../srv/main.js"), withFile("srv/main.js", "1"))
	shell := both(sealedAs("base", "base", "cd srv && node main.js"), withFile("srv/main.js", "1"))
	ending := both(sealedAs("base", "base", "srv/main"), withFile("srv/main.js", "1"))
	changed := "launch/local-code-changed"
	return []row{
		{name: "a file below a folder that is named", anchor: folder, head: withFile("srv/lib/a.js", "2"), live: LiveAll, outcome: refused, rule: changed},
		{name: "a folder that is named, unchanged", anchor: folder, head: withFile("other.js", "2"), live: LiveAll, outcome: clean, started: true},
		{name: "what a linked script leads to", anchor: linked, head: withFile("srv/main.js", "2"), live: LiveAll, outcome: refused, rule: changed},
		{name: "a linked script led elsewhere", anchor: both(linked, withFile("srv/other.js", "1")), head: withFile("bin/run", "->../srv/other.js"), live: LiveAll, outcome: refused, rule: changed},
		{name: "a script named in a line for a shell", anchor: shell, head: withFile("srv/main.js", "2"), live: LiveAll, outcome: refused, rule: changed},
		{name: "a script named without its ending", anchor: ending, head: withFile("srv/main.js", "2"), live: LiveAll, outcome: refused, rule: changed},
		{name: "a package put into node_modules beside npx", anchor: both(asPackage("1.0.0"), relocked("base")), head: withFile("node_modules/notes-server/package.json", "{}"), live: LiveAll, outcome: refused, rule: changed},
		{name: "a program put into node_modules/.bin beside npx", anchor: both(asPackage("1.0.0"), relocked("base")), head: withFile("node_modules/.bin/notes-server", "x"), live: LiveAll, outcome: refused, rule: changed},
		{name: "a linked folder on the way led elsewhere", anchor: both(sealedAs("base", "base", "x/main.js"), withFile("x", "->a"), withFile("a/main.js", "1"), withFile("b/main.js", "2")), head: withFile("x", "->b"), live: LiveAll, outcome: refused, rule: changed},
		{name: "an .npmrc taken away beside npx", anchor: both(asPackage("1.0.0"), relocked("base"), withFile(".npmrc", "registry=https://ours.example")), head: without(".npmrc"), live: LiveAll, outcome: refused, rule: changed},
		{name: "a script taken away", anchor: script, head: without("server.js"), live: LiveAll, outcome: refused, rule: changed},
		{name: "a link taken away from a script", anchor: linked, head: without("bin/run"), live: LiveAll, outcome: refused, rule: changed},
		{name: "granted, from the repository itself", anchor: both(script, granted), head: withFile("server.js", "2"), own: true, live: LiveAll, outcome: clean, started: true},
		{name: "granted, from a fork", anchor: both(script, granted), head: withFile("server.js", "2"), live: LiveAll, outcome: refused, rule: changed},
		{name: "granted by the change itself", anchor: script, head: both(granted, withFile("server.js", "2")), own: true, live: LiveAll, outcome: escalation, rule: changed},
		{name: "not granted, from the repository itself", anchor: script, head: withFile("server.js", "2"), own: true, live: LiveAll, outcome: refused, rule: changed},
		{name: "the same relative command in another folder", anchor: script, head: func(w *world) {
			w.declare("sub/.mcp.json", "notes", w.server("base", "server.js"))
			w.files["sub/server.js"] = "2"
		}, live: LiveAll, outcome: refused, rule: changed},
		{name: "revoked on the default branch since", anchor: asIs, tip: relocked("base", inReview(lockfile.Revoked)), head: asIs, live: LiveAll, outcome: clean, rule: "launch/barred"},
		{name: "unchanged on the default branch since", anchor: asIs, tip: asIs, head: asIs, live: LiveAll, outcome: clean, started: true},
		{name: "a server without a name", anchor: asIs, head: func(w *world) {
			w.declare("sub/.mcp.json", "", w.server("base", "evil"))
		}, live: LiveAll, outcome: undetermined, started: true, rule: "check/undetermined"},
		{name: "switched on by the change", anchor: switchedOff, head: func(w *world) {
			w.declare(".gemini/settings.json", "notes", w.server("base"))
		}, live: LiveChanged, outcome: escalation},
	}
}

// switchedOff declares and locks notes in a file that excludes it.
func switchedOff(w *world) {
	clear(w.files)
	w.declare(".gemini/settings.json", "notes", w.server("base"))
	w.seal(".gemini/settings.json", "notes", "base")
	edited(".gemini/settings.json", "{", `{"mcp": {"excluded": ["notes"]}, `)(w)
}

func launchOnly(e *lockfile.Entry) {
	e.Read = nil
	e.Review = lockfile.Review{State: lockfile.LaunchApproved, Launch: e.Launch.Digest}
}
