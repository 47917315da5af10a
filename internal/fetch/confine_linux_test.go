package fetch

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/toolwarrant/toolwarrant/internal/sandbox"
)

// prey is what a hostile resolver is after. It stands at the end of its program, the
// one file that it can read for sure.
type prey struct{ TCP, Socket, File, Outside string }

// hostile tries everything and tells each as WHAT=OUTCOME. What an honest resolver
// does comes last: it connects to the proxy that it was told of.
func hostile() int {
	var p prey
	data, err := os.ReadFile(os.Args[0])
	if err != nil || json.Unmarshal(data[bytes.LastIndexByte(data, '\n'):], &p) != nil {
		return 2
	}
	dial := func(network, at string) error {
		c, err := net.Dial(network, at)
		if err == nil {
			_ = c.Close()
		}
		return err
	}
	read := func(name string) error { _, err := os.ReadFile(name); return err }
	for _, try := range []struct {
		what string
		err  error
	}{
		{"tcp", dial("tcp", p.TCP)}, {"socket", dial("unix", p.Socket)}, {"file", read(p.File)},
		{"parent", read(fmt.Sprintf("/proc/%d/environ", os.Getppid()))}, {"write", os.WriteFile(p.Outside, nil, 0o600)},
		{"own", os.WriteFile("own", nil, 0o600)}, {"proxy", dial("tcp", toldProxy(os.Environ()))},
	} {
		said := "done"
		var errno syscall.Errno
		if errors.As(try.err, &errno) {
			said = unix.ErrnoName(errno)
		} else if try.err != nil {
			said = "failed"
		}
		_, _ = fmt.Fprintf(os.Stderr, "%s=%s ", try.what, said)
	}
	return 1
}

// toldProxy is where a resolver is told to go: by a variable, or by git's
// configuration.
func toldProxy(environ []string) string {
	for _, name := range []string{"npm_config_proxy", "HTTP_PROXY"} {
		if u, err := url.Parse(setOf(name, environ)); err == nil && u.Host != "" {
			return u.Host
		}
	}
	config, _ := os.ReadFile(filepath.Join(setOf("GIT_DIR", environ), "config"))
	if m := regexp.MustCompile(`http://([0-9.:]+)`).FindSubmatch(config); m != nil {
		return string(m[1])
	}
	return ""
}

// hunt lays prey out and puts the hostile program in a folder under each name.
func hunt(t *testing.T) (bin string) {
	t.Helper()
	dir := openDir(t)
	bin = filepath.Join(dir, "programs") // no bin, which would show what lies beside it
	p := prey{Socket: filepath.Join(dir, "socket"), File: filepath.Join(dir, "other", "file"), Outside: filepath.Join(dir, "open", "written")}
	for _, name := range []string{bin, filepath.Dir(p.File), filepath.Dir(p.Outside)} {
		if err := os.Mkdir(name, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(os.Chmod(filepath.Dir(p.Outside), 0o777), os.WriteFile(p.File, []byte("x"), 0o644)); err != nil {
		t.Fatal(err)
	}
	for network, at := range map[string]string{"tcp4": "127.0.0.1:0", "unix": p.Socket} {
		l, err := net.Listen(network, at)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = l.Close() })
		if network == "tcp4" {
			p.TCP = l.Addr().String()
		}
	}
	exe, err1 := os.ReadFile("/proc/self/exe")
	text, err2 := json.Marshal(p)
	err := errors.Join(err1, err2, os.Chmod(p.Socket, 0o777))
	for _, name := range append([]string{"node"}, hostileNames...) {
		err = errors.Join(err, os.WriteFile(filepath.Join(bin, name), append(append(exe, '\n'), text...), 0o755))
	}
	if err != nil {
		t.Fatal(err)
	}
	return bin
}

// hostileNames are those under which the test program is a hostile resolver.
var hostileNames = []string{"npm", "uv", "git"}

// TestHostileResolver: npm, uv and git that are not what they should be reach their
// proxy and their own folders, and nothing else.
func TestHostileResolver(t *testing.T) {
	if why := sandbox.Try(sandbox.Restricted); why != "" {
		t.Skip("resolvers are not confined here: " + why)
	}
	bin := hunt(t)
	t.Run("unconfined", func(t *testing.T) {
		cmd := &exec.Cmd{Path: filepath.Join(bin, "uv"), Args: []string{filepath.Join(bin, "uv")}, Dir: t.TempDir(), Env: []string{}}
		said, _ := cmd.CombinedOutput()
		if want := "tcp=done socket=done file=done parent=done write=done own=done proxy=failed "; string(said) != want {
			t.Errorf("the program says %q, want %q", said, want)
		}
	})
	const want = "tcp=ECONNREFUSED socket=ECONNREFUSED file=EACCES parent=EACCES write=EACCES own=done proxy=done"
	for name, run := range map[string]func(*testing.T, string) string{"npm": hostileNPM, "uv": hostileUV, "git": hostileGit} {
		t.Run(name, func(t *testing.T) {
			if said := strings.TrimSpace(run(t, bin)); said != want {
				t.Errorf("%s says %q, want %q", name, said, want)
			}
		})
	}
}

func hostileNPM(t *testing.T, bin string) string {
	r := NewResolver(Config{}, ResolverOptions{PATH: bin})
	room, err := r.newRoom([]byte("{}"))
	if err != nil {
		t.Fatal(err)
	}
	defer room.remove()
	proxy, err := startProxy(t.Context(), r.config, r.dialer)
	if err != nil {
		t.Fatal(err)
	}
	defer proxy.close()
	if note := r.Note(); note != "" {
		t.Errorf("it is told: %s", note)
	}
	said, err := r.run(t.Context(), room, proxy)
	if err != nil {
		t.Fatal(err)
	}
	return string(said.err)
}

func hostileUV(t *testing.T, bin string) string {
	dir := openDir(t)
	u, err := OpenUV([]string{"HOME=" + dir}, Folders{Tarballs: filepath.Join(dir, "tarballs"), Trees: filepath.Join(dir, "trees")}, ResolverOptions{PATH: bin})
	if err != nil {
		t.Fatal(err)
	}
	var failed *ResolveError
	if _, err := u.Resolve(t.Context(), []string{"some-server"}); !errors.As(err, &failed) {
		t.Fatal(err)
	}
	return string(failed.Foreign)
}

func hostileGit(t *testing.T, bin string) string {
	upstream, err := url.Parse("https://example.com/x")
	if err != nil {
		t.Fatal(err)
	}
	g, err := startGateway(t.Context(), Config{}, Dialer{}, upstream)
	if err != nil {
		t.Fatal(err)
	}
	defer g.close()
	s, err := newGitStore(GitOptions{PATH: bin}, g, false)
	if err != nil {
		t.Fatal(err)
	}
	defer s.remove()
	objects, err := s.read(context.Background(), "--batch")
	if err != nil {
		t.Fatal(err)
	}
	defer objects.close()
	if line, _ := objects.out.ReadString('\n'); line != "" {
		t.Errorf("it answers %q", line)
	}
	said, err := s.run(t.Context(), gitTime, "fetch")
	if err != nil {
		t.Fatal(err)
	}
	return string(said.err)
}
