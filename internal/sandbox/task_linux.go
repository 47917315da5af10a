package sandbox

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/sys/unix"
)

// insideUID is the user that a program under the full profile sees itself as.
const insideUID = 1000

// task is an order as a supervisor gets it.
type task struct {
	Order
	Outside string // the slot's path; empty where nothing is confined
	Inside  string // as the program sees it
}

// newTask works out what a confined program needs beyond what was ordered.
func newTask(o Order) (task, *StartError) {
	t := task{Order: o}
	if o.Profile == None {
		return t, nil
	}
	if o.Slot == nil {
		return t, &StartError{Detail: "a confined program needs a home, a directory and a temp of its own"}
	}
	t.Outside, t.Inside = o.Slot.path, o.Slot.path
	if t.UID == 0 && os.Geteuid() == 0 {
		t.UID = o.Slot.uid()
	}
	program, failed := lookUp(o.Argv[0], o.Dir, o.Env)
	if failed != nil {
		return t, failed
	}
	t.Read = slices.Concat(o.Read, Places(program))
	if !strings.HasPrefix(o.Dir+"/", t.Outside+"/") {
		if tooWide(filepath.Clean(o.Dir), t.Outside) {
			return t, &StartError{Detail: "its directory is one that holds other programs' and people's places"}
		}
		t.Read, o.Read = append(t.Read, o.Dir), append(slices.Clone(o.Read), o.Dir)
	}
	t.Read = slices.DeleteFunc(t.Read, func(name string) bool { return !filepath.IsAbs(name) || tooWide(filepath.Clean(name), t.Outside) })
	for i, name := range t.Read {
		t.Read[i] = filepath.Clean(name)
	}
	if o.Profile == Full {
		t.moveInside()
		return t, nil
	}
	if t.UID != 0 && t.closed(t.Outside) {
		return t, &StartError{Detail: "the temporary folder is closed to others, and under this profile it runs as another user"}
	}
	if t.UID != 0 && slices.ContainsFunc(slices.Concat(o.Read, o.Write), t.closed) {
		return t, &StartError{Detail: "what it needs to read lies in a folder that is closed to others, and under this profile it runs as another user"}
	}
	return t, nil
}

// closed reports whether a path cannot be reached by the program's user, who is in
// no group of anybody.
func (t task) closed(name string) bool {
	for dir := filepath.Dir(filepath.Clean(name)); ; dir = filepath.Dir(dir) {
		var s unix.Stat_t
		if unix.Stat(dir, &s) == nil && s.Mode&0o001 == 0 && !(int(s.Uid) == t.UID && s.Mode&0o100 != 0) {
			return true
		}
		if dir == filepath.Dir(dir) {
			return false
		}
	}
}

// moveInside makes words that name the slot name its place in the new root.
func (t *task) moveInside() {
	t.Inside = neutralPath
	move := func(s string) string { return strings.ReplaceAll(s, t.Outside, t.Inside) }
	words := func(list []string) (out []string) {
		for _, s := range list {
			out = append(out, move(s))
		}
		return out
	}
	t.Argv, t.Env, t.Dir = words(t.Argv), words(t.Env), move(t.Dir)
}

// alsoRead is what the restricted profile shows of the machine besides system
// and settings: its names and networks are its own there.
var alsoRead = []string{
	"/etc/passwd", "/etc/group", "/etc/hosts", "/etc/hostname", "/etc/machine-id", "/etc/nsswitch.conf", "/etc/resolv.conf", "/run/systemd/resolve", "/proc", "/sys/fs/cgroup", "/sys/devices/system/cpu", "/sys/kernel/mm/transparent_hugepage",
}

// reachable are the path rules.
func (t task) reachable() paths {
	p := paths{Device: devices}
	for _, sub := range slotFolders {
		p.Write = append(p.Write, filepath.Join(t.Inside, sub))
	}
	if t.Profile == Full {
		p.Read, p.Write = []string{"/"}, append(p.Write, openFolders...)
		return p
	}
	p.Write = append(p.Write, t.Write...)
	p.Read = slices.Concat(system, alsoRead, t.Read)
	for _, name := range settings {
		p.Read = append(p.Read, "/etc/"+name)
	}
	return p
}
