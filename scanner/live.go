package scanner

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"

	"github.com/toolwarrant/toolwarrant/finding"
	"github.com/toolwarrant/toolwarrant/internal/inspect"
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
	attempts int
}

func (r reading) surface() string {
	if r.entry == nil {
		return ""
	}
	return r.entry.Surface()
}

// read starts a target once and makes a lock entry of what it declares.
func (o Options) read(ctx context.Context, t Target) reading {
	if result, refused := refusal(t); refused {
		return reading{result: result}
	}
	at, cleanup, err := o.placeOf(t)
	if err != nil {
		return reading{result: inspect.Result{Stage: "start", Reason: inspect.StartFailed, Detail: "its repository code cannot be written out"}}
	}
	defer cleanup()
	o.tell(t.Name, "reading", false)
	r := reading{plan: inspect.Plan(t.Declared[0].Launch, o.Environment)}
	r.result = inspect.Read(ctx, inspect.Order{
		Argv: o.command(t, at), Env: append(r.plan.Strings(), o.launcherEnv(t)...), Dir: o.Dir,
		Limits: o.Limits, Target: t.Name, Trace: o.Trace,
	})
	r.result = withhold(r.result, granted(t, r.plan))
	r.attempts = r.result.Attempts
	if r.result.Complete() {
		e, err := newEntry(t.Name, t.Places(), t.Launch, r.result.Surface, o.probe(r.plan))
		if err != nil {
			r.result.Reason, r.result.Detail = inspect.Unreadable, err.Error()
		} else {
			r.entry = &e
			o.save(e)
		}
	}
	o.tell(t.Name, r.word(), true)
	return r
}

// save keeps a reading for a later approval. A failure costs a second start and
// nothing else.
func (o Options) save(e lockfile.Entry) {
	if o.Save == nil {
		return
	}
	if data, err := e.Bytes(); err == nil {
		_ = o.Save(e.Launch.Digest, data)
	}
}

// readAgainst reads a target and, where it failed or differs from its lock,
// once more in a fresh process: a difference that does not stand twice is the
// server's instability, not a change.
func (o Options) readAgainst(ctx context.Context, t Target, old lockfile.Entry) reading {
	first := o.read(ctx, t)
	if first.entry != nil && (first.entry.Surface() == old.Surface() || old.Read == nil) || !first.retryable() || ctx.Err() != nil {
		return first
	}
	second := o.read(ctx, t)
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
	case inspect.MissingProgram, inspect.Cancelled, inspect.Unreadable, inspect.Limit:
		return false
	}
	return !r.result.Unstable
}

// launcherEnv gives npm's launcher a cache of its own for each launch: the
// neutral home would make every start a download, and a shared cache would let
// one server change what another runs.
func (o Options) launcherEnv(t Target) []string {
	if c := t.command(); c.Launcher != "npx" && c.Launcher != "npm exec" || o.CacheDir == "" {
		return nil
	}
	dir := filepath.Join(o.CacheDir, "npx", strings.TrimPrefix(t.Launch.Digest, "sha256:"))
	return []string{"npm_config_cache=" + dir, "npm_config_update_notifier=false"}
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
var wanted = regexp.MustCompile(`\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\b`)

// setting matches the ends of names that configure, as against error codes.
var setting = regexp.MustCompile(`_(URL|URI|ID|HOST|PORT|REGION|USER|USERNAME|EMAIL|NAME|PATH|DIR|FILE|ENDPOINT|PROJECT|ORG|WORKSPACE)$`)

// hint says what might help: 11 of 12 measured servers that need a variable
// name it on their standard error before they end.
func (r reading) hint() string {
	switch r.result.Reason {
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

func (r reading) sandbox() finding.Sandbox {
	if r.attempts == 0 {
		return finding.Sandbox{}
	}
	return finding.Sandbox{Profile: "none", Survivors: r.result.Survivors}
}
