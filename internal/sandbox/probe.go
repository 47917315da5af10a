package sandbox

import "sync"

// Trial is what came of trying a profile.
type Trial struct {
	Profile Profile
	Reason  string // why it does not work here; empty where it does
}

// Try says why a profile does not work here; empty where it does. A profile is
// tried once a process.
func Try(p Profile) string {
	once, ok := trial[p]
	if !ok {
		return "there is no such profile on this system"
	}
	return once()
}

var trial = trials()

func trials() map[Profile]func() string {
	out := map[Profile]func() string{}
	for _, p := range Profiles() {
		out[p] = sync.OnceValue(func() string { return try(p) })
	}
	return out
}

// Probe tries the profiles, strongest first, by starting something under each,
// and returns the first that works with the trials up to it: the reason of each
// step down. Where none works the profile is empty.
func Probe() (chosen Profile, list []Trial) {
	for _, p := range Profiles() {
		reason := Try(p)
		list = append(list, Trial{p, reason})
		if reason == "" {
			return p, list
		}
	}
	return "", list
}
