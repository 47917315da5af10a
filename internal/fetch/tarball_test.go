package fetch

import (
	"archive/tar"
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func file(name string) tar.Header { return tar.Header{Name: name, Typeflag: tar.TypeReg, Mode: 0o644} }

// names lists what lies below a folder.
func namesBelow(t testing.TB, dir string) []string {
	t.Helper()
	var out []string
	err := filepath.WalkDir(dir, func(p string, e os.DirEntry, err error) error {
		if err == nil && !e.IsDir() {
			rel, _ := filepath.Rel(dir, p)
			out = append(out, filepath.ToSlash(rel))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestUnpack(t *testing.T) {
	data := archive([]tar.Header{
		file("package/package.json"), {Name: "package/bin/run", Typeflag: tar.TypeReg, Mode: 0o755}, file("other/src/a.js"),
		{Name: "package/link", Typeflag: tar.TypeSymlink, Linkname: "/etc/passwd"}, {Name: "package/hard", Typeflag: tar.TypeLink, Linkname: "package/package.json"},
		{Name: "package/device", Typeflag: tar.TypeChar}, {Name: "package/folder/", Typeflag: tar.TypeDir, Mode: 0o755}, file("package/package.json"),
	}, []string{"old", "run", "a", "", "", "", "", "new"})
	dir := t.TempDir()
	files, sum, err := unpack(bytes.NewReader(data), filepath.Join(dir, "p"), "p@1.0.0")
	if err != nil {
		t.Fatal(err)
	}
	if got := "sha512-" + base64Of(sum); got != integrityOf(data) {
		t.Errorf("digest %s, want %s", got, integrityOf(data))
	}
	if got := namesBelow(t, dir); !slices.Equal(got, []string{"p/bin/run", "p/package.json", "p/src/a.js"}) {
		t.Errorf("unpacked %v", got)
	}
	if text, _ := os.ReadFile(filepath.Join(dir, "p", "package.json")); string(text) != "new" {
		t.Errorf("of two files of one name %q counts, not the last", text)
	}
	if files["bin/run"].mode != binaryMode || files["package.json"].mode != fileMode {
		t.Errorf("modes %v %v", files["bin/run"].mode, files["package.json"].mode)
	}
}

func TestTarballsThatAreRefused(t *testing.T) {
	many := make([]tar.Header, maxEntries+1)
	for i := range many {
		many[i] = file(fmt.Sprintf("package/f%d", i))
	}
	one := func(h tar.Header) []byte { return archive([]tar.Header{h}, []string{"x"}) }
	whole := one(file("package/package.json"))
	for name, data := range map[string][]byte{
		"climbs": one(file("package/../../evil")), "climbs deep": one(file("package/a/../../../evil")), "backslash": one(file(`package\..\evil`)),
		"a drive": one(file("package/c:evil")), "a line break": one(file("package/a\nb")), "no UTF-8": one(file("package/\xff")),
		"a long name": one(file("package/" + strings.Repeat("a", 2*maxPath))), "file and folder": archive([]tar.Header{file("package/a"), file("package/a/b")}, []string{"x", "x"}),
		"too many": archive(many, make([]string, len(many))), "grows too much": archive([]tar.Header{file("package/zero")}, []string{strings.Repeat("\x00", 64<<20)}),
		"no gzip": []byte("hello"), "cut off": whole[:len(whole)/2], "empty": {},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			_, sum, err := unpack(bytes.NewReader(data), filepath.Join(dir, "in", "p"), "p@1.0.0")
			refused := (*ArchiveError)(nil)
			if !errors.As(err, &refused) || sum != nil {
				t.Errorf("got %v, digest %x", err, sum)
			}
			for _, n := range namesBelow(t, dir) {
				if !strings.HasPrefix(n, "in/p/") {
					t.Errorf("%s was written", n)
				}
			}
		})
	}
}

// TestBytesBehindATarballCount: what no reader of archives looks at is part of
// the digest.
func TestBytesBehindATarballCount(t *testing.T) {
	data := append(server.tarball(), "more"...)
	_, sum, err := unpack(bytes.NewReader(data), filepath.Join(t.TempDir(), "p"), "p@1.0.0")
	if err == nil && "sha512-"+base64Of(sum) == integrityOf(server.tarball()) {
		t.Error("trailing bytes are in no digest")
	}
}

func FuzzTarball(f *testing.F) {
	f.Add(server.tarball())
	f.Add(archive([]tar.Header{file("package/../../evil"), file("/etc/x")}, []string{"x", "y"}))
	f.Fuzz(func(t *testing.T, data []byte) {
		dir := t.TempDir()
		files, _, err := unpack(bytes.NewReader(data), filepath.Join(dir, "in", "p"), "p@1.0.0")
		for _, n := range namesBelow(t, dir) {
			if !strings.HasPrefix(n, "in/p/") {
				t.Fatalf("%q was written", n)
			}
			if _, ok := files[strings.TrimPrefix(n, "in/p/")]; err == nil && !ok {
				t.Fatalf("%q was written and not listed", n)
			}
		}
	})
}
