package scanner

import (
	"context"
	"strings"

	"github.com/toolwarrant/toolwarrant/internal/inspect"
	"github.com/toolwarrant/toolwarrant/internal/manifest"
	"github.com/toolwarrant/toolwarrant/lockfile"
)

const (
	ecosystemBinary = "binary"
	ecosystemLocal  = "local"
)

// asIs is a launch that fetches nothing which can be locked, with what can be told
// of the bytes that it runs: the digest of a program of the machine, or the place
// of a file of the repository, whose commit pins it.
func (o Options) asIs(ctx context.Context, t Target, c manifest.Command, argv, env []string) fixed {
	if name := o.ownFile(t, c); name != "" {
		return fixed{argv: argv, artifact: &lockfile.Artifact{Ecosystem: ecosystemLocal, Name: name}}
	}
	if !alone(c) || len(argv) == 0 {
		return fixed{argv: argv}
	}
	p, err := inspect.FindProgram(ctx, argv[0], env)
	if err != nil { // the start says why
		return fixed{argv: argv}
	}
	return fixed{
		argv:     append([]string{p.Path}, argv[1:]...),
		artifact: &lockfile.Artifact{Ecosystem: ecosystemBinary, Name: c.Words[c.Inner].Text, Integrity: p.Sum},
	}
}

// alone reports whether a launch starts a program of the machine by itself, with
// no interpreter, launcher or shell that would run something else.
func alone(c manifest.Command) bool {
	return c.Pin == "host" && c.Why == "" && c.Launcher == "" && len(c.Wrappers) == 0 && c.Text < 0 && c.Inner == 0
}

// ownFile is the file of the repository that a launch runs, from the root; empty
// where it runs none. A program named without a separator is never one: PATH says
// where it lies.
func (o Options) ownFile(t Target, c manifest.Command) string {
	word := c.File()
	if c.Fetches() || c.Why != "" || word == "" || c.Launcher == "" && !strings.ContainsAny(word, `/\`) {
		return ""
	}
	var own code
	if !o.addNames(&own, t.Declared[0], word, true) || len(own.named) == 0 {
		return ""
	}
	return own.named[0]
}
