package sandbox

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestRights: what is left of a program's rights, and what it sees of the
// machine.
func TestRights(t *testing.T) {
	for _, p := range Profiles() {
		t.Run(string(p), func(t *testing.T) {
			needs(t, p)
			g := newGround(t)
			said, _, _ := g.run(t, p, Limits{}, "rights")
			want := `^Groups=.* CapInh= CapPrm= CapEff= CapBnd=.* CapAmb= NoNewPrivs=1 leader=true$`
			if os.Geteuid() == 0 {
				want = `^Groups= CapInh= CapPrm= CapEff= CapBnd= CapAmb= NoNewPrivs=1 leader=true$`
			}
			if !regexp.MustCompile(want).MatchString(said) {
				t.Errorf("%s, want %s", said, want)
			}
			leak, err := syscall.Open(os.DevNull, syscall.O_RDONLY, 0) // without CLOEXEC
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = syscall.Close(leak) }()
			if said, _, _ := g.run(t, p, Limits{}, "files"); said != "0 1 2" {
				t.Errorf("it got the descriptors %s", said)
			}
			said, _, _ = g.run(t, p, Limits{}, "identity")
			if p == Full && said != "toolwarrant /tmp/toolwarrant-0000/work /tmp/toolwarrant-0000/home /tmp/toolwarrant-0000/tmp 1000" {
				t.Errorf("it sees %s", said)
			}
		})
	}
}

// TestClosedFolder: as root a program under the restricted profile is told that
// it is somebody else, and under the full one it reads what it was given.
func TestClosedFolder(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root becomes somebody else")
	}
	for _, p := range Profiles() {
		needs(t, p)
		g := newGround(t)
		closed := filepath.Join(g.dir, "closed")
		file := filepath.Join(closed, "inner", "file")
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if os.WriteFile(file, nil, 0o644) != nil || os.Symlink("inner", filepath.Join(closed, "link")) != nil || os.Chmod(closed, 0o700) != nil {
			t.Fatal("the folder cannot be made")
		}
		slot := claim(t)
		defer slot.Release()
		o := g.order(p, Limits{}, slot, "read", filepath.Join(closed, "link", "file"))
		o.Read = append(o.Read, closed, file)
		process, err := Start(t.Context(), o)
		if p == Restricted {
			var failed *StartError
			if !errors.As(err, &failed) || failed.Missing {
				t.Errorf("restricted: %v", err)
			}
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		said, _ := io.ReadAll(process.Stdout)
		process.End(brief)
		if strings.TrimSpace(string(said)) != "done" {
			t.Errorf("full: %s", said)
		}
	}
}

// TestConfinedOwnerKilled: when we are killed, nothing of what we started stays.
func TestConfinedOwnerKilled(t *testing.T) {
	for _, p := range Profiles() {
		t.Run(string(p), func(t *testing.T) {
			needs(t, p)
			g := newGround(t)
			owner := &exec.Cmd{Path: g.program, Args: []string{g.program, "child", "confined owner", string(p)}, Env: []string{"TMPDIR=" + os.TempDir(), "PATH=/usr/bin:/bin"}}
			in, err1 := owner.StdinPipe()
			out, err2 := owner.StdoutPipe()
			if err := errors.Join(err1, err2, owner.Start()); err != nil {
				t.Fatal(err)
			}
			defer func() { _ = in.Close() }()
			_ = numbers(out)
			if g.running() < 3 { // the owner, the daemon's leader, the daemon
				t.Error("the daemon does not run")
			}
			_ = owner.Process.Kill()
			_ = owner.Wait()
			for until := time.Now().Add(patient); time.Now().Before(until); time.Sleep(sweepPause) {
				if g.running() == 0 {
					return
				}
			}
			t.Error("something is still there")
		})
	}
}

// running counts processes of the hostile program.
func (g *ground) running() (n int) {
	for _, p := range processes() {
		text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", p.pid))
		if strings.HasPrefix(string(text), g.program+"\x00child\x00") {
			n++
		}
	}
	return n
}

// TestStepsDown: inside of a sandbox no namespace can be made, as in a default
// container, and no memory of another process be read: no profile works, and
// each says why.
func TestStepsDown(t *testing.T) {
	for p, want := range map[Profile]string{
		Full:       `^"" \[\{"full" "[^"]+operation not permitted"\} \{"restricted" "a connection is not refused as it should be"\}\]$`,
		Restricted: `^"" \[\{"full" "[^"]+operation not permitted"\} \{"restricted" "[^"]+device or resource busy"\}\]$`,
	} {
		t.Run(string(p), func(t *testing.T) {
			needs(t, p)
			g := newGround(t)
			if said, _, _ := g.run(t, p, Limits{}, "probe"); !regexp.MustCompile(want).MatchString(said) {
				t.Errorf("%s, want %s", said, want)
			}
		})
	}
}

// TestTwoUsers: no two programs that run at once share a user, where we are root.
func TestTwoUsers(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root chooses users")
	}
	one, two := claim(t), claim(t)
	defer one.Release()
	defer two.Release()
	if one.uid() == two.uid() || one.uid() == 0 {
		t.Errorf("users %d and %d", one.uid(), two.uid())
	}
}

func TestPoolStart(t *testing.T) {
	for _, tt := range []struct {
		uidMap string
		want   int
	}{
		{"         0          0 4294967295\n", 1_234_560_000},
		{"0 100000 65536\n", 55_536},
		{"0 1000 1\n1 100000 65536\n", 55_537},
		{"", 1_234_560_000},
	} {
		if got := poolStart(tt.uidMap, 1_234_560_000); got != tt.want {
			t.Errorf("%q: %d, want %d", tt.uidMap, got, tt.want)
		}
	}
}

// TestPlainUser runs these tests as a user without any right.
func TestPlainUser(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root becomes somebody else")
	}
	if testing.Short() {
		t.Skip("hostile programs are not run in a short run")
	}
	g := newGround(t)
	const user = 54321
	temp := filepath.Join(g.dir, "tmp")
	if err := os.Mkdir(temp, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Chown(temp, user, user); err != nil {
		t.Fatal(err)
	}
	cmd := &exec.Cmd{
		Path: g.program, Args: []string{g.program, "-test.run=^(TestAttacks|TestRights|TestEnd|TestConfinedOwnerKilled|TestRoute|TestWorlds)$", "-test.v"}, Dir: temp,
		Env:         []string{"TMPDIR=" + temp, "PATH=/usr/bin:/bin", "HOME=" + temp, groupSocket + "=" + g.group},
		SysProcAttr: &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: user, Gid: user, Groups: []uint32{someGroup}}},
	}
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Errorf("as another user: %v\n%s", err, out)
	}
	for _, p := range Profiles() {
		if !strings.Contains(string(out), "--- PASS: TestAttacks/"+string(p)+" ") {
			t.Logf("as another user the profile %s was not tried", p)
		}
	}
}
