package scanner

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/toolwarrant/toolwarrant/finding"
	"github.com/toolwarrant/toolwarrant/internal/inspect"
	"github.com/toolwarrant/toolwarrant/internal/manifest"
	"github.com/toolwarrant/toolwarrant/internal/policy"
	"github.com/toolwarrant/toolwarrant/internal/secret"
	"github.com/toolwarrant/toolwarrant/lockfile"
)

// grant is what the anchor's policy gives a start beyond placeholders: the real
// values of some variables, to the bytes that were approved and to no others. The
// zero grant gives none.
type grant struct {
	server   policy.Server
	approved *lockfile.Entry
}

// grant is that of a target. What a fork proposes gets no real value, whatever it
// starts, and neither does code that nobody with a say has approved.
func (sc *scan) grant(t Target, p past) grant {
	g := grant{server: sc.grants(t, p), approved: sc.approvedEntry(t, p)}
	fork := sc.o.Anchor.Change && !sc.o.SameRepository
	switch a := g.approved; {
	case len(g.server.Env) == 0 || fork || sc.policy.Broken():
		return grant{}
	case a == nil || a.Read == nil || a.Artifact == nil || a.Review.State != lockfile.Approved || a.Launch.Digest != t.Launch.Digest:
		return grant{}
	case !sc.standsIn(t) && !sc.sameCode(t):
		return grant{}
	}
	return g
}

// sameCode reports whether the repository code of a target is the anchor's.
func (sc *scan) sameCode(t Target) bool {
	files, err := sc.codeOf(t).changed(sc.o.Anchor.FS, sc.o.Head, sc.o.tracked())
	return err == nil && len(files) == 0
}

// values are the real values of a launch that runs these bytes. A variable that
// refers to what our own environment lacks keeps its placeholder.
func (g grant) values(l manifest.Launch, running *lockfile.Artifact, o inspect.EnvOptions, probe lockfile.Probe) map[string]secret.Value {
	out := map[string]secret.Value{}
	if g.approved == nil || !SameBytes(*g.approved, lockfile.Entry{Artifact: running, Read: &lockfile.Read{Probe: probe}}) {
		return out
	}
	for _, b := range l.Env {
		if _, given := o.Set[b.Name]; given || !slices.Contains(g.server.Env, b.Name) {
			continue
		}
		if v, ok := realValue(b, o.Parent); ok {
			out[b.Name] = v
		}
	}
	return out
}

// realValue is what a host would give for a declared variable.
func realValue(b manifest.Binding, environ []string) (secret.Value, bool) {
	ours := map[string]string{}
	for _, e := range environ {
		if name, value, ok := strings.Cut(e, "="); ok {
			ours[name] = value
		}
	}
	for _, name := range b.Refs {
		if _, ok := ours[name]; !ok {
			return secret.Value{}, false
		}
	}
	switch {
	case len(b.Refs) == 0:
		return b.Value, b.Value.Len() > 0
	case len(b.Refs) == 1 && !b.Literal:
		return secret.New(ours[b.Refs[0]]), true
	}
	replaced := map[string]bool{}
	text := variable.ReplaceAllStringFunc(b.Value.Reveal(), func(ref string) string {
		name, _, _ := strings.Cut(strings.TrimPrefix(ref[2:len(ref)-1], "env:"), ":-")
		replaced[name] = true
		return ours[name]
	})
	return secret.New(text), len(replaced) == len(b.Refs)
}

// with adds real values to what the user gives.
func with(o inspect.EnvOptions, values map[string]secret.Value) inspect.EnvOptions {
	set := maps.Clone(values)
	maps.Copy(set, o.Set)
	o.Set = set
	return o
}

const withheldReason inspect.Reason = "withheld"

// withheld keeps to itself what a server says that held real values and lists
// something else than what was approved, or could not be read: nobody can tell
// whether its words hold such a value in a form that is not looked for.
func (r reading) withheld(t Target, g grant) reading {
	if len(r.real) == 0 || r.entry != nil && r.entry.Surface() == g.approved.Surface() {
		return r
	}
	names := make([]string, len(r.real))
	for i, n := range r.real {
		names[i] = finding.Claim(n).Short(60)
	}
	held := "it held the real value of " + strings.Join(names, ", ") + ", so that nothing of what it says is shown"
	res := inspect.Result{Stage: r.result.Stage, Reason: r.result.Reason, Attempts: r.result.Attempts, Elapsed: r.result.Elapsed,
		Survivors: r.result.Survivors, Left: r.result.Left, Seen: r.result.Seen, Detail: "it was not read in full; " + held}
	switch {
	case r.entry != nil:
		res.Stage, res.Reason, res.Detail = "listing", withheldReason, "it lists something else than was approved; "+held
	case r.result.Unstable:
		res.Detail = "two readings differ; " + held
	}
	res.Seen.Hosts = maskAll(res.Seen.Hosts, func(h string) bool {
		host, port := inspect.Host(h)
		return g.server.ListsHost(host, port) || records(g.approved, host, port)
	})
	res.Seen.Wrote = maskAll(res.Seen.Wrote, g.server.ListsFile)
	r.result, r.entry, r.seen = res, nil, nil
	r.advice = fmt.Sprintf("toolwarrant seal %s reads it with placeholders and shows the difference", sealName(t))
	return r
}

// maskAll replaces what is not known by one mark; nil stays nil.
func maskAll(list []string, known func(string) bool) []string {
	var out []string
	for _, s := range list {
		if !known(s) {
			s = secret.Mark
		}
		out = append(out, s)
	}
	if list != nil && out == nil {
		out = []string{}
	}
	slices.Sort(out)
	return slices.Compact(out)
}
