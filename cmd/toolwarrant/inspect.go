package main

import (
	"io"

	"github.com/toolwarrant/toolwarrant/finding"
	"github.com/toolwarrant/toolwarrant/internal/report"
	"github.com/toolwarrant/toolwarrant/scanner"
)

// inspectCmd reads one server and tells what it can do.
type inspectCmd struct {
	selectFlags
	liveFlags
	outputFlags
	Target string `arg:"" optional:"" name:"server" help:"A server that this repository declares."`
}

// Run starts the server. Asking for it is the approval.
func (c *inspectCmd) Run(a *app) (finding.Outcome, error) {
	r, err := a.repositoryFor(c)
	if err != nil {
		return 0, err
	}
	defer r.close()
	t, err := c.one(a, r)
	if err != nil {
		return 0, err
	}
	o, done, err := c.options(a, r, c.Quiet)
	if err != nil {
		return 0, err
	}
	i := scanner.Inspect(a.ctx, o, t)
	if err := done(); err != nil {
		return 0, err
	}
	err = c.write(a, view{json: i, text: func(w io.Writer, s report.Style) error { return report.Inspection(w, i, s) }})
	if scanner.Unstarted(i) {
		return finding.Refused, err
	}
	if !i.Complete() {
		return finding.Undetermined, err
	}
	return finding.Clean, err
}

func (c *inspectCmd) one(a *app, r *repository) (scanner.Target, error) {
	if c.Target == "" {
		if !c.given(a) {
			return scanner.Target{}, usage("toolwarrant inspect -- COMMAND ARGS..., --from FILE --server NAME, or a NAME that toolwarrant list shows", "no server is named")
		}
		return c.target(a, r)
	}
	if c.given(a) {
		return scanner.Target{}, usage("", "a NAME and another way to name a server exclude each other")
	}
	return r.onlyOne(c.Target)
}

// onlyOne picks the declared target of a name, which must be one.
func (r *repository) onlyOne(name string) (scanner.Target, error) {
	found, err := r.named([]string{name})
	switch {
	case err != nil:
		return scanner.Target{}, err
	case len(found) > 1:
		return scanner.Target{}, usage("use the launch digest that toolwarrant list shows", "%q names %d different launches", name, len(found))
	case len(found[0].Declared) == 0:
		return scanner.Target{}, usage("toolwarrant show reads its lock", "%q is sealed, but no configuration declares it", name)
	}
	return found[0], nil
}
