package sandbox

import (
	"golang.org/x/sys/unix"
)

// Rights of Landlock (landlock(7)).
const (
	readRights = unix.LANDLOCK_ACCESS_FS_EXECUTE | unix.LANDLOCK_ACCESS_FS_READ_FILE | unix.LANDLOCK_ACCESS_FS_READ_DIR
	fileRights = unix.LANDLOCK_ACCESS_FS_EXECUTE | unix.LANDLOCK_ACCESS_FS_READ_FILE | unix.LANDLOCK_ACCESS_FS_WRITE_FILE | unix.LANDLOCK_ACCESS_FS_TRUNCATE | unix.LANDLOCK_ACCESS_FS_IOCTL_DEV
	firstABI   = 1<<13 - 1 // every right of the first version
)

// rightsOf are all rights that a version knows: what is not handled is not
// refused.
func rightsOf(abi int) uint64 {
	rights := uint64(firstABI)
	if abi >= 2 {
		rights |= unix.LANDLOCK_ACCESS_FS_REFER
	}
	if abi >= 3 {
		rights |= unix.LANDLOCK_ACCESS_FS_TRUNCATE
	}
	if abi >= 5 {
		rights |= unix.LANDLOCK_ACCESS_FS_IOCTL_DEV
	}
	return rights
}

// paths are what a confined program may reach: to read and execute, to use as a
// device, to do anything.
type paths struct{ Read, Device, Write []string }

// rulesFor makes path rules and, where the kernel has them, scopes for signals
// and abstract sockets. TCP rules are a second wall behind the watcher of the
// restricted profile; with the other one they would stop a connection before
// anybody sees where it goes. Make them before the user changes: paths are looked
// up now.
func rulesFor(p paths, network bool) (ruleset int, err error) {
	abi := landlockABI()
	a := unix.LandlockRulesetAttr{Handled_access_fs: rightsOf(abi)}
	if abi >= 4 && !network {
		a.Handled_access_net = unix.LANDLOCK_ACCESS_NET_BIND_TCP | unix.LANDLOCK_ACCESS_NET_CONNECT_TCP
	}
	if abi >= 6 {
		a.Scoped = unix.LANDLOCK_SCOPE_ABSTRACT_UNIX_SOCKET | unix.LANDLOCK_SCOPE_SIGNAL
	}
	if ruleset, err = landlockRuleset(&a); err != nil {
		return -1, err
	}
	device := readRights&^unix.LANDLOCK_ACCESS_FS_EXECUTE | unix.LANDLOCK_ACCESS_FS_WRITE_FILE | unix.LANDLOCK_ACCESS_FS_IOCTL_DEV
	for _, g := range []struct {
		paths  []string
		rights uint64
	}{{p.Read, readRights}, {p.Device, uint64(device)}, {p.Write, a.Handled_access_fs &^ unix.LANDLOCK_ACCESS_FS_IOCTL_DEV}} {
		for _, name := range g.paths {
			if err := allowPath(ruleset, name, g.rights&a.Handled_access_fs); err != nil {
				return -1, err
			}
		}
	}
	return ruleset, nil
}

// allowPath skips what does not exist: it cannot be reached either.
func allowPath(ruleset int, name string, rights uint64) error {
	fd, err := unix.Open(name, unix.O_PATH|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil
	}
	defer func() { _ = unix.Close(fd) }()
	var s unix.Stat_t
	if err := unix.Fstat(fd, &s); err != nil {
		return err
	}
	if s.Mode&unix.S_IFMT != unix.S_IFDIR {
		rights &= fileRights
	}
	return landlockAllow(ruleset, fd, rights)
}
