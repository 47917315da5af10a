package scanner

import (
	"context"
	"encoding/json"
	"fmt"
	"runtime"
	"slices"
	"strings"

	"github.com/toolwarrant/toolwarrant/internal/fetch"
	"github.com/toolwarrant/toolwarrant/internal/inspect"
	"github.com/toolwarrant/toolwarrant/internal/pattern"
	"github.com/toolwarrant/toolwarrant/internal/secret"
	"github.com/toolwarrant/toolwarrant/lockfile"
)

// reading is what came of starting one target. The zero reading is that of a
// target which was not started.
type reading struct {
	result   inspect.Result
	plan     inspect.Environment
	entry    *lockfile.Entry // nil where it was not read in full
	seen     *lockfile.Entry // where two starts differ: what the first one gave
	tree     fetch.Closure   // of the packages that were started
	artifact *lockfile.Artifact
	unknown  error  // what keeps its bytes from being recorded
	advice   string // of whoever could not get its bytes
	attempts int
	profile  inspect.Profile
	fetches  bool // so that no profile could confine it
}

func (r reading) surface() string {
	if r.entry == nil {
		return ""
	}
	return r.entry.Surface()
}

// read fixes the bytes of a target, starts it once and makes a lock entry of what
// it declares.
func (o Options) read(ctx context.Context, t Target, from source) reading {
	if result, refused := refusal(t); refused {
		return reading{result: result}
	}
	profile, why := o.confinement(t)
	if why != "" {
		return reading{result: inspect.Result{Stage: "start", Reason: noSandbox, Detail: why}}
	}
	at, cleanup, err := o.placeOf(t)
	if err != nil {
		return reading{result: inspect.Result{Stage: "start", Reason: inspect.StartFailed, Detail: "its repository code cannot be written out"}}
	}
	defer cleanup()
	r := reading{plan: inspect.Plan(t.Declared[0].Launch, o.Environment), profile: profile, fetches: o.fetches(t)}
	if c := t.Declared[0].Launch.Command(); fixable(c) {
		o.tell(t.Name, "resolving", false)
	}
	what, err := o.fix(ctx, t, at, from, r.plan.Strings())
	if err != nil {
		r.result, r.advice = unfixed(err), adviceOf(err)
		o.tell(t.Name, r.word(), true)
		return r
	}
	o.tell(t.Name, "reading", false)
	r.tree, r.artifact = what.tree, what.artifact
	r.result = inspect.Read(ctx, inspect.Order{
		Argv: what.argv, Env: r.plan.Strings(), Dir: o.Dir, Limits: o.Limits, Target: t.Name, Trace: o.Trace,
		Profile: profile, Read: append(o.readable(t, at), what.read...),
	})
	r.result = withhold(r.result, granted(t, r.plan))
	r.advice = r.scripts()
	r.attempts = r.result.Attempts
	if r.result.Complete() {
		e, err := newEntry(t.Name, t.Places(), t.Launch, r.result.Surface, o.probe(r.plan))
		e.Artifact = what.artifact
		if e.Artifact == nil {
			e.Artifact, r.unknown = o.image(ctx, t) // behind the start, which may have pulled it
		}
		r.artifact = e.Artifact
		if err != nil {
			r.result.Reason, r.result.Detail = inspect.Unreadable, err.Error()
		} else {
			e.Read.ObservedHost = r.result.Seen.Hosts
			r.entry = &e
			o.save(e, what.tree)
		}
	}
	o.tell(t.Name, r.word(), true)
	return r
}

// scripts says what may be missing where a server with packages that want to run a
// script on installation did not start: of 35 measured servers one needed it.
func (r reading) scripts() string {
	ended := r.result.Reason == inspect.Died || r.result.Reason == inspect.StartFailed
	if !ended || r.artifact == nil || len(r.artifact.InstallScripts) == 0 {
		return ""
	}
	return fmt.Sprintf("needs-scripts: install scripts are never run, and %s has one; a server that cannot do without it is sealed with --launch-only and waived as needs-scripts in the policy",
		someOf(r.artifact.InstallScripts))
}

// save keeps a reading for a later approval. A failure costs a second start and
// nothing else.
func (o Options) save(e lockfile.Entry, tree fetch.Closure) {
	if o.Save == nil {
		return
	}
	var beside []byte
	if tree != nil {
		var err error
		if beside, err = tree.Bytes(); err != nil {
			return
		}
	}
	if data, err := e.Bytes(); err == nil {
		_ = o.Save(e.Launch.Digest, data, beside)
	}
}

// readAgainst reads a target and, where it failed or differs from its lock,
// once more in a fresh process: a difference that does not stand twice is the
// server's instability, not a change.
func (o Options) readAgainst(ctx context.Context, t Target, old lockfile.Entry, from source) reading {
	first := o.read(ctx, t, from)
	if first.entry != nil && (first.entry.Surface() == old.Surface() || old.Read == nil) || !first.retryable() || ctx.Err() != nil {
		return first
	}
	if first.tree != nil { // the same bytes, whatever the registry gives by now
		from = source{lock: &Lock{Tree: first.tree}}
	}
	second := o.read(ctx, t, from)
	second.attempts += first.attempts
	switch {
	case first.entry == nil || first.entry.Surface() == second.surface():
		return second
	case second.entry == nil: // what was seen once is not unseen by a failure
		first.attempts = second.attempts
		return first
	}
	second.result.Unstable, second.seen = true, first.entry
	second.result.Reason, second.result.Detail = inspect.Unstable, "two starts gave different lists"
	second.entry = nil
	return second
}

// retryable reports whether another start may end otherwise.
func (r reading) retryable() bool {
	switch r.result.Reason {
	case noSandbox, inspect.MissingProgram, inspect.Cancelled, inspect.Unreadable, inspect.Limit:
		return false
	}
	return !r.result.Unstable && r.result.Stage != resolveStage
}

func (o Options) probe(plan inspect.Environment) lockfile.Probe {
	return lockfile.Probe{
		Platform: runtime.GOOS + "/" + runtime.GOARCH, Client: inspect.Client,
		Capabilities: json.RawMessage(`{}`), RealEnv: plan.Real(),
	}
}

// word tells a reading in a few words.
func (r reading) word() string {
	if r.entry == nil {
		return "not read: " + r.why()
	}
	if n := len(r.entry.Tools()); n != 1 {
		return fmt.Sprintf("%d tools", n)
	}
	return "1 tool"
}

// why says why a target was not read in full.
func (r reading) why() string {
	if r.result.Reason == "" {
		return "not read"
	}
	return fmt.Sprintf("%s: %s (at %s)", r.result.Reason, r.result.Detail, r.result.Stage)
}

// wanted matches what looks like the name of an environment variable.
var wanted = pattern.Of(`\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\b`)

// setting matches the ends of names that configure, as against error codes.
var setting = pattern.Of(`_(URL|URI|ID|HOST|PORT|REGION|USER|USERNAME|EMAIL|NAME|PATH|DIR|FILE|ENDPOINT|PROJECT|ORG|WORKSPACE)$`)

// hint says what might help: 11 of 12 measured servers that need a variable
// name it on their standard error before they end.
func (r reading) hint() string {
	switch {
	case r.advice != "":
		return r.advice
	case r.result.Stage == resolveStage:
		return ""
	}
	switch r.result.Reason {
	case noSandbox:
		return unconfinedHint
	case inspect.MissingProgram:
		return "install the program, or correct the command"
	case inspect.Timeout:
		return "--timeout 60s gives it longer; if it waits for a backend or a login it cannot be read here"
	}
	names := slices.DeleteFunc(wanted.FindAllString(r.result.LastWords, -1), func(n string) bool { return !secret.NameLooksSecret(n) && !setting.MatchString(n) })
	slices.Sort(names)
	if names = slices.Compact(names); len(names) > 0 {
		return "it may ask for " + strings.Join(names[:min(3, len(names))], ", ") + "; declare it, or pass --env NAME=VALUE (a dummy is enough for most servers)"
	}
	return ""
}
