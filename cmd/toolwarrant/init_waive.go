package main

import (
	"fmt"
	"slices"
	"time"

	"github.com/toolwarrant/toolwarrant/finding"
	"github.com/toolwarrant/toolwarrant/scanner"
)

// waive offers to accept that a server is not read, for each that was tried and
// could not be. Whoever accepts gets a lock of the launch alone and an entry in
// the policy.
func (i *initRun) waive(s *sealRun) error {
	last, err := until(i.date)
	if err != nil {
		return err
	}
	for _, p := range s.unread {
		reason := scanner.WaiverReason(p)
		if reason == "" || finding.Claim(p.Target.Name).String() != p.Target.Name {
			continue
		}
		w := finding.Waiver{Server: p.Target.Name, Reason: reason, Why: "could not be read when toolwarrant was set up", Until: last}
		w.Accepted = i.canWaive() && i.accepts(w)
		if w.Accepted {
			if w.Accepted, err = i.launchOnly(s, p, w); err != nil {
				return err
			}
		}
		i.result.Waivers = append(i.result.Waivers, w)
	}
	return nil
}

// canWaive reports whether the policy is init's to write: one that is there
// stays.
func (i *initRun) canWaive() bool { return !i.there(policyPath) }

func (i *initRun) accepts(w finding.Waiver) bool {
	if i.Waive {
		return true
	}
	if i.Yes || !i.a.interactive() {
		return false
	}
	return i.a.ask(fmt.Sprintf("%s cannot be read here. Accept that until %s (%s)?", finding.Claim(w.Server).Quote(), w.Until, w.Reason))
}

// launchOnly seals the launch of what was not read.
func (i *initRun) launchOnly(s *sealRun, p scanner.Proposal, w finding.Waiver) (bool, error) {
	launch := scanner.Propose(i.a.ctx, s.o, i.r.Repo, p.Target, true)
	launch.File = p.File
	code, err := s.o.Code(p.Target)
	if err != nil {
		code = ""
	}
	result, err := s.settle(launch, true, code)
	if err != nil {
		return false, err
	}
	at := slices.IndexFunc(s.results, func(x finding.Sealed) bool { return x.File == p.File })
	if at < 0 || result.State != finding.SealWritten {
		return false, nil
	}
	result.Reason = fmt.Sprintf("not read, accepted until %s: %s", w.Until, w.Reason)
	s.results[at] = result
	return true, nil
}

// offered proposes the lines for a policy that waive what nobody accepted.
func (i *initRun) offered() []finding.NewFile {
	var open []finding.Waiver
	for _, w := range i.result.Waivers {
		if !w.Accepted {
			w.Accepted = true // as it would stand there
			open = append(open, w)
		}
	}
	if len(open) == 0 {
		return nil
	}
	why := "these lines accept that " + servers(len(open)) + " cannot be read; toolwarrant seal NAME --launch-only writes the lock that they need"
	return []finding.NewFile{{Path: policyPath, State: finding.FileProposed, Why: why, Text: waiverLines(open)}}
}

func servers(n int) string {
	if n == 1 {
		return "one server"
	}
	return fmt.Sprintf("%d servers", n)
}

// daysAfter is a day so many days after another.
func daysAfter(day string, n int) (string, error) {
	t, err := time.Parse(time.DateOnly, day)
	if err != nil {
		return "", err
	}
	return t.AddDate(0, 0, n).Format(time.DateOnly), nil
}
