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

// recorded reports whether somebody with a say approved this launch with this
// repository code.
func (o Options) recorded(t Target) bool {
	if o.Approved == nil || len(t.Declared) == 0 || !t.Understood() {
		return false
	}
	code, err := o.Code(t)
	return err == nil && o.Approved(t.Launch.Digest, code)
}

// approves asks the one question that decides whether a target is started.
func (o Options) approves(t Target) bool {
	_, refused := refusal(t)
	return !refused && o.recorded(t)
}
