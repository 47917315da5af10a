package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// terminal is a person at a pseudo-terminal: it waits for words and types others.
type terminal struct {
	t      *testing.T
	master *os.File
	seen   bytes.Buffer
	mu     sync.Mutex
	more   chan struct{}
}

// openTerminal makes a pseudo-terminal and gives both of its ends.
func openTerminal(t *testing.T) (*terminal, *os.File) {
	t.Helper()
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Skip("there are no pseudo-terminals here: " + err.Error())
	}
	t.Cleanup(func() { _ = master.Close() })
	n, err := unix.IoctlGetInt(int(master.Fd()), unix.TIOCGPTN)
	if err == nil {
		err = unix.IoctlSetPointerInt(int(master.Fd()), unix.TIOCSPTLCK, 0)
	}
	if err != nil {
		t.Fatal(err)
	}
	slave, err := os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	p := &terminal{t: t, master: master, more: make(chan struct{}, 1)}
	go p.read()
	return p, slave
}

func (p *terminal) read() {
	buf := make([]byte, 4096)
	for {
		n, err := p.master.Read(buf)
		p.mu.Lock()
		p.seen.Write(buf[:n])
		p.mu.Unlock()
		select {
		case p.more <- struct{}{}:
		default:
		}
		if err != nil {
			close(p.more)
			return
		}
	}
}

// answers waits until a question stands there, and types.
func (p *terminal) answers(question, answer string) {
	p.t.Helper()
	late := time.After(time.Minute) // where it never comes
	for {
		p.mu.Lock()
		text := p.seen.String()
		_, after, asked := strings.Cut(text, question)
		if asked {
			p.seen.Reset()
			p.seen.WriteString(after)
		}
		p.mu.Unlock()
		if asked {
			if _, err := io.WriteString(p.master, answer+"\n"); err != nil {
				p.t.Fatal(err)
			}
			return
		}
		select {
		case _, open := <-p.more:
			if !open && !asked {
				p.t.Fatalf("it ended without asking %q:\n%s", question, text)
			}
		case <-late:
			p.t.Fatalf("it does not ask %q:\n%s", question, text)
		}
	}
}

// atTerminal starts the program at a terminal.
func (s scratch) atTerminal(args ...string) (*terminal, *exec.Cmd, *bytes.Buffer) {
	s.t.Helper()
	p, slave := openTerminal(s.t)
	cmd := exec.Command("toolwarrant", args...)
	cmd.Dir, cmd.Env = s.repo, s.environ()
	out := &bytes.Buffer{}
	cmd.Stdin, cmd.Stdout, cmd.Stderr = slave, out, slave
	if err := cmd.Start(); err != nil {
		s.t.Fatal(err)
	}
	_ = slave.Close()
	return p, cmd, out
}

// TestInitAsks: at a terminal nothing is written or started without a yes, five
// repositories of different kinds.
func TestInitAsks(t *testing.T) {
	const commit = "0123456789abcdef0123456789abcdef01234567"
	type turn struct{ question, answer string }
	files := turn{"Write .toolwarrant/policy.yaml, .toolwarrant/README.md, .github/workflows/toolwarrant.yml? [y/N]", "y"}
	start, waive := "Start it to read what it can do? [y/N]", "Accept that until 2026-08-30 "
	for _, tt := range []struct {
		name    string
		files   map[string]string
		turns   []turn
		code    int
		says    string
		written []string
		absent  []string
	}{
		{"one server, yes to all", map[string]string{".mcp.json": `{"mcpServers": {"notes": {"command": "fakemcp"}}}`},
			[]turn{files, {start, "yes"}}, 0, "1 sealed, 3 files written",
			[]string{".toolwarrant/servers/notes.lock.json", ".toolwarrant/policy.yaml", ".github/workflows/toolwarrant.yml"}, nil},
		{"no to all", map[string]string{".mcp.json": `{"mcpServers": {"notes": {"command": "fakemcp"}}}`},
			[]turn{{files.question, "n"}, {start, ""}}, 6, "1 refused, 0 files written", nil, []string{".toolwarrant", ".github"}},
		{"two servers in two dialects, one yes", map[string]string{
			".cursor/mcp.json": `{"mcpServers": {"first": {"command": "fakemcp"}}}`, ".vscode/mcp.json": `{"servers": {"second": {"command": "fakemcp", "args": ["second"]}}}`},
			[]turn{files, {start, "y"}, {start, "no"}}, 6, "1 sealed, 1 refused", []string{".toolwarrant/servers/first.lock.json"}, []string{".toolwarrant/servers/second.lock.json"}},
		{"a login, waived; no to the files, but for what the waiver needs", map[string]string{
			".gemini/settings.json": `{"mcpServers": {"login": {"command": "fakemcp", "args": ["-behaviour", "crash-at-start"], "env": {"KEY": "$KEY"}}}}`},
			[]turn{{files.question, "n"}, {start, "y"}, {waive, "y"}}, 0, "1 sealed, 1 file written",
			[]string{".toolwarrant/servers/login.lock.json", ".toolwarrant/policy.yaml"}, []string{".github"}},
		{"nothing declared", map[string]string{"README.md": "x"}, []turn{files}, 0, "nothing declared, 3 files written", []string{".toolwarrant/README.md"}, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := newScratch(t, t.TempDir())
			for name, text := range tt.files {
				s.write(name, text)
			}
			p, cmd, out := s.atTerminal("init", "--action", commit, "--date", "2026-06-01")
			for _, q := range tt.turns {
				p.answers(q.question, q.answer)
			}
			if err := cmd.Wait(); cmd.ProcessState.ExitCode() != tt.code {
				t.Errorf("exit %v, want %d\n%s", err, tt.code, out)
			}
			if !strings.Contains(out.String(), tt.says) {
				t.Errorf("it does not say %q:\n%s", tt.says, out)
			}
			for _, name := range tt.written {
				s.read(name)
			}
			for _, name := range tt.absent {
				if _, err := os.Stat(s.file(name)); err == nil {
					t.Errorf("%s was written", name)
				}
			}
		})
	}
}
