package scanner

import (
	"cmp"

	"github.com/toolwarrant/toolwarrant/finding"
	"github.com/toolwarrant/toolwarrant/internal/inspect"
	"github.com/toolwarrant/toolwarrant/lockfile"
)

// refusal says why a target is never started, whoever asks: its declaration is
// not understood in full, or it is no program. Every start goes through it.
func refusal(t Target) (inspect.Result, bool) {
	switch {
	case len(t.Declared) == 0:
		return inspect.Result{Stage: "start", Reason: "not-declared", Detail: "no configuration declares it"}, true
	case !t.Understood():
		return inspect.Result{Stage: "start", Reason: "not-understood", Detail: "its declaration is not understood in full, so it is never started"}, true
	case t.untold() != "":
		return inspect.Result{Stage: "start", Reason: "unresolvable", Detail: t.untold()}, true
	case t.remote():
		return inspect.Result{Stage: "start", Reason: "remote", Detail: "only servers on standard input and output are read; seal --launch-only locks its address"}, true
	}
	return inspect.Result{}, false
}

// untold is what of the launch's words is not understood, so that nobody can tell
// what would be started; empty where everything is.
func (t Target) untold() string {
	if t.remote() || len(t.Declared) == 0 {
		return ""
	}
	return t.command().Why
}

// unfixed names what starts bytes that nobody can hold still before a start;
// empty where the launch is none of these.
func (t Target) unfixed() string {
	switch c := t.command(); {
	case c.Ecosystem == "oci":
		return "a container engine"
	case c.Ecosystem == "go":
		return c.Launcher
	case c.Shelled():
		return "a text for a shell"
	case t.pin() == "indirect":
		return finding.Claim(cmp.Or(c.Launcher, "another program")).Short(40)
	}
	return ""
}

// recorded reports whether somebody with a say approved this launch with this
// repository code and the packages that the lock fixes: a lock that comes with a
// branch may fix others.
func (o Options) recorded(t Target) bool {
	if o.Approved == nil || len(t.Declared) == 0 || !t.Understood() {
		return false
	}
	code, err := o.Code(t)
	if err != nil {
		return false
	}
	var a *lockfile.Artifact
	if l := t.ownLock(); l != nil {
		a = l.Entry.Artifact
	}
	return o.Approved(t.Launch.Digest, Approval(code, a))
}

// Approval is what of a start is recorded beside its launch: the digest of its
// repository code, with that of the packages that its lock fixes.
func Approval(code string, a *lockfile.Artifact) string {
	if a == nil || a.Tree == nil {
		return code
	}
	return code + " " + a.Ecosystem + " " + a.Tree.Digest
}

// approves asks the one question that decides whether a target is started.
func (o Options) approves(t Target) bool {
	_, refused := refusal(t)
	return !refused && o.recorded(t)
}
