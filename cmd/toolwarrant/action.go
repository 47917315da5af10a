package main

import (
	"bytes"
	"errors"

	"github.com/toolwarrant/toolwarrant/finding"
	"github.com/toolwarrant/toolwarrant/internal/action"
	"github.com/toolwarrant/toolwarrant/internal/report"
	"github.com/toolwarrant/toolwarrant/internal/sandbox"
	"github.com/toolwarrant/toolwarrant/internal/store"
	"github.com/toolwarrant/toolwarrant/scanner"
)

// actionCmd is what action.yml runs. It takes everything from the runner's
// environment.
type actionCmd struct{}

// Run becomes the conductor of the action, in this process: what it returns is why
// it did not.
func (c *actionCmd) Run(a *app) (finding.Outcome, error) {
	r, warnings, err := action.ReadRunner(a.environ)
	if err != nil {
		return 0, usage("toolwarrant scan is the command for people and for other pipelines", "%v", err)
	}
	return entered(a, action.Enter(r, warnings, defaultSandbox))
}

// entered is what comes of not getting in: a system on which nothing is judged is a
// refusal.
func entered(a *app, err error) (finding.Outcome, error) {
	if errors.Is(err, action.ErrSystem) {
		a.note(err.Error())
		return finding.Refused, nil
	}
	return finding.Undetermined, err
}

// childRoles are what this program is when it starts itself.
var childRoles = []sandbox.Role{
	demoRole,
	{Name: action.ConductRole, Run: func(args []string) int {
		return action.Conduct(args, action.Deps{Version: version, Refuse: refusal, Write: writeBelow})
	}},
	{Name: action.ScanRole, Run: func([]string) int { return scanRole() }},
	{Name: action.PostRole, Run: func([]string) int { return action.Post(scanner.Explanations(), exitCodes) }},
}

// refusal is the report of a run that judges nothing.
func refusal(why, hint string) ([]byte, error) {
	return encoded(scanner.Refuse(scanner.Options{Tool: version, Anchor: scanner.Anchor{Kind: "none"}}, why, hint))
}

// encoded is a report as JSON, with the exit code of its outcome.
func encoded(r finding.Report) ([]byte, error) {
	r.ExitCode = exitCodes[r.Outcome]
	var b bytes.Buffer
	err := report.JSON(&b, r)
	return b.Bytes(), err
}

func writeBelow(root, name string, data []byte) error {
	s, err := store.Open(root)
	if err != nil {
		return errors.New("the checkout cannot be opened")
	}
	defer func() { _ = s.Close() }()
	return s.Write(name, data)
}
