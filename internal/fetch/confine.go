package fetch

import (
	"context"
	"net"
	"net/netip"
	"os"
	"path/filepath"
	"slices"

	"github.com/toolwarrant/toolwarrant/internal/sandbox"
)

// bounds are all that npm, uv or git reaches beside the system and its own
// installation, where this machine confines programs. Paths are absolute.
type bounds struct {
	machine []string       // what it reads of the machine, as far as its user may
	given   []string       // what it reads of ours
	write   []string       // its own folders
	way     netip.AddrPort // the proxy, as the only place to connect to; the zero value for none
}

// wayTo is where a listener of ours on loopback is reached.
func wayTo(l net.Listener) netip.AddrPort {
	at, _ := netip.ParseAddrPort(l.Addr().String()) // of a network of ours, which has such addresses
	return at
}

// unconfined says why nothing confines a program of this user here, zero being
// ours; empty where it is confined.
func unconfined(user int) string {
	switch {
	case os.Geteuid() != 0:
	case user == 0:
		return "it runs as root"
	case !enterable(os.TempDir()):
		return "the temporary directory cannot be entered by other users"
	}
	return sandbox.Try(sandbox.Restricted)
}

// confinedNote tells why a program is not confined; empty where it is.
func confinedNote(program string, user int) string {
	if why := unconfined(user); why != "" {
		return program + " runs without a sandbox: " + why
	}
	return ""
}

// start starts a program within its bounds, or without them where this machine has
// none. Call release behind its end.
func (b *bounds) start(ctx context.Context, o sandbox.Order) (p *sandbox.Process, release func(), err error) {
	if b == nil || unconfined(o.UID) != "" {
		p, err = sandbox.Start(ctx, o)
		return p, func() {}, err
	}
	slot, err := sandbox.Claim()
	if err != nil {
		return nil, nil, &sandbox.StartError{Detail: err.Error()}
	}
	o.Profile, o.Slot, o.Route, o.Write = sandbox.Restricted, slot, b.way, b.write
	o.Read = slices.DeleteFunc(slices.Clone(b.machine), func(name string) bool { return o.UID != 0 && !enterable(filepath.Dir(name)) })
	o.Read = append(o.Read, b.given...)
	if p, err = sandbox.Start(ctx, o); err != nil {
		slot.Release()
		return nil, nil, err
	}
	return p, slot.Release, nil
}

// installed are the places of programs that a resolver starts, or reads a script of.
func installed(programs ...string) (out []string) {
	for _, p := range programs {
		if filepath.IsAbs(p) {
			out = append(out, sandbox.Places(p)...)
		}
	}
	return out
}

// scriptPlaces are those of npm's command: its script comes with the package around.
func scriptPlaces(command []string) (out []string) {
	out = installed(command...)
	for _, p := range command {
		if filepath.Ext(p) == ".js" { // PACKAGE/bin/npm-cli.js
			out = append(out, filepath.Dir(filepath.Dir(p)))
		}
	}
	return out
}
