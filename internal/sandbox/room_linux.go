package sandbox

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/sys/unix"
)

// system are the folders of a system that programs need to run at all.
var system = []string{"/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/nix/store"}

// settings are files and folders of /etc that say nothing of who uses the
// machine. What does (passwd, hosts, resolv.conf) is ours in a new root.
var settings = []string{
	"alternatives", "ca-certificates", "ca-certificates.conf", "crypto-policies", "debian_version", "fonts", "gai.conf", "host.conf", "ld.so.cache", "ld.so.conf",
	"ld.so.conf.d", "localtime", "magic", "mime.types", "os-release", "pki", "protocols", "services", "ssl", "timezone",
}

// devices are what a new root has of /dev.
var devices = []string{"/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"}

// open are folders of a new root that a program may write although nothing of
// what it writes there reaches the system: what it leaves in them is told.
var openFolders = []string{"/tmp", "/var/tmp", "/root", "/home", "/run", "/dev/shm", "/mnt", "/srv"}

const hostName = "toolwarrant"

// room is a new root in a mount namespace of our own.
type room struct {
	root   string // where it is built, before it becomes the root
	device uint64
	first  map[string]bool // what stood in it at the beginning
}

// source is something of the old root that is shown in the new one.
type source struct {
	fd       int
	name     string // in the new root
	link     string // it is a link, to there
	dir      bool
	writable bool
	device   bool
}

// enterRoom builds the new root on memory and moves into it.
func enterRoom(t task) (*room, error) {
	if err := unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, ""); err != nil {
		return nil, fmt.Errorf("mounts cannot be made private: %w", err)
	}
	sources, err := t.sources()
	if err != nil {
		return nil, err
	}
	r := &room{root: t.Outside}
	if err := unix.Mount("toolwarrant", r.root, "tmpfs", unix.MS_NOSUID|unix.MS_NODEV, "size=67108864,nr_inodes=16384,mode=0755"); err != nil {
		return nil, fmt.Errorf("a new root cannot be mounted: %w", err)
	}
	if err := r.furnish(t); err != nil {
		return nil, err
	}
	for _, s := range sources {
		if err := r.show(s); err != nil {
			return nil, err
		}
	}
	if err := r.moveIn(); err != nil {
		return nil, err
	}
	return r, r.remember()
}

// sources opens everything that is shown, while it can still be seen.
func (t task) sources() ([]source, error) {
	c := collection{}
	for _, name := range system {
		if !isLink(name) { // a link is made anew in the room
			_ = c.add(name, source{name: name})
		}
	}
	for _, name := range settings {
		_ = c.add("/etc/"+name, source{name: "/etc/" + name})
	}
	for _, name := range devices {
		_ = c.add(name, source{name: name, device: true})
	}
	for _, name := range outermost(t.Read) {
		if err := c.add(name, source{name: name}); err != nil {
			return nil, fmt.Errorf("what it needs to read cannot be reached: %w", err)
		}
	}
	for _, sub := range slotFolders {
		if err := c.add(filepath.Join(t.Outside, sub), source{name: filepath.Join(t.Inside, sub), writable: true}); err != nil {
			return nil, fmt.Errorf("its own folders cannot be reached: %w", err)
		}
	}
	return c.list, nil
}

// collection gathers sources.
type collection struct{ list []source }

// mostSources bounds how many things are shown one by one.
const mostSources = 4096

// add opens a source; what does not exist is left out.
func (c *collection) add(from string, s source) error {
	fd, err := unix.Open(from, unix.O_PATH|unix.O_CLOEXEC, 0)
	if err == unix.ENOENT || err == unix.ENOTDIR {
		return nil
	}
	if err != nil {
		return err
	}
	var info unix.Stat_t
	if err := unix.Fstat(fd, &info); err != nil {
		return err
	}
	s.fd, s.dir = fd, info.Mode&unix.S_IFMT == unix.S_IFDIR
	if s.dir && !s.writable && info.Mode&0o005 != 0o005 && os.Geteuid() == 0 {
		_ = unix.Close(fd)
		return c.addEach(from, s)
	}
	if len(c.list) >= mostSources {
		return unix.E2BIG
	}
	c.list = append(c.list, s)
	return nil
}

// addEach shows what lies in a folder that is root's alone, one by one: the
// program is somebody else and would not get past the folder itself. Its files
// stay as they are, those that are root's alone too.
func (c *collection) addEach(dir string, s source) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return inner(err)
	}
	for _, e := range entries {
		child := source{name: filepath.Join(s.name, e.Name()), fd: -1}
		from := filepath.Join(dir, e.Name())
		if e.Type()&os.ModeSymlink != 0 {
			if child.link, err = os.Readlink(from); err != nil {
				return inner(err)
			}
			c.list = append(c.list, child)
			continue
		}
		if err := c.add(from, child); err != nil {
			return err
		}
	}
	return nil
}

func isLink(name string) bool {
	info, err := os.Lstat(name)
	return err == nil && info.Mode()&os.ModeSymlink != 0
}

// outermost leaves out what lies below another path of the list or of the system.
func outermost(list []string) []string {
	var out []string
	sorted := slices.Clone(list)
	slices.Sort(sorted)
	for _, name := range sorted {
		below := func(dir string) bool { return name == dir || strings.HasPrefix(name, dir+"/") }
		if !slices.ContainsFunc(out, below) && !slices.ContainsFunc(system, below) {
			out = append(out, name)
		}
	}
	return out
}

// furnish makes what is not shown from the old root.
func (r *room) furnish(t task) error {
	var errs []error
	for _, dir := range append([]string{"/etc", "/proc", "/dev"}, openFolders...) {
		errs = append(errs, os.MkdirAll(r.root+dir, 0o755))
	}
	for _, dir := range openFolders {
		errs = append(errs, os.Chmod(r.root+dir, os.ModeSticky|0o777))
	}
	for _, name := range system {
		if to, err := os.Readlink(name); err == nil {
			errs = append(errs, os.Symlink(to, r.root+name))
		}
	}
	for name, to := range map[string]string{"/dev/fd": "/proc/self/fd", "/dev/stdin": "/proc/self/fd/0", "/dev/stdout": "/proc/self/fd/1", "/dev/stderr": "/proc/self/fd/2"} {
		errs = append(errs, os.Symlink(to, r.root+name))
	}
	for name, text := range map[string]string{
		"passwd":        fmt.Sprintf("root:x:0:0:root:/root:/bin/sh\n%s:x:%d:%d::%s:/bin/sh\n", hostName, insideUID, insideUID, filepath.Join(t.Inside, "home")),
		"group":         fmt.Sprintf("root:x:0:\n%s:x:%d:\n", hostName, insideUID),
		"hosts":         "127.0.0.1 localhost " + hostName + "\n::1 localhost\n",
		"hostname":      hostName + "\n",
		"machine-id":    strings.Repeat("0", 32) + "\n",
		"nsswitch.conf": "passwd: files\ngroup: files\nhosts: files dns\n",
		"resolv.conf":   "nameserver " + nameServer + "\n",
	} {
		errs = append(errs, os.WriteFile(r.root+"/etc/"+name, []byte(text), 0o644))
	}
	if err := errors.Join(errs...); err != nil {
		return fmt.Errorf("the new root cannot be furnished: %w", err)
	}
	if err := unix.Mount("proc", r.root+"/proc", "proc", unix.MS_NOSUID|unix.MS_NODEV|unix.MS_NOEXEC, ""); err != nil {
		return fmt.Errorf("a new /proc cannot be mounted: %w", err)
	}
	return nil
}

// show binds one source at its place, read-only unless it is the program's own.
func (r *room) show(s source) error {
	at := r.root + s.name
	if s.link != "" {
		if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
			return fmt.Errorf("a folder has no place in the new root: %w", inner(err))
		}
		_ = os.Symlink(s.link, at) // where it stands already, it is the same
		return nil
	}
	defer func() { _ = unix.Close(s.fd) }()
	if err := makePlace(at, s.dir); err != nil {
		return fmt.Errorf("a folder has no place in the new root: %w", err)
	}
	if err := unix.Mount(fmt.Sprintf("/proc/self/fd/%d", s.fd), at, "", unix.MS_BIND|unix.MS_REC, ""); err != nil {
		return fmt.Errorf("a folder cannot be shown in the new root: %w", err)
	}
	a := unix.MountAttr{Attr_set: unix.MOUNT_ATTR_NOSUID}
	if !s.device {
		a.Attr_set |= unix.MOUNT_ATTR_NODEV
	}
	if !s.writable && !s.device {
		a.Attr_set |= unix.MOUNT_ATTR_RDONLY
	}
	if err := unix.MountSetattr(unix.AT_FDCWD, at, unix.AT_RECURSIVE, &a); err != nil {
		return fmt.Errorf("a folder cannot be made read-only: %w", err)
	}
	return nil
}

func makePlace(at string, dir bool) error {
	if dir {
		return inner(os.MkdirAll(at, 0o755))
	}
	if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
		return inner(err)
	}
	f, err := os.OpenFile(at, os.O_CREATE|os.O_RDONLY, 0o644)
	if err != nil {
		return inner(err)
	}
	return f.Close()
}

// inner is the errno of an error that would name a path.
func inner(err error) error {
	var path *os.PathError
	if errors.As(err, &path) {
		return path.Err
	}
	return err
}

// moveIn makes the room the root and lets go of the old one (pivot_root(2)).
func (r *room) moveIn() error {
	if err := unix.Chdir(r.root); err != nil {
		return fmt.Errorf("the new root cannot be entered: %w", err)
	}
	if err := unix.PivotRoot(".", "."); err != nil {
		return fmt.Errorf("the root cannot be changed: %w", err)
	}
	if err := unix.Unmount(".", unix.MNT_DETACH); err != nil {
		return fmt.Errorf("the old root cannot be left: %w", err)
	}
	r.root = "/"
	return unix.Chdir("/")
}

// remember notes what stands in the room before the program runs.
func (r *room) remember() error {
	var s unix.Stat_t
	if err := unix.Stat("/", &s); err != nil {
		return err
	}
	r.device, r.first = uint64(s.Dev), map[string]bool{}
	r.walk("/", func(name string) bool { r.first[name] = true; return true })
	return nil
}

// mostWritten bounds how many files are named.
const mostWritten = 100

// written lists what the program left in the room. Nobody runs in it any more.
func (r *room) written() (list []string, complete bool) {
	list = []string{}
	complete = r.walk("/", func(name string) bool {
		if !r.first[name] {
			list = append(list, name)
		}
		return len(list) <= mostWritten
	})
	return list[:min(len(list), mostWritten)], complete
}

// walk visits what lies on the room's own memory, except folders; it reports
// whether it came to the end.
func (r *room) walk(dir string, visit func(string) bool) bool {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return false
	}
	for _, e := range entries {
		name := filepath.Join(dir, e.Name())
		var s unix.Stat_t
		if unix.Lstat(name, &s) != nil || uint64(s.Dev) != r.device {
			continue
		}
		if e.IsDir() {
			if !r.walk(name, visit) {
				return false
			}
		} else if !visit(name) {
			return false
		}
	}
	return true
}
