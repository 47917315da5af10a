package scanner

import "github.com/toolwarrant/toolwarrant/internal/inspect"

// refusal says why a target is never started, whoever asks: its declaration is
// not understood in full, or it is no program. Every start goes through it.
func refusal(t Target) (inspect.Result, bool) {
	switch {
	case len(t.Declared) == 0:
		return inspect.Result{Stage: "start", Reason: "not-declared", Detail: "no configuration declares it"}, true
	case !t.Understood():
		return inspect.Result{Stage: "start", Reason: "not-understood", Detail: "its declaration is not understood in full, so it is never started"}, true
	case t.remote():
		return inspect.Result{Stage: "start", Reason: "remote", Detail: "only servers on standard input and output are read; seal --launch-only locks its address"}, true
	}
	return inspect.Result{}, false
}

// approves asks the one question that decides whether a scan or verify starts a
// target: did somebody with a say approve this launch with this repository code?
func (o Options) approves(t Target) bool {
	if _, refused := refusal(t); refused || o.Approved == nil {
		return false
	}
	code, err := o.Code(t)
	return err == nil && o.Approved(t.Launch.Digest, code)
}
