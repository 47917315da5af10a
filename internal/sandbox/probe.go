package sandbox

import "sync"

// Trial is what came of trying a profile.
type Trial struct {
	Profile Profile
	Reason  string // why it does not work here; empty where it does
}

// Probe tries the profiles, strongest first, by starting something under each,
// and returns the first that works with the trials up to it: the reason of each
// step down. Where none works the profile is empty. It is tried once a process.
func Probe() (Profile, []Trial) {
	found := tried()
	return found.profile, found.trials
}

type probed struct {
	profile Profile
	trials  []Trial
}

var tried = sync.OnceValue(func() probed {
	var out probed
	for _, p := range Profiles() {
		t := Trial{p, try(p)}
		out.trials = append(out.trials, t)
		if t.Reason == "" {
			out.profile = p
			break
		}
	}
	return out
})
