package scanner

import (
	"fmt"
	"strings"

	"github.com/toolwarrant/toolwarrant/finding"
)

// Sighting is what was seen of a server while it was read, as far as nobody
// with a say expects it.
type Sighting struct {
	Hosts     []string // contacted, and neither the policy nor the lock lists them
	Recorded  []string // contacted, and the lock says so
	Decoys    []string // opened, and the policy does not list them
	Wrote     []string // left outside of its own folders, and the policy does not list them
	Survivors int      // processes that outlived it and were ended
	Left      int      // processes that could not be ended
	// Unconfined says that it was read without a profile though nobody asked for
	// that: its launcher fetches what it runs.
	Unconfined bool
}

var ruleUnconfinedLauncher = Rule{
	ID:     "sandbox/unconfined-launcher",
	Title:  "A server was read unconfined, because its launcher fetches it",
	Why:    "A launcher such as go run reaches the network when it is started, which no sandbox profile allows. What the server does besides is not seen.",
	Remedy: "Install the package and declare its program (`node PATH`), or pass `--sandbox full` where the launcher needs no network.",
	Level:  finding.Note,
	Bad:    Example{State: compared, Seen: Sighting{Unconfined: true}},
	Good:   Example{State: compared},
	check: func(s Subject, r Rule) []finding.Finding {
		if !s.Seen.Unconfined {
			return nil
		}
		return []finding.Finding{r.new(s, s.At, finding.Claim(s.Name).Quote()+" was read without a sandbox: its launcher fetches what it runs")}
	},
}

var ruleUnconfined = Rule{
	ID:      "sandbox/unavailable",
	Title:   "Nothing was started, because nothing confines it here",
	Why:     "Reading a server starts somebody else's program. Without a sandbox it may read and send whatever the user who reads it may.",
	Remedy:  "`--live none` compares locks and launches without starting anything; `--sandbox none` starts servers unconfined. On Linux the message says what each profile lacks.",
	Level:   finding.Error,
	Outcome: outcome(finding.Refused),
	Bad:     Example{State: unconfined, Reason: "not started: this system has no sandbox profile"},
	Good:    Example{State: compared},
	check: func(s Subject, r Rule) []finding.Finding {
		if s.State != unconfined {
			return nil
		}
		f := r.new(s, s.At, fmt.Sprintf("%s: %s", finding.Claim(s.Name).Quote(), s.Reason))
		f.Hint = s.Hint
		return []finding.Finding{f}
	},
}

var ruleDecoyRead = Rule{
	ID:     "sandbox/decoy-read",
	Title:  "A server opened credentials that are none of its business",
	Why:    "The home that a server gets holds files that look like a user's credentials. Of 35 widely used servers none opened any when it was only asked what it can do, npm's configuration apart. One that does is looking for something.",
	Remedy: "Do not run it until you know why. If it has to read that file, list it in the policy under servers.NAME.files.",
	Level:  finding.Error,
	Bad:    Example{State: compared, Seen: Sighting{Decoys: []string{"~/.aws/credentials"}}},
	Good:   Example{State: compared, Seen: Sighting{Decoys: []string{"~/.npmrc"}}},
	check: func(s Subject, r Rule) []finding.Finding {
		return r.saw(s, except(s.Seen.Decoys, npmConfig), "opened a decoy among its credentials: %s")
	},
}

// npmConfig is read by every program that starts npm, as two of the measured
// servers do to look for an update of themselves.
const npmConfig = "~/.npmrc"

var ruleDecoyReadMinor = Rule{
	ID:     "sandbox/decoy-read-minor",
	Title:  "A server opened npm's configuration",
	Why:    "npm reads this file, and so does every server that starts npm. It may hold a token.",
	Remedy: "Nothing, where the server starts npm. List the file in the policy under servers.NAME.files to hear no more of it.",
	Level:  finding.Note,
	Bad:    Example{State: compared, Seen: Sighting{Decoys: []string{"~/.npmrc"}}},
	Good:   Example{State: compared, Seen: Sighting{Decoys: []string{"~/.aws/credentials"}}},
	check: func(s Subject, r Rule) []finding.Finding {
		if len(except(s.Seen.Decoys, npmConfig)) == len(s.Seen.Decoys) {
			return nil
		}
		return r.saw(s, []string{npmConfig}, "opened %s")
	},
}

var ruleHostContacted = Rule{
	ID:     "sandbox/host-contacted",
	Title:  "A server wanted to reach the network before anybody called a tool",
	Why:    "A server that is only asked what it can do needs no network, or only its own service. Where it goes besides is where data can go. Nothing was reached: the sandbox refuses every connection.",
	Remedy: "Find out what it wants there. List the host in the policy under servers.NAME.hosts, or seal again: a lock records the hosts that were wanted when it was written.",
	Level:  finding.Warning,
	Bad:    Example{State: compared, Seen: Sighting{Hosts: []string{"collect.example.com:443"}}},
	Good:   Example{State: unread, Reason: "timeout"},
	check: func(s Subject, r Rule) []finding.Finding {
		known := r.saw(s, s.Seen.Recorded, "wanted to reach %s, as its lock says")
		for i := range known {
			known[i].Known = true
		}
		return append(r.saw(s, s.Seen.Hosts, "wanted to reach %s"), known...)
	},
}

var ruleWroteOutside = Rule{
	ID:     "sandbox/wrote-outside",
	Title:  "A server left files outside of its own folders",
	Why:    "A server has a home, a directory and a temp of its own. Files elsewhere are how a program stays after it was ended, or changes what others run. They were kept in memory and are gone.",
	Remedy: "Find out what it is. If it has to write there, list the file in the policy under servers.NAME.files.",
	Level:  finding.Error,
	Bad:    Example{State: compared, Seen: Sighting{Wrote: []string{"/var/tmp/.cache"}}},
	Good:   Example{State: compared},
	check: func(s Subject, r Rule) []finding.Finding {
		return r.saw(s, s.Seen.Wrote, "left files outside of its own folders: %s")
	},
}

var ruleSurvivor = Rule{
	ID:     "sandbox/survivor",
	Title:  "A server's process could not be ended",
	Why:    "What goes on running after the reading is over is out of sight.",
	Remedy: "End it by hand, and report it: no process should be able to stay.",
	Level:  finding.Error,
	Bad:    Example{State: compared, Seen: Sighting{Left: 1}},
	Good:   Example{State: compared, Seen: Sighting{Survivors: 1}},
	check: func(s Subject, r Rule) []finding.Finding {
		if s.Seen.Left == 0 {
			return nil
		}
		return []finding.Finding{r.new(s, s.At, fmt.Sprintf("%s left processes that could not be ended: %d", finding.Claim(s.Name).Quote(), s.Seen.Left))}
	},
}

var ruleSurvivorMinor = Rule{
	ID:     "sandbox/survivor-minor",
	Title:  "A server left processes behind, which were ended",
	Why:    "Some servers detach a watchdog that outlives them. Under a client it goes on running when the client has ended the server.",
	Remedy: "Nothing here: every process was ended.",
	Level:  finding.Note,
	Bad:    Example{State: compared, Seen: Sighting{Survivors: 1}},
	Good:   Example{State: compared},
	check: func(s Subject, r Rule) []finding.Finding {
		if s.Seen.Survivors == 0 {
			return nil
		}
		return []finding.Finding{r.new(s, s.At, fmt.Sprintf("%s left processes behind, which were ended: %d", finding.Claim(s.Name).Quote(), s.Seen.Survivors))}
	},
}

// mostNamed bounds how many things one finding names.
const mostNamed = 20

// saw is one finding about a list of foreign texts; none for an empty list.
func (r Rule) saw(s Subject, list []string, message string) []finding.Finding {
	if len(list) == 0 {
		return nil
	}
	var names []string
	for _, name := range list[:min(len(list), mostNamed)] {
		names = append(names, finding.Claim(name).Short(120))
	}
	text := strings.Join(names, ", ")
	if more := len(list) - len(names); more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return []finding.Finding{r.new(s, s.At, finding.Claim(s.Name).Quote()+" "+fmt.Sprintf(message, text))}
}

func except(list []string, name string) []string {
	var out []string
	for _, l := range list {
		if l != name {
			out = append(out, l)
		}
	}
	return out
}
