package scanner

import (
	"os"
	"strings"
	"testing"

	"github.com/toolwarrant/toolwarrant/internal/manifest"
	"github.com/toolwarrant/toolwarrant/lockfile"
)

// ofProgram seals notes with a digest of its program that is not the one here.
func ofProgram(digit string, change ...func(*lockfile.Entry)) func(*world) {
	program := func(e *lockfile.Entry) {
		e.Artifact = &lockfile.Artifact{Ecosystem: "binary", Name: os.Args[0], Integrity: "sha256:" + strings.Repeat(digit, 64)}
	}
	return relocked("base", append([]func(*lockfile.Entry){program}, change...)...)
}

func elsewhere(e *lockfile.Entry) { e.Read.Probe.Platform = "another/one" }

// programRows are about programs of the machine, whose digest no change brings.
func programRows(add func(kind string, rs ...row)) {
	add("base",
		row{name: "another build of the program here", anchor: ofProgram("1"), head: asIs, live: LiveAll, outcome: clean, started: true, rule: "package/bytes-changed-minor"},
		row{name: "a lock of another build", anchor: ofProgram("1"), head: ofProgram("2"), live: LiveAll, outcome: drift, started: true, rule: "package/bytes-changed-minor"},
		row{name: "a lock of another build, from another platform", anchor: ofProgram("1"), head: ofProgram("2", elsewhere), live: LiveNone, outcome: drift, rule: "surface/other-changed"},
		row{name: "a lock that a program was added to", anchor: asIs, head: ofProgram("2", elsewhere), live: LiveAll, outcome: drift, started: true, rule: "surface/other-changed"},
	)
	add("head",
		row{name: "another build of the program here", head: ofProgram("1"), outcome: drift, started: true, rule: "package/bytes-changed-minor"},
		row{name: "the program of another platform", head: ofProgram("1", elsewhere), outcome: clean, started: true},
	)
}

// TestAsIs tells which launches run a program or a file that can be named.
func TestAsIs(t *testing.T) {
	w := &world{t: t, files: map[string]string{"src/server.js": "", "server.py": "", "run.sh": "", "notes": ""}}
	o := Options{Head: w.fs()}
	for line, want := range map[string]string{
		"node src/server.js --x": "local src/server.js", "node src/server": "local src/server.js", "python server.py": "local server.py",
		"./run.sh": "local run.sh", "env A=1 ./run.sh": "local run.sh",
		"notes": "binary notes", "/opt/notes serve": "binary /opt/notes",
		"env A=1 notes": "", "sh -c notes": "", "python -m notes": "", "npx notes": "", "docker run notes": "", "ssh host notes": "", "node /opt/x.js": "", "uvx notes": "",
	} {
		target := Target{Declared: []manifest.Entry{manifest.Typed(strings.Fields(line))}}
		c, got := target.command(), ""
		if name := o.ownFile(target, c); name != "" {
			got = "local " + name
		} else if alone(c) {
			got = "binary " + c.Words[c.Inner].Text
		}
		if got != want {
			t.Errorf("%s: %q, want %q", line, got, want)
		}
	}
}
