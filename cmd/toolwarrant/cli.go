package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"syscall"
	"unicode/utf8"

	"github.com/alecthomas/kong"

	"github.com/toolwarrant/toolwarrant/finding"
	"github.com/toolwarrant/toolwarrant/internal/sandbox"
	"github.com/toolwarrant/toolwarrant/internal/secret"
)

// version is set by the linker in releases.
var version = "dev"

// commands is the whole command line.
type commands struct {
	Scan    scanCmd          `cmd:"" help:"The main job: find every declaration, judge it against the anchor, read what is approved, report."`
	Inspect inspectCmd       `cmd:"" help:"What can this server do? Starts it and lists what it declares; calls no tool."`
	Seal    sealCmd          `cmd:"" help:"Record what was approved: write or refresh locks. Shows differences before it writes."`
	Verify  verifyCmd        `cmd:"" help:"Has it changed since? Reads what is sealed and approved, and compares."`
	Diff    diffCmd          `cmd:"" help:"What is a reviewer asked to approve? Compares two locks, two folders, or REV:PATH. Starts nothing."`
	Review  reviewCmd        `cmd:"" help:"Change what a lock approves: approve-launch, approve-surface, disable, revoke. Starts nothing."`
	Show    showCmd          `cmd:"" help:"Read a lock. Starts nothing."`
	List    listCmd          `cmd:"" help:"Every declared or sealed server with its state, pin and digests. Starts nothing."`
	Env     envCmd           `cmd:"" help:"Which variables would a server get? Names and lengths only. Starts nothing."`
	Plugin  pluginCmd        `cmd:"" help:"plugin verify, plugin fetch: is this plugin archive what it says? Starts nothing of it."`
	Policy  policyCmd        `cmd:"" help:"policy check: what is wrong with the policy, or how it differs from the defaults. Starts nothing."`
	Report  reportCmd        `cmd:"" help:"Render a saved JSON report again, in any format. Starts nothing."`
	Action  actionCmd        `cmd:"" help:"What the GitHub Action runs: everything comes from the runner's environment."`
	Explain explainCmd       `cmd:"" help:"A rule's reason and remedy, or the list of rules."`
	Init    initCmd          `cmd:"" help:"Set a repository up: locks, policy, workflow. Asks before it starts anything, and replaces nothing."`
	Demo    demoCmd          `cmd:"" help:"The main job on an embedded example: seal, an update with a dangerous tool, verify."`
	Version kong.VersionFlag `help:"Print the version."`
}

const description = `The lock file and CI gate for what an agent may call.

A server is given as "-- COMMAND ARGS...", as "--from FILE --server NAME", or by the NAME that a configuration of this repository declares.

Exit codes: 0 clean, 1 unexpected, 2 usage, 3 drift, 4 escalation, 5 undetermined, 6 refused.`

// app is what every command works with.
type app struct {
	ctx            context.Context
	stdin          *os.File
	stdout, stderr io.Writer
	environ        []string
	dir            string // the caller's directory, absolute
	typed          []string
	hasTyped       bool            // "--" was given
	sandbox        sandbox.Profile // unless a flag says otherwise; empty for the default
	ends           []func()
}

// atEnd runs f when the command is over.
func (a *app) atEnd(f func()) { a.ends = append(a.ends, f) }

// job is a command that was parsed.
type job interface {
	Run(*app) (finding.Outcome, error)
}

// run is the program: arguments to exit code.
func run(args []string) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop) // a second signal ends the process
	a := &app{ctx: ctx, stdin: os.Stdin, stdout: os.Stdout, stderr: os.Stderr, environ: os.Environ()}
	outcome, err := a.main(args)
	for _, end := range a.ends {
		end()
	}
	if errors.Is(err, errHelp) {
		return exitClean
	}
	if err != nil {
		a.complain(err)
	}
	return codeOf(outcome, err)
}

// errHelp ends a run that has shown help or version.
var errHelp = errors.New("help was shown")

func (a *app) main(args []string) (finding.Outcome, error) {
	args, a.typed, a.hasTyped = splitTyped(args)
	for _, arg := range append(slices.Clone(args), a.typed...) {
		if !utf8.ValidString(arg) {
			return 0, usage("", "an argument is not valid UTF-8")
		}
	}
	if a.dir == "" {
		dir, err := os.Getwd()
		if err != nil {
			return 0, fmt.Errorf("find the current directory: %w", err)
		}
		a.dir = dir
	}
	cmd, err := a.parse(args)
	if err != nil {
		return 0, err
	}
	if _, takes := cmd.(selecting); a.hasTyped && !takes {
		return 0, usage("only inspect, seal, verify and env take a command after \"--\"", "this command takes nothing after \"--\"")
	}
	outcome, err := cmd.Run(a)
	if err != nil {
		a.broken(cmd, err)
	}
	return outcome, err
}

// splitTyped cuts at the first "--": what follows is a server's own command
// line and none of our flags.
func splitTyped(args []string) (ours, typed []string, has bool) {
	if i := slices.Index(args, "--"); i >= 0 {
		return args[:i], args[i+1:], true
	}
	return args, nil, false
}

func (a *app) parse(args []string) (job, error) {
	var cmds commands
	shown := false
	parser, err := kong.New(&cmds,
		kong.Name("toolwarrant"), kong.Description(description), kong.Writers(a.stdout, a.stderr),
		kong.Vars{"version": "toolwarrant " + version, "sandbox": string(cmp.Or(a.sandbox, defaultSandbox))}, kong.ConfigureHelp(kong.HelpOptions{Compact: true, WrapUpperBound: 80}),
		kong.Exit(func(int) { shown = true }))
	if err != nil {
		return nil, fmt.Errorf("build the command line: %w", err)
	}
	if len(args) == 0 {
		return nil, usage("toolwarrant --help lists the commands", "no command is given")
	}
	k, err := parser.Parse(args)
	switch {
	case shown:
		return nil, errHelp
	case err != nil:
		return nil, usage("toolwarrant --help lists the commands, toolwarrant COMMAND --help its flags", "%v", err)
	}
	cmd, ok := k.Selected().Target.Addr().Interface().(job)
	if !ok {
		return nil, fmt.Errorf("the command %s cannot run", k.Command())
	}
	return cmd, nil
}

// complain prints an error, and how to mend it where that is known.
func (a *app) complain(err error) {
	text, _ := secret.Mask(err.Error()) // what was typed may hold a credential
	_, _ = fmt.Fprintf(a.stderr, "toolwarrant: %s\n", finding.Claim(text))
	var h interface{ Hint() string }
	if errors.As(err, &h) && h.Hint() != "" {
		_, _ = fmt.Fprintf(a.stderr, "toolwarrant: hint: %s\n", finding.Claim(h.Hint()))
	}
}

// getenv reads one variable of the caller's environment.
func (a *app) getenv(name string) string {
	value, _ := a.lookupEnv(name)
	return value
}

func (a *app) lookupEnv(name string) (string, bool) {
	for _, entry := range slices.Backward(a.environ) {
		if k, v, ok := cutEnv(entry); ok && k == name {
			return v, true
		}
	}
	return "", false
}
