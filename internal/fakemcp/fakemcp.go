// Package fakemcp is an MCP server for tests that behaves as badly as it is
// told to. It is in no shipped binary and imports nothing of this module, so
// that what it says does not come from the code under test.
//
// A behaviour is chosen by name, from an argument or from a file, so that the
// launch of a server stays equal while its behaviour changes:
//
//	fakemcp [-log FILE] [-sentinel FILE] [-file FILE | -behaviour NAME]
//
// The log gets one line for everything received: "start", "env NAME=VALUE",
// "dir PATH", "method NAME", "answer result" or "answer error CODE", and "pid N"
// for every process that the server starts. The handlers of tools/call,
// resources/read and prompts/get write the sentinel file.
package fakemcp

import (
	"bufio"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"
)

// Behaviour names one way to behave.
type Behaviour struct{ Name, Doc string }

// Behaviours lists all of them: the surfaces, which differ only in what is
// declared, and then the ways to break the protocol, the clock or the machine.
func Behaviours() []Behaviour {
	var out []Behaviour
	for _, m := range mutations {
		out = append(out, Behaviour{m.name, m.doc})
	}
	for _, b := range behaviours {
		out = append(out, Behaviour{b.name, b.doc})
	}
	return out
}

// Main is the server. It returns an exit code; args are the arguments after the
// program's name. Whoever starts children of itself is started again with what
// os.Args has before args, so a test binary may put a word of its own there.
func Main(args []string) int {
	if len(args) == 2 && args[0] == aside {
		return besides(args[1])
	}
	s := server{out: bufio.NewWriter(os.Stdout), in: bufio.NewReader(os.Stdin), prefix: os.Args[:len(os.Args)-len(args)]}
	flags := flag.NewFlagSet("fakemcp", flag.ContinueOnError)
	flags.SetOutput(os.Stderr)
	name := flags.String("behaviour", "base", "what to do")
	file := flags.String("file", "", "a file that holds the name of the behaviour")
	log := flags.String("log", "", "a file for what is received")
	flags.StringVar(&s.sentinel, "sentinel", "", "a file that is written when something is called")
	if flags.Parse(args) != nil {
		return 2
	}
	if *file != "" {
		text, err := os.ReadFile(*file)
		if err != nil {
			fmt.Fprintln(os.Stderr, "fakemcp: the file of the behaviour cannot be read")
			return 2
		}
		*name = strings.TrimSpace(string(text))
	}
	b, ok := find(*name)
	if !ok {
		fmt.Fprintf(os.Stderr, "fakemcp: there is no behaviour %q\n", *name)
		return 2
	}
	s.openLog(*log)
	return s.run(b)
}

func find(name string) (behaviour, bool) {
	for _, b := range behaviours {
		if b.name == name {
			return b, true
		}
	}
	if _, ok := mutation(name); ok {
		return behaviour{name: name, surface: name}, true
	}
	return behaviour{}, false
}

// openLog appends to the log, and counts the starts that are in it already.
func (s *server) openLog(path string) {
	s.log = io.Discard
	if path == "" {
		return
	}
	old, _ := os.ReadFile(path)
	s.earlier = strings.Count("\n"+string(old), "\nstart\n")
	if f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600); err == nil {
		s.log = f
	}
	s.note("start")
	for _, e := range os.Environ() {
		s.note("env " + e)
	}
	if dir, err := os.Getwd(); err == nil {
		s.note("dir " + dir)
	}
}

func (s *server) note(line string) { _, _ = fmt.Fprintln(s.log, line) }
