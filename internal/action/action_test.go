package action

import (
	"bytes"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
)

// TestLend: files that are lent are those of the tree behind it.
func TestLend(t *testing.T) {
	tree := fstest.MapFS{"a": {Data: []byte("1")}, "d/b": {Data: []byte("2"), Mode: 0o755}, "d/c": {Data: bytes.Repeat([]byte("3"), 100_000)}}
	qr, qw, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	ar, aw, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan bool)
	go func() { lend(map[string]fs.FS{"x": tree}, qr, aw); close(done) }()
	l := newLender(qw, ar)
	if err := fstest.TestFS(l.Tree("x"), "a", "d/b", "d/c"); err != nil {
		t.Error(err)
	}
	if _, err := l.Tree("y").Open("a"); err == nil {
		t.Error("a commit that nobody lends is read")
	}
	if err := fstest.TestFS(l.Tree("x"), "missing"); err == nil {
		t.Error("a file that is not there is found")
	}
	_ = qw.Close()
	<-done
}

// TestOutputs: a value never ends early and never becomes another output.
func TestOutputs(t *testing.T) {
	var a, b bytes.Buffer
	list := []output{{"outcome", "clean"}, {"approved-by", "a,b[bot]"}}
	if err := writeOutputs(&a, list); err != nil {
		t.Fatal(err)
	}
	if err := writeOutputs(&b, list); err != nil {
		t.Fatal(err)
	}
	if a.String() == b.String() {
		t.Error("the delimiter is the same twice")
	}
	lines := strings.Split(strings.TrimSpace(a.String()), "\n")
	if len(lines) != 6 || lines[1] != "clean" || lines[0] != "outcome<<"+lines[2] || lines[4] != "a,b[bot]" {
		t.Errorf("%q", lines)
	}
	for _, bad := range []string{"a\nb", "a\rb", "a\u2028b", "a<<b", strings.Repeat("a", 5000)} {
		if err := writeOutputs(io.Discard, []output{{"x", bad}}); err == nil {
			t.Errorf("%.20q is put out", bad)
		}
	}
}

// TestReadRunner: processes of ours get a few variables, and the token is not one.
func TestReadRunner(t *testing.T) {
	r, warnings, err := ReadRunner([]string{
		"GITHUB_EVENT_NAME=push", "GITHUB_WORKSPACE=/w", "GITHUB_REPOSITORY=o/n", "GITHUB_WORKFLOW_REF=o/n/.github/workflows/x.yml@refs/heads/main", "PATH=/bin", "NPM_TOKEN=a",
		"INPUT_GITHUB-TOKEN=b", "INPUT_FAIL_ON= drift ", "INPUT_SARIF-FILE=", "INPUT_OTHER=1", "ACTIONS_RUNTIME_TOKEN=c", "DOCKER_HOST=unix:///d.sock",
	})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"PATH=/bin"}, r.Environ); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(map[string]string{"fail-on": "drift"}, r.Inputs); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"there is no input other"}, warnings); diff != "" {
		t.Error(diff)
	}
	if r.Token.Len() != 1 || r.Workflow != ".github/workflows/x.yml" || r.Hosted || r.Guarded[len(r.Guarded)-1].Path != "/d.sock" {
		t.Errorf("%+v", r)
	}
	if _, _, err := ReadRunner(nil); err == nil {
		t.Error("an environment without a runner is taken for one")
	}
}

// TestReadRunnerCheckout: nothing that lies in the checkout is run or believed.
func TestReadRunnerCheckout(t *testing.T) {
	dir := t.TempDir()
	work, bin := filepath.Join(dir, "work"), filepath.Join(dir, "bin")
	for _, err := range []error{os.MkdirAll(filepath.Join(work, "tools"), 0o755), os.Mkdir(bin, 0o755), os.Symlink(filepath.Join(work, "tools"), filepath.Join(dir, "link"))} {
		if err != nil {
			t.Fatal(err)
		}
	}
	list := func(names ...string) string { return strings.Join(names, string(filepath.ListSeparator)) }
	r, warnings, err := ReadRunner([]string{
		"GITHUB_EVENT_NAME=push", "GITHUB_WORKSPACE=" + work, "GITHUB_REPOSITORY=o/n",
		"PATH=" + list("tools", work, filepath.Join(work, "tools"), ".", "", filepath.Join(dir, "link"), bin, filepath.Join(bin, "..", "work", "tools"), work+"-not"),
		"SSL_CERT_FILE=" + filepath.Join(work, "ca.pem"), "NODE_EXTRA_CA_CERTS=" + filepath.Join(bin, "ca.pem"), "NPM_CONFIG_USERCONFIG=.npmrc", "HTTPS_PROXY=http://p:1",
	})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"PATH=" + list(bin, work+"-not"), "HTTPS_PROXY=http://p:1", "NODE_EXTRA_CA_CERTS=" + filepath.Join(bin, "ca.pem")}, r.Environ); diff != "" {
		t.Error(diff)
	}
	if len(warnings) != 3 {
		t.Errorf("%q", warnings)
	}
}

// FuzzLog wants no command of a runner's in what passes, however it comes in.
func FuzzLog(f *testing.F) {
	for _, s := range []string{"", "a\nb", "::error::x\n", "  ::set-env name=a::b", "x ##[add-path]y\n", "##\r[x]", "\r::x"} {
		f.Add(s, 3)
	}
	f.Fuzz(func(t *testing.T, text string, at int) {
		var b bytes.Buffer
		l := &Log{W: &b}
		at = max(0, min(at, len(text)))
		_, _ = l.Write([]byte(text[:at]))
		_, _ = l.Write([]byte(text[at:]))
		_ = l.Close()
		for _, line := range strings.FieldsFunc(b.String(), func(r rune) bool { return r == '\n' || r == '\r' }) {
			if strings.HasPrefix(strings.TrimSpace(line), "::") || strings.Contains(line, "##[") {
				t.Errorf("%q passes as %q", text, line)
			}
		}
	})
}
