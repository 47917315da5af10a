package tree

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// hardening stands before every git command. The environment says most of it
// again: it is older than some of the options, and wins over a configuration that
// allows one protocol by name.
var hardening = []string{
	"--no-replace-objects", "--no-optional-locks", "--no-pager", "--literal-pathspecs",
	"-c", "core.hooksPath=/dev/null", "-c", "core.fsmonitor=false", "-c", "core.attributesFile=/dev/null",
	"-c", "core.sshCommand=false", "-c", "core.gitProxy=false", "-c", "credential.helper=", "-c", "core.askPass=false",
	"-c", "protocol.allow=never", "-c", "gc.auto=0", "-c", "maintenance.auto=false", "-c", "submodule.recurse=false",
}

// command runs git with an environment built from empty.
type command struct {
	gitDir    string   // the git folder, "" for a command that needs none
	objects   string   // read objects here instead of in the git folder
	protocols string   // those that may be used, "" for none
	env       []string // more variables
	options   []string // more options before the verb
}

// make prepares a process. It runs in a folder that holds no repository.
func (c command) make(ctx context.Context, args ...string) (*exec.Cmd, error) {
	program, err := exec.LookPath("git")
	if err != nil {
		return nil, ErrNoGit
	}
	cmd := exec.CommandContext(ctx, program, append(append(append([]string{}, hardening...), c.options...), args...)...)
	cmd.Dir = c.gitDir
	if cmd.Dir == "" {
		cmd.Dir = os.TempDir()
	}
	cmd.Env = append(c.environment(), c.env...)
	cmd.WaitDelay = 5 * time.Second
	return cmd, nil
}

func (c command) environment() []string {
	env := []string{
		"PATH=" + os.Getenv("PATH"), "LC_ALL=C", "HOME=" + os.DevNull, "XDG_CONFIG_HOME=" + os.DevNull,
		"GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=" + os.DevNull, "GIT_CONFIG_SYSTEM=" + os.DevNull, "GIT_ATTR_NOSYSTEM=1",
		"GIT_NO_REPLACE_OBJECTS=1", "GIT_NO_LAZY_FETCH=1", "GIT_OPTIONAL_LOCKS=0",
		"GIT_TERMINAL_PROMPT=0", "GIT_ASKPASS=", "SSH_ASKPASS=", "GIT_ALLOW_PROTOCOL=" + c.protocols, "GIT_PROTOCOL_FROM_USER=0",
	}
	// Windows programs do not start without it.
	if root := os.Getenv("SYSTEMROOT"); root != "" {
		env = append(env, "SYSTEMROOT="+root)
	}
	if c.gitDir != "" {
		env = append(env, "GIT_DIR="+c.gitDir)
	}
	if c.objects != "" {
		env = append(env, "GIT_OBJECT_DIRECTORY="+c.objects)
	}
	return env
}

// output runs a command to its end. What git writes to stderr is foreign and may
// quote what it read; it is not kept.
func (c command) output(args ...string) ([]byte, error) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	cmd, err := c.make(ctx, args...)
	if err != nil {
		return nil, err
	}
	out, err := cmd.Output()
	if err != nil {
		return out, fmt.Errorf("%w: git %s failed", ErrNoGit, args[0])
	}
	return out, nil
}

// emptyGitDir makes a git folder with no configuration but the form of its ids.
func emptyGitDir(sha256 bool) (string, error) {
	dir, err := os.MkdirTemp("", "toolwarrant-git-")
	if err != nil {
		return "", fmt.Errorf("make a folder for git: %w", err)
	}
	config := "[core]\n\tbare = true\n\trepositoryformatversion = 0\n"
	if sha256 {
		config = "[core]\n\tbare = true\n\trepositoryformatversion = 1\n[extensions]\n\tobjectformat = sha256\n"
	}
	for name, text := range map[string]string{"HEAD": "ref: refs/heads/none\n", "config": config} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			_ = os.RemoveAll(dir)
			return "", fmt.Errorf("write a folder for git: %w", err)
		}
	}
	for _, name := range []string{"refs", "objects/info"} {
		if err := os.MkdirAll(filepath.Join(dir, filepath.FromSlash(name)), 0o700); err != nil {
			_ = os.RemoveAll(dir)
			return "", fmt.Errorf("write a folder for git: %w", err)
		}
	}
	return dir, nil
}

// commandObjects reads objects through two long-lived `git cat-file` processes.
type commandObjects struct {
	dir             string
	sha256          bool
	limit           int64 // the most bytes of an object
	contents, check *catFile
}

func (o *commandObjects) get(id string) (kind string, data []byte, err error) {
	size, err := o.size(id)
	if err != nil {
		return "", nil, err
	}
	if size > o.limit {
		return "", nil, ErrTooLarge
	}
	kind, size, r, err := o.ask(&o.contents, "--batch", id)
	if err != nil {
		return "", nil, err
	}
	data = make([]byte, size+1) // a line feed follows
	if _, err := io.ReadFull(r, data); err != nil {
		return "", nil, unreadable(id)
	}
	return kind, data[:size], nil
}

func (o *commandObjects) size(id string) (int64, error) {
	_, size, _, err := o.ask(&o.check, "--batch-check", id)
	return size, err
}

// ask starts the process where it does not run, and asks it for one object.
func (o *commandObjects) ask(p **catFile, mode, id string) (kind string, size int64, r io.Reader, err error) {
	if !isID(id) || (len(id) == 64) != o.sha256 {
		return "", 0, nil, &MissingError{id}
	}
	if *p == nil {
		if *p, err = startCatFile(o.dir, o.sha256, mode); err != nil {
			return "", 0, nil, err
		}
	}
	kind, size, err = (*p).ask(id)
	return kind, size, (*p).out, err
}

func (o *commandObjects) prefixed(prefix string) ([]string, error) {
	dir, err := emptyGitDir(o.sha256)
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	out, err := command{gitDir: dir, objects: o.dir}.output("rev-parse", "--disambiguate="+prefix)
	if err != nil {
		return nil, err
	}
	return strings.Fields(string(out)), nil
}

func (o *commandObjects) close() error {
	for _, p := range []*catFile{o.contents, o.check} {
		if p != nil {
			p.close()
		}
	}
	o.contents, o.check = nil, nil
	return nil
}

// catFile is one process that answers a line with a header and maybe contents.
type catFile struct {
	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Reader
	dir string // its git folder until its first answer
}

func startCatFile(objects string, sha256 bool, mode string) (*catFile, error) {
	dir, err := emptyGitDir(sha256)
	if err != nil {
		return nil, err
	}
	p := &catFile{dir: dir}
	if err := p.start(objects, mode); err != nil {
		_ = os.RemoveAll(dir)
		return nil, err
	}
	return p, nil
}

func (p *catFile) start(objects, mode string) error {
	var err error
	if p.cmd, err = (command{gitDir: p.dir, objects: objects}).make(context.Background(), "cat-file", mode); err != nil {
		return err
	}
	if p.in, err = p.cmd.StdinPipe(); err != nil {
		return ErrNoGit
	}
	out, err := p.cmd.StdoutPipe()
	if err != nil || p.cmd.Start() != nil {
		return ErrNoGit
	}
	p.out = bufio.NewReader(out)
	return nil
}

// ask reads the header of an answer: "ID KIND SIZE" or "ID missing".
func (p *catFile) ask(id string) (kind string, size int64, err error) {
	if _, err := io.WriteString(p.in, id+"\n"); err != nil {
		return "", 0, ErrNoGit
	}
	line, err := p.out.ReadSlice('\n')
	if err != nil {
		return "", 0, ErrNoGit
	}
	fields := strings.Fields(string(line))
	p.forget()
	if len(fields) == 2 && fields[1] == "missing" {
		return "", 0, &MissingError{id}
	}
	if len(fields) != 3 || fields[0] != id {
		return "", 0, unreadable(id)
	}
	size, err = strconv.ParseInt(fields[2], 10, 64)
	if err != nil || size < 0 {
		return "", 0, unreadable(id)
	}
	return fields[1], size, nil
}

// forget removes the git folder: git has read it by its first answer, and so
// nothing is left behind by a program that ends without Close.
func (p *catFile) forget() {
	if p.dir != "" {
		_ = os.RemoveAll(p.dir)
		p.dir = ""
	}
}

// close ends the process, which ends by itself at the end of its input.
func (p *catFile) close() {
	_ = p.in.Close()
	_ = p.cmd.Wait()
	p.forget()
}

// lines splits what a command wrote.
func lines(out []byte) []string {
	return strings.Split(string(bytes.TrimRight(out, "\n")), "\n")
}
