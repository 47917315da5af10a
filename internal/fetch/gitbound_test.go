package fetch

import (
	"bytes"
	"compress/gzip"
	"compress/zlib"
	"context"
	"crypto/rand"
	"crypto/sha1"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/toolwarrant/toolwarrant/finding"
)

// A blob of 400 MB packs into very little. It is neither unpacked nor held: git
// stays below its bound, and so does the disk.
func TestCommitLargeBlob(t *testing.T) {
	leftNothing(t)
	r := newGitRepository(t)
	const size = 400 << 20
	zeros := filepath.Join(t.TempDir(), "zeros")
	write(t, zeros, "")
	if err := os.Truncate(zeros, size); err != nil {
		t.Fatal(err)
	}
	large := r.run("", "-c", "core.bigFileThreshold=1m", "hash-object", "-w", "--no-filters", zeros)
	id := r.commit(r.tree("100644 blob "+large+"\tplugin.zip", "100644 blob "+r.blob("x")+"\tREADME"), "refs/heads/main")
	c, address := r.serve(r.server())
	got, err := c.Commit(t.Context(), address, id, gitOptions())
	if err != nil {
		t.Fatal(err)
	}
	defer got.Close()
	if data, err := got.File(t.Context(), "README", 1); err != nil || string(data) != "x" {
		t.Errorf("a small file beside it: %q, %v", data, err)
	}
	_, err = got.File(t.Context(), "plugin.zip", 4<<20)
	large400(t, err, "it has 419430400 bytes")
	_, err = got.Folder(t.Context(), "")
	large400(t, err, "it has 419430400 bytes")
	if n := onDisk(t, got.store.dir); n > 8<<20 {
		t.Errorf("%d bytes are on the disk", n)
	}
}

func large400(t *testing.T, err error, tells string) {
	t.Helper()
	refusal(t, err, true, tells)
	if failed, ok := errors.AsType[*DownloadError](err); ok && !failed.TooLarge {
		t.Errorf("%v is not told as too large", err)
	}
}

// onDisk is how many bytes lie below a folder.
func onDisk(t *testing.T, dir string) (n int64) {
	t.Helper()
	err := filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err == nil {
			n += info.Size()
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// What does not pack is cut off on the wire.
func TestCommitWire(t *testing.T) {
	leftNothing(t)
	r := newGitRepository(t)
	noise := make([]byte, 3<<20)
	_, _ = rand.Read(noise)
	id := r.commit(r.tree("100644 blob "+r.blob(string(noise))+"\tplugin.zip"), "refs/heads/main")
	c, address := r.serve(r.server())
	_, _, err := fetchFile(t.Context(), c, address, id, "plugin.zip")
	large400(t, err, "sends more than")
}

// A repository that sends files with its history, and more than history has, does
// not tell where a commit belongs. That is no failure.
func TestCommitReachUnknown(t *testing.T) {
	leftNothing(t)
	r := newGitRepository(t)
	r.run("", "config", "uploadpack.allowFilter", "false")
	old := r.commit(r.files(), "")
	noise := make([]byte, maxGitHistory+1<<20)
	_, _ = rand.Read(noise)
	r.commit(r.tree("100644 blob "+r.blob(string(noise))+"\tnoise"), "refs/heads/main", old)
	c, address := r.serve(r.server())
	got, reach, err := fetchFile(t.Context(), c, address, old, "plugin.zip")
	if err != nil || got != "archive" || reach != finding.Unknown {
		t.Errorf("got %q, %q, %v", got, reach, err)
	}
}

// packet is a line of git's protocol (gitprotocol-common).
func packet(text string) string { return fmt.Sprintf("%04x%s", len(text)+4, text) }

// speaker is a server of version 2 of the protocol that answers a fetch as it is
// told.
type speaker func(w io.Writer)

func (s speaker) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method == http.MethodGet {
		w.Header().Set("Content-Type", "application/x-git-upload-pack-advertisement")
		_, _ = io.WriteString(w, packet("# service=git-upload-pack\n")+"0000"+packet("version 2\n")+packet("ls-refs\n")+packet("fetch=shallow filter\n")+packet("object-format=sha1\n")+"0000")
		return
	}
	w.Header().Set("Content-Type", "application/x-git-upload-pack-result")
	body := io.Reader(r.Body)
	if r.Header.Get("Content-Encoding") == "gzip" {
		var err error
		if body, err = gzip.NewReader(r.Body); err != nil {
			return
		}
	}
	asked, _ := io.ReadAll(body)
	if !bytes.Contains(asked, []byte("command=fetch")) {
		_, _ = io.WriteString(w, "0000")
		return
	}
	_, _ = io.WriteString(w, packet("packfile\n"))
	s(w)
}

// packed is one object of a pack (gitformat-pack); base is what a delta is against.
func packed(kind byte, base string, data []byte) []byte {
	n := len(data)
	head := []byte{kind<<4 | byte(n&15)}
	for n >>= 4; n > 0; n >>= 7 {
		head[len(head)-1] |= 0x80
		head = append(head, byte(n&127))
	}
	id, _ := hex.DecodeString(base)
	var b bytes.Buffer
	b.Write(append(head, id...))
	z := zlib.NewWriter(&b)
	_, _ = z.Write(data)
	_ = z.Close()
	return b.Bytes()
}

func pack(objects ...[]byte) []byte {
	out := append([]byte("PACK\x00\x00\x00\x02"), binary.BigEndian.AppendUint32(nil, uint32(len(objects)))...)
	out = append(out, bytes.Join(objects, nil)...)
	sum := sha1.Sum(out)
	return append(out, sum[:]...)
}

// size is a length in a delta.
func deltaSize(n uint64) (out []byte) {
	for ; n > 127; n >>= 7 {
		out = append(out, byte(n)|0x80)
	}
	return append(out, byte(n))
}

// A delta of a kilobyte may stand for gigabytes. And what is no object at all may go
// on for ever.
func TestCommitHostilePack(t *testing.T) {
	leftNothing(t)
	const base, copies = 0xffffff, 256
	zeros := make([]byte, base)
	blob := fmt.Sprintf("%x", sha1.Sum(append(fmt.Appendf(nil, "blob %d\x00", base), zeros...)))
	delta := append(deltaSize(base), deltaSize(base*copies)...)
	delta = append(delta, bytes.Repeat([]byte{0xf0, 0xff, 0xff, 0xff}, copies)...)
	tree := fmt.Sprintf("%x", sha1.Sum([]byte("tree 0\x00")))
	commit := []byte("tree " + tree + "\nauthor a <a> 1 +0000\ncommitter a <a> 1 +0000\n\nm\n")
	id := fmt.Sprintf("%x", sha1.Sum(append(fmt.Appendf(nil, "commit %d\x00", len(commit)), commit...)))
	whole := [][]byte{packed(1, "", commit), packed(2, "", nil), packed(3, "", zeros)}
	send := func(data []byte) speaker {
		return func(w io.Writer) {
			for len(data) > 0 {
				n := min(len(data), 60000)
				_, _ = io.WriteString(w, packet("\x01"+string(data[:n])))
				data = data[n:]
			}
			_, _ = io.WriteString(w, "0000")
		}
	}
	for _, tt := range []struct {
		name  string
		serve speaker
		is    bool   // refused
		want  string // a word of the error; empty for none
	}{
		{"sound", send(pack(whole...)), false, ""},
		{"a delta bomb", send(pack(append(whole, packed(7, blob, delta))...)), false, "more memory"},
		{"another commit", send(pack(packed(1, "", append(commit, 'x')), packed(2, "", nil))), false, "did not get"},
		{"progress without end", func(w io.Writer) {
			line := packet("\x02" + strings.Repeat("x", 60000))
			for {
				if _, err := io.WriteString(w, line); err != nil {
					return
				}
			}
		}, true, "sends more than 64 MiB"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := newGitRepository(t)
			c, address := r.serve(tt.serve)
			got, err := c.Commit(t.Context(), address, id, gitOptions())
			if err == nil {
				defer got.Close()
			}
			if tt.want != "" {
				refusal(t, err, tt.is, tt.want)
			} else if err != nil {
				t.Error(err)
			}
		})
	}
}

// The user's proxy is asked for a way to the host, which is judged by its name
// before.
func TestCommitProxy(t *testing.T) {
	leftNothing(t)
	newGitRepository(t) // git is there
	var ways []string
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ways = append(ways, r.Method+" "+r.Host)
		w.WriteHeader(http.StatusForbidden)
	}))
	t.Cleanup(proxy.Close)
	c, err := EnvironmentConfig([]string{"HTTPS_PROXY=" + proxy.URL})
	if err != nil {
		t.Fatal(err)
	}
	o := GitOptions{PATH: os.Getenv("PATH")}
	for _, address := range []string{"https://plugins.example/a.git", "https://127.0.0.1/a.git", "https://localhost/a.git"} {
		if _, err := c.Commit(context.Background(), address, strings.Repeat("1", 40), o); err == nil {
			t.Errorf("something came from %s", address)
		}
	}
	if strings.Join(ways, ",") != "CONNECT plugins.example:443" {
		t.Errorf("the proxy was asked %q", ways)
	}
}

// FuzzGitTree: whatever a tree is made of, its names are names, each there once, and
// nothing of it is lost.
func FuzzGitTree(f *testing.F) {
	f.Add([]byte("100644 a\x0012345678901234567890" + "40000 b\x0012345678901234567890"))
	f.Add([]byte("100644 ../a\x0012345678901234567890"))
	f.Add([]byte("100644 a"))
	f.Fuzz(func(t *testing.T, data []byte) {
		entries, err := parseGitTree(40, data)
		if err != nil {
			return
		}
		size := 0
		for i, e := range entries {
			size += len(e.mode) + len(" ") + len(e.name) + 1 + 20
			if strings.ContainsAny(e.name, "/\x00") || e.name == "" || e.name == ".." || !ValidCommit(e.id) || i > 0 && entries[i-1].name >= e.name {
				t.Errorf("%+v", e)
			}
		}
		if size != len(data) {
			t.Errorf("%d of %d bytes", size, len(data))
		}
		_, _ = treeOf(strings.Repeat("1", 40), data)
	})
}
