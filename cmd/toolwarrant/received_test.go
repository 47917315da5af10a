package main

import (
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/toolwarrant/toolwarrant/internal/fakemcp"
)

// fakeServer is the fake server. Whatever log it is told to keep, the run of the
// tests keeps one too, which no script can delete.
func fakeServer() int {
	args := os.Args[1:]
	if len(args) > 0 && args[0] == "-aside" {
		return fakemcp.Main(args) // a child of one
	}
	if confined() {
		return fakemcp.Main(args) // the sandbox keeps it from writing here
	}
	dir, err := received()
	if err == nil {
		args, err = keepLog(dir, args)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "fakemcp: nothing would be seen of what is received:", err)
		return 2
	}
	os.Args = append(os.Args[:1:1], args...)
	return fakemcp.Main(args)
}

// confined reports whether the server got decoys: only a confined one does.
func confined() bool {
	_, err := os.Lstat(filepath.Join(os.Getenv("HOME"), ".netrc"))
	return err == nil
}

// received is a folder beside the programs of the tests, which every server
// finds by its PATH.
func received() (string, error) {
	program, err := exec.LookPath("fakemcp")
	if err != nil {
		return "", err
	}
	dir := filepath.Join(filepath.Dir(program), "received")
	return dir, os.MkdirAll(dir, 0o700)
}

// keepLog gives the log a second name in dir, and a server without one a log
// there.
func keepLog(dir string, args []string) ([]string, error) {
	kept := filepath.Join(dir, fmt.Sprintf("%d-%d", os.Getpid(), time.Now().UnixNano()))
	if !slices.Contains(args, "-sentinel") {
		args = append([]string{"-sentinel", filepath.Join(dir, "called")}, args...)
	}
	i := slices.Index(args, "-log") + 1
	if i == 0 || i == len(args) {
		return append([]string{"-log", kept}, args...), nil
	}
	log, err := os.OpenFile(args[i], os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, err
	}
	defer func() { _ = log.Close() }()
	return args, os.Link(args[i], kept)
}

// onlyLists wants nothing but list methods and their answers in everything that
// any fake server received in this run, and no sign of a call.
func onlyLists(t *testing.T) {
	t.Helper()
	dir, err := received()
	if err != nil {
		t.Fatal(err)
	}
	logs, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	for _, log := range logs {
		if log.Name() == "called" {
			t.Error("a tool was called")
		}
		text, err := os.ReadFile(filepath.Join(dir, log.Name()))
		if err != nil {
			t.Fatal(err)
		}
		for _, line := range strings.Split(string(text), "\n") {
			if !strings.HasPrefix(line, "method ") && !strings.HasPrefix(line, "answer ") {
				continue
			}
			if seen++; !slices.Contains(allowed, line) {
				t.Errorf("a server received %q", line)
			}
		}
	}
	if len(logs) > 0 && seen == 0 {
		t.Errorf("%d servers started and received nothing: the logs are not what is checked here", len(logs))
	}
}

// leaks lists the files below dir that hold the sentinel without being the place
// where a script planted it, and of tools that were called.
func leaks(dir string) []string {
	var out []string
	_ = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() || inputs.MatchString(filepath.ToSlash(path)) {
			return nil
		}
		data, err := os.ReadFile(path)
		if err == nil && strings.Contains(string(data), sentinel) {
			out = append(out, "the sentinel stands in "+d.Name())
		}
		if d.Name() == "called" {
			out = append(out, "a tool was called")
		}
		return nil
	})
	return out
}
