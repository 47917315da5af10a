package sandbox

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite the table in docs/sandbox.md")

// ground is what lies around hostile programs.
type ground struct {
	dir      string // everybody may read it
	program  string // a copy of the test program there
	secret   string // a file outside of what a program is given
	socket   string // a UNIX socket that listens
	abstract string
	port     string // of a TCP listener on 127.0.0.1
	sibling  int    // the process id of another confined program; -1 for none
	outside  string // a path that nobody may write
	group    string // a UNIX socket of root's for a group that we are in; empty where there is none
}

// groupSocket names the socket where root has made one for the tests of another user.
const (
	groupSocket = "TOOLWARRANT_GROUP_SOCKET"
	someGroup   = 54329
)

// listenForGroup makes a socket that only root and a group reach.
func (g *ground) listenForGroup(t *testing.T) {
	t.Helper()
	if os.Geteuid() != 0 {
		g.group = os.Getenv(groupSocket)
		return
	}
	g.group = filepath.Join(g.dir, "group")
	l, err := net.Listen("unix", g.group)
	if err == nil {
		t.Cleanup(func() { _ = l.Close() })
		err = errors.Join(os.Chown(g.group, 0, someGroup), os.Chmod(g.group, 0o660))
	}
	if err != nil {
		t.Fatal(err)
	}
}

// mark stands in the environment of a bystander of our own user.
const mark = "toolwarrant-mark-of-a-bystander"

func bystander(t *testing.T, program string) {
	t.Helper()
	cmd := &exec.Cmd{Path: program, Args: []string{program, "child", "sleep"}, Env: []string{"MARK=" + mark}}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
}

func newGround(t *testing.T) *ground {
	t.Helper()
	dir, err := os.MkdirTemp("", "toolwarrant-ground-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	g := &ground{dir: dir, program: filepath.Join(dir, "hostile"), secret: filepath.Join(dir, "secret"), socket: filepath.Join(dir, "socket"),
		abstract: "@" + filepath.Base(dir), outside: filepath.Join("/var/tmp", filepath.Base(dir)+"-written"), sibling: -1}
	t.Cleanup(func() { _ = os.Remove(g.outside) })
	program, err := os.ReadFile("/proc/self/exe")
	if err != nil {
		t.Fatal(err)
	}
	for _, err := range []error{os.Chmod(dir, 0o755), os.WriteFile(g.program, program, 0o755), os.WriteFile(g.secret, []byte("x"), 0o644)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, at := range [][2]string{{"unix", g.socket}, {"unix", g.abstract}, {"tcp", "127.0.0.1:0"}} {
		l, err := net.Listen(at[0], at[1])
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = l.Close() })
		if at[0] == "tcp" {
			_, g.port, _ = net.SplitHostPort(l.Addr().String())
		}
	}
	g.listenForGroup(t)
	if err := os.Chmod(g.socket, 0o777); err != nil {
		t.Fatal(err)
	}
	return g
}

// run lets a hostile program do one thing and tells what it says and what is
// seen of it.
func (g *ground) run(t *testing.T, p Profile, l Limits, attack string, args ...string) (said string, exit Exit, seen Observed) {
	t.Helper()
	slot := claim(t)
	defer slot.Release()
	process, err := Start(t.Context(), g.order(p, l, slot, attack, args...))
	if err != nil {
		t.Fatal(err)
	}
	words := make(chan string)
	go func() {
		b, _ := io.ReadAll(process.Stdout)
		words <- strings.TrimSpace(string(b))
	}()
	within(process.Gone(), patient)
	exit = process.End(brief)
	lines := strings.Split(<-words, "\n")
	return lines[len(lines)-1], exit, process.Observed()
}

func (g *ground) order(p Profile, l Limits, slot *Slot, attack string, args ...string) Order {
	return Order{
		Argv: append([]string{g.program, "attack", attack}, args...), Env: []string{"HOME=" + slot.Home(), "TMPDIR=" + slot.Temp(), "PATH=/usr/bin:/bin"},
		Dir: slot.Work(), Profile: p, Limits: l, Slot: slot, Read: []string{g.program, g.socket},
	}
}

// outcome is what is to become of an attack: what the program says, and the
// words of the table. "seen" wants the observation, "not observable" the nil
// list, "nothing seen" the empty one.
type outcome struct{ says, cell string }

type row struct {
	what    string
	attack  string
	args    func(*ground) []string
	limits  Limits
	amd64   bool
	scope   bool    // a scope of Landlock stands before it where it has our own user
	none    outcome // not run where it says nothing
	limited outcome // under restricted
	full    outcome
	list    string // of the observations
	entry   func(*ground) string
}

func words(list ...string) func(*ground) []string {
	return func(*ground) []string { return list }
}

func word1(s string) func(*ground) string { return func(*ground) string { return s } }

var (
	denied   = "EACCES|EPERM|ENOENT|EROFS"
	refused  = "ECONNREFUSED"
	unscoped = "not refused, not observable"
)

var rows = []row{
	{what: "reads a decoy in its home", attack: "decoy", args: words(".aws/credentials"), list: "decoys", entry: word1("~/.aws/credentials"),
		none: outcome{"ENOENT", "no decoys, not observable"}, limited: outcome{"done", "seen"}, full: outcome{"done", "seen"}},
	{what: "reads a decoy that looks like a private key", attack: "decoy", args: words(".ssh/id_ed25519"), list: "decoys", entry: word1("~/.ssh/id_ed25519"),
		none: outcome{"ENOENT", "no decoys, not observable"}, limited: outcome{"done", "seen"}, full: outcome{"done", "seen"}},
	{what: "opens decoys 100,000 times, then reads one more", attack: "flood", list: "decoys", entry: word1("~/.env"),
		none: outcome{"", "no decoys, not observable"}, limited: outcome{"done", "seen, or told that not all was seen"}, full: outcome{"done", "seen, or told that not all was seen"}},
	{what: "reads a file that anybody may read, elsewhere", attack: "read", args: func(g *ground) []string { return []string{g.secret} }, list: "",
		none: outcome{"done", unscoped}, limited: outcome{denied, "denied"}, full: outcome{denied, "denied"}},
	{what: "reads the users of the machine's password file", attack: "read", args: words("/etc/shadow"),
		none: outcome{"", "as its user may"}, limited: outcome{denied, "denied"}, full: outcome{denied, "denied"}},
	{what: "writes outside of its home, directory and temp", attack: "write", args: func(g *ground) []string { return []string{g.outside} }, list: "wrote", entry: func(g *ground) string { return g.outside },
		none: outcome{"done", unscoped}, limited: outcome{denied, "denied, not observable"}, full: outcome{"done", "kept from the system, seen"}},
	{what: "writes into the system", attack: "write", args: words("/usr/toolwarrant-test"),
		none: outcome{"", "as its user may"}, limited: outcome{denied, "denied"}, full: outcome{denied, "denied"}},
	{what: "looks a name up and connects to it", attack: "name", args: words("exfil.example.com", "443"), list: "hosts", entry: word1("exfil.example.com"),
		none: outcome{"", unscoped}, limited: outcome{refused, "denied, seen by name"}, full: outcome{refused, "denied, seen by name and port"}},
	{what: "connects to an address", attack: "connect", args: words("tcp", "203.0.113.9:8443"), list: "hosts", entry: word1("203.0.113.9:8443"),
		none: outcome{"", unscoped}, limited: outcome{refused, "denied, seen"}, full: outcome{refused, "denied, seen"}},
	{what: "connects to an IPv6 address", attack: "connect", args: words("tcp", "[2001:db8::9]:443"), list: "hosts", entry: word1("[2001:db8::9]:443"),
		none: outcome{"", unscoped}, limited: outcome{refused, "denied, seen"}, full: outcome{refused, "denied, seen"}},
	{what: "sends a datagram", attack: "udp", args: words("203.0.113.77:9999"), list: "hosts", entry: word1("203.0.113.77:9999/udp"),
		none: outcome{"", unscoped}, limited: outcome{refused, "denied, seen"}, full: outcome{"done|ECONNREFUSED", "leads nowhere, seen"}},
	{what: "connects to the cloud's metadata service", attack: "connect", args: words("tcp", "169.254.169.254:80"), list: "hosts", entry: word1("169.254.169.254:80"),
		none: outcome{"", unscoped}, limited: outcome{refused, "denied, seen"}, full: outcome{refused, "denied, seen"}},
	{what: "connects to a service of this machine", attack: "connect", args: func(g *ground) []string { return []string{"tcp", "127.0.0.1:" + g.port} }, list: "hosts", entry: func(g *ground) string { return "127.0.0.1:" + g.port },
		none: outcome{"done", unscoped}, limited: outcome{refused, "denied, seen"}, full: outcome{refused, "denied, seen"}},
	{what: "listens on the network", attack: "listen",
		none: outcome{"done", "not refused"}, limited: outcome{denied, "denied"}, full: outcome{"done", "in a network of its own"}},
	{what: "listens on loopback and connects to itself", attack: "local", list: "hosts",
		none: outcome{"done", unscoped}, limited: outcome{denied, "denied, nothing seen"}, full: outcome{"done", "allowed, nothing seen"}},
	{what: "connects to a UNIX socket by its path", attack: "connect", args: func(g *ground) []string { return []string{"unix", g.socket} }, list: "hosts",
		none: outcome{"done", unscoped}, limited: outcome{refused, "denied, nothing seen"}, full: outcome{"done", "as far as its socket file was given to it, nothing seen"}},
	{what: "connects to a socket that a group of its starter's may use (docker)", attack: "connect", args: func(g *ground) []string { return []string{"unix", g.group} }, list: "hosts",
		none: outcome{"done", unscoped}, limited: outcome{refused, "denied, nothing seen"}, full: outcome{denied, "denied, nothing seen"}},
	{what: "connects to an abstract UNIX socket", attack: "connect", args: func(g *ground) []string { return []string{"unix", g.abstract} }, list: "hosts",
		none: outcome{"done", unscoped}, limited: outcome{refused, "denied, nothing seen"}, full: outcome{"ECONNREFUSED|EPERM", "denied, nothing seen"}},
	{what: "uses a pair of sockets between its own processes", attack: "pair",
		none: outcome{"done", "allowed"}, limited: outcome{"done", "allowed"}, full: outcome{"done", "allowed"}},
	{what: "asks for its network interfaces", attack: "routes",
		none: outcome{"done", "allowed"}, limited: outcome{"done", "allowed"}, full: outcome{"done", "allowed"}},
	{what: "makes sockets of other families", attack: "family",
		none: outcome{"", "as its user may"}, limited: outcome{"EAFNOSUPPORT", "denied"}, full: outcome{"EAFNOSUPPORT", "denied"}},
	{what: "reads other processes' environments", attack: "environ", args: words(mark),
		none: outcome{"done", unscoped}, limited: outcome{"not found", "denied"}, full: outcome{"not found", "denied"}},
	{what: "reads its parent's environment", attack: "parent",
		none: outcome{"done", unscoped}, limited: outcome{denied, "denied"}, full: outcome{denied, "denied"}},
	{what: "traces its parent", attack: "ptrace",
		none: outcome{"", "as its user may"}, limited: outcome{"EPERM", "denied"}, full: outcome{"EPERM", "denied"}},
	{what: "kills the process that watches it", attack: "regicide", scope: true,
		none: outcome{"", "noticed: not read"}, limited: outcome{"EPERM", "denied"}, full: outcome{"EPERM", "denied"}},
	{what: "wants to reach more hosts than are kept", attack: "many", list: "hosts", entry: word1("203.0.113.1:1000/udp"),
		none: outcome{"", unscoped}, limited: outcome{"ECONNREFUSED", "denied, seen, or told that not all was seen"}, full: outcome{"done|ECONNREFUSED", "leads nowhere, seen, or told that not all was seen"}},
	{what: "signals another program that is being read", attack: "kill", scope: true, args: func(g *ground) []string { return []string{fmt.Sprint(g.sibling)} },
		none: outcome{"", "as its user may"}, limited: outcome{"EPERM", "denied"}, full: outcome{"ESRCH", "denied"}},
	{what: "leaves a daemon behind (two forks, a session of its own)", attack: "daemon", list: "survivors",
		none: outcome{"done", "ended, seen"}, limited: outcome{"done", "ended, seen"}, full: outcome{"done", "ended, seen"}},
	{what: "forks without end", attack: "bomb", limits: Limits{Processes: 40, Memory: 1 << 40}, list: "processes",
		none: outcome{"", "ended, if it does not fork faster than it is killed"}, limited: outcome{".*", "ended, seen"}, full: outcome{".*", "ended, seen"}},
	{what: "takes 4 GB of memory", attack: "eat", limits: Limits{Memory: 256 << 20}, list: "memory",
		none: outcome{"", "ended, seen"}, limited: outcome{".*", "ended, seen"}, full: outcome{".*", "ended, seen"}},
	{what: "sets io_uring up", attack: "uring",
		none: outcome{"EFAULT|ENOSYS|EPERM", "not refused"}, limited: outcome{"ENOSYS", "denied"}, full: outcome{"ENOSYS", "denied"}},
	{what: "calls clone3", attack: "clone3",
		none: outcome{"EINVAL|ENOSYS", "not refused"}, limited: outcome{"ENOSYS", "denied"}, full: outcome{"ENOSYS", "denied"}},
	{what: "makes namespaces, mounts, loads BPF, uses keys, reads other memory …", attack: "calls",
		none: outcome{"", "as its user may"}, limited: outcome{"EPERM|ENOSYS", "denied"}, full: outcome{"EPERM|ENOSYS", "denied"}},
	{what: "types into a terminal (TIOCSTI)", attack: "tty",
		none: outcome{"ENOTTY|EIO", "not refused"}, limited: outcome{"EPERM", "denied"}, full: outcome{"EPERM", "denied"}},
	{what: "makes a 32-bit system call", attack: "exec", amd64: true,
		none: outcome{"done|signal.*", "not refused"}, limited: outcome{"signal: bad system call", "killed"}, full: outcome{"signal: bad system call", "killed"}},
	{what: "makes an x32 system call", attack: "x32", amd64: true, list: "killed",
		none: outcome{"done|ENOSYS", "not refused"}, limited: outcome{"", "killed"}, full: outcome{"", "killed"}},
}

func (r row) outcome(p Profile) outcome {
	return map[Profile]outcome{None: r.none, Restricted: r.limited, Full: r.full}[p]
}

// TestAttacks lets hostile programs try everything under each profile that works
// here.
func TestAttacks(t *testing.T) {
	if testing.Short() {
		t.Skip("hostile programs are not run in a short run")
	}
	for _, p := range []Profile{Full, Restricted, None} {
		t.Run(string(p), func(t *testing.T) {
			if p != None {
				needs(t, p)
			}
			g := newGround(t)
			g.sibling = sibling(t, g, p)
			bystander(t, g.program)
			for _, r := range rows {
				t.Run(r.what, func(t *testing.T) { r.check(t, g, p) })
			}
		})
	}
}

func needs(t *testing.T, p Profile) {
	t.Helper()
	if reason := try(p); reason != "" {
		t.Skipf("the profile %s does not work here: %s", p, reason)
	}
}

func (r row) check(t *testing.T, g *ground, p Profile) {
	want := r.outcome(p)
	switch {
	case r.amd64 && runtime.GOARCH != "amd64":
		t.Skip("only amd64 has such calls")
	case r.scope && p == Restricted && os.Geteuid() != 0 && landlockABI() < 6:
		t.Skip("this kernel has no scope for signals")
	case p == None && want.says == "":
		t.Skip("not tried unconfined")
	}
	var args []string
	if r.args != nil {
		args = r.args(g)
	}
	if slices.Contains(args, "") {
		t.Skip("we are in no group that reaches a socket of root's")
	}
	said, exit, seen := g.run(t, p, r.limits, r.attack, args...)
	if !regexp.MustCompile("^(" + want.says + ")$").MatchString(said) {
		t.Errorf("it says %q, want %s (%+v, %+v)", said, want.says, exit, seen)
	}
	if exit.Left != 0 || exit.Lost {
		t.Errorf("not everything was ended: %+v", exit)
	}
	if _, err := os.Lstat(g.outside); err == nil && p != None {
		t.Errorf("%s was written", g.outside)
	}
	r.sighted(t, g, want.cell, exit, seen)
}

// sighted holds the observations against the words of the table.
func (r row) sighted(t *testing.T, g *ground, cell string, exit Exit, seen Observed) {
	t.Helper()
	list, observable := r.observed(exit, seen)
	want := ""
	if r.entry != nil {
		want = r.entry(g)
	}
	found := slices.ContainsFunc(list, func(s string) bool { return s == want || strings.HasPrefix(s, want+":") || want == "" })
	switch {
	case r.list == "killed" && cell == "killed" && exit.Signal != "SIGSYS":
		t.Errorf("it ended by %q", exit.Signal)
	case strings.Contains(cell, "nothing seen"):
		if !observable || len(list) > 0 {
			t.Errorf("seen: %+v, want nothing", seen)
		}
	case strings.Contains(cell, "not observable"):
		if observable && r.list != "" {
			t.Errorf("seen: %+v, want a list that cannot be seen", seen)
		}
	case strings.Contains(cell, "or told"):
		if !found && !slices.Contains(seen.Partly, r.list) {
			t.Errorf("seen: %+v", seen)
		}
	case strings.Contains(cell, "seen") && !found:
		t.Errorf("seen: %+v %+v, want %s", exit, seen, want)
	}
	if r.attack == "many" && !slices.Contains(seen.Partly, "hosts") {
		t.Errorf("twice as many hosts as are kept, and all of them seen: %d", len(seen.Hosts))
	}
	if r.attack != "many" && slices.Contains(seen.Partly, "hosts") || slices.Contains(seen.Partly, "wrote") {
		t.Errorf("not all was seen: %+v", seen)
	}
}

func (r row) observed(exit Exit, seen Observed) (list []string, observable bool) {
	switch r.list {
	case "hosts":
		return seen.Hosts, seen.Hosts != nil
	case "wrote":
		return seen.Wrote, seen.Wrote != nil
	case "decoys":
		for _, d := range seen.Decoys {
			list = append(list, d.File)
		}
		return list, seen.Decoys != nil
	case "survivors":
		return slices.Repeat([]string{"one"}, exit.Survivors), true
	case "killed":
		return []string{exit.Signal}, true
	case exit.Limit:
		return []string{r.list}, true
	}
	return nil, false
}

// sibling is another program of the same profile that runs beside; its number is
// that which we see.
func sibling(t *testing.T, g *ground, p Profile) int {
	t.Helper()
	slot := claim(t)
	o := g.order(p, Limits{}, slot, "decoy")
	o.Argv = []string{g.program, "child", "sleep"}
	ctx, cancel := context.WithCancel(context.Background())
	process, err := Start(ctx, o)
	if err != nil {
		cancel()
		t.Fatal(err)
	}
	t.Cleanup(func() {
		cancel()
		process.End(brief)
		slot.Release()
	})
	for _, d := range descendants(os.Getpid(), nil) {
		text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", d.pid))
		if strings.HasPrefix(string(text), g.program+"\x00child\x00sleep") {
			return d.pid
		}
	}
	t.Fatal("the sibling is not found")
	return 0
}

// TestTable holds docs/sandbox.md against the table.
func TestTable(t *testing.T) {
	const first, last = "<!-- attacks: generated by `go test ./internal/sandbox -update` -->\n", "<!-- end of attacks -->\n"
	file := filepath.Join("..", "..", "docs", "sandbox.md")
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	b.WriteString("\n| a hostile program | full | restricted | none |\n| --- | --- | --- | --- |\n")
	for _, r := range rows {
		_, _ = fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", r.what, r.full.cell, r.limited.cell, r.none.cell)
	}
	before, rest, ok := strings.Cut(string(text), first)
	_, after, closed := strings.Cut(rest, last)
	if !ok || !closed {
		t.Fatalf("%s lacks the comments around the table", file)
	}
	want := before + first + b.String() + "\n" + last + after
	if want == string(text) {
		return
	}
	if !*update {
		t.Fatalf("%s is not current: run go test ./internal/sandbox -update, and read what changed", file)
	}
	if err := os.WriteFile(file, []byte(want), 0o644); err != nil {
		t.Fatal(err)
	}
}
