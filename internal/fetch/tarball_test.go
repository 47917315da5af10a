package fetch

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
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
		{Typeflag: tar.TypeXGlobalHeader, PAXRecords: map[string]string{"comment": "a commit"}}, file("package/./src//b.js"),
		file("package/" + strings.Repeat("long/", 40) + "é.js"), {Name: "package/folder/", Typeflag: tar.TypeDir, Mode: 0o755}, file("package/package.json"),
	}, []string{"old", "run", "a", "", "b", "long", "", "new"})
	dir := t.TempDir()
	files, sum, err := unpack(bytes.NewReader(data), filepath.Join(dir, "p"), "p@1.0.0")
	if err != nil {
		t.Fatal(err)
	}
	if got := "sha512-" + base64Of(sum); got != integrityOf(data) {
		t.Errorf("digest %s, want %s", got, integrityOf(data))
	}
	if got := namesBelow(t, dir); !slices.Equal(got, []string{"p/bin/run", "p/" + strings.Repeat("long/", 40) + "é.js", "p/package.json", "p/src/a.js", "p/src/b.js"}) {
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
		"a link": one(tar.Header{Name: "package/link", Typeflag: tar.TypeSymlink, Linkname: "a"}), "a hard link": one(tar.Header{Name: "package/hard", Typeflag: tar.TypeLink, Linkname: "package/a"}),
		"a device": one(tar.Header{Name: "package/device", Typeflag: tar.TypeChar}), "begins with a dot": one(file("./package/server.js")), "begins with a slash": one(file("/package/server.js")),
		"up and down": one(file("package/x/../server.js")), "a name of a folder": rawArchive(raw{name: "package/a/", flag: '0', body: "x"}),
		"all files have one path": one(tar.Header{Typeflag: tar.TypeXGlobalHeader, PAXRecords: map[string]string{"path": "package/a"}}),
		"all files have one size": one(tar.Header{Typeflag: tar.TypeXGlobalHeader, PAXRecords: map[string]string{"size": "1"}}),
		"no gzip":                 []byte("hello"), "cut off": whole[:len(whole)/2], "empty": {},
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

// raw is an entry as it lies in an archive.
type raw struct {
	name string
	flag byte
	body string
	edit func(block []byte) // before the checksum
}

func (r raw) bytes() []byte {
	block := make([]byte, blockLen)
	if r.flag == 'E' { // a block of the end
		return block
	}
	copy(block, r.name)
	copy(block[100:], "0000644\x00")
	copy(block[124:], fmt.Sprintf("%011o\x00", len(r.body)))
	copy(block[257:], "ustar\x0000")
	block[156] = r.flag
	if r.edit != nil {
		r.edit(block)
	}
	copy(block[148:], fmt.Sprintf("%06o\x00 ", (&headers{block: block}).sum()))
	body := append([]byte(r.body), make([]byte, (blockLen-len(r.body)%blockLen)%blockLen)...)
	return append(block, body...)
}

func rawArchive(entries ...raw) []byte {
	var b bytes.Buffer
	gz := gzip.NewWriter(&b)
	for _, e := range entries {
		_, _ = gz.Write(e.bytes()) // a buffer takes everything
	}
	_, _ = gz.Write(make([]byte, 2*blockLen))
	_ = gz.Close()
	return b.Bytes()
}

// record is a line of an extended header; its length is part of it.
func record(key, value string) string {
	for n := 1; ; n++ {
		if line := fmt.Sprintf("%d %s=%s\n", n, key, value); len(line) == n {
			return line
		}
	}
}

// TestTarballsThatOthersReadOtherwise: each of these is one archive to this
// program's library and another to npm.
func TestTarballsThatOthersReadOtherwise(t *testing.T) {
	const at = "package/server.js"
	plain := raw{name: at, flag: '0', body: "good"}
	x := func(records ...string) raw { return raw{name: "x", flag: 'x', body: strings.Join(records, "")} }
	set := func(at int, text string) func([]byte) { return func(b []byte) { copy(b[at:], text) } }
	end := raw{flag: 'E'}
	for name, entries := range map[string][]raw{
		"plain": {plain}, "no flag": {{name: at, body: "good"}}, "a long path": {x(record("path", at)), plain}, "a size of a folder": {{name: "package/d/", flag: '5', edit: set(124, "00000010000")}, plain},
		"a text in a record": {x(record("NODETAR.readme", "# Words\n\n20 of them\n")), plain}, "!a type": {x(record("type", "Link")), plain},
		"!a record behind a space": {x(record("comment", "a\n 12path=a/b\n")), plain},
		"times behind the prefix":  {{name: at, flag: '0', body: "good", edit: set(476, "14522325161\x0014522325161\x00")}},
		"!contiguous":              {{name: at, flag: '7', body: "evil"}}, "!long name of old": {{name: "x", flag: 'N', body: at}, plain}, "!long name": {{name: "x", flag: 'L', body: at + "\x00"}, plain},
		"!long link": {{name: "x", flag: 'K', body: "a\x00"}, plain}, "!extended of old": {{name: "x", flag: 'X', body: record("path", at)}, plain}, "!sparse of old": {{name: at, flag: 'S', body: "evil"}},
		"!unknown flag": {{name: at, flag: 'Q', body: "evil"}}, "!a file that is a link": {{name: at, flag: '0', body: "evil", edit: set(157, "other")}},
		"!a link with a body": {{name: "package/l", flag: '2', body: strings.Repeat("e", 600), edit: set(157, at)}}, "!a linkpath": {x(record("linkpath", "other")), plain},
		"!sparse":           {x(record("GNU.sparse.name", at), record("GNU.sparse.major", "1"), record("GNU.sparse.minor", "0"), record("GNU.sparse.realsize", "4")), {name: "package/x", flag: '0', body: "0\n" + strings.Repeat("\x00", 510)}},
		"!a name of sparse": {x(record("GNU.sparse.name", at)), {name: "package/x", flag: '0', body: "evil"}}, "the same size": {x(record("size", "4")), plain}, "!a size": {x(record("size", "3")), plain}, "!no path": {x(record("path", "")), plain},
		"!a line in a record": {x(record("comment", "a\n"+record("path", "package/evil.js"))), plain}, "!two extended": {x(record("path", "package/evil.js")), x(record("mtime", "1")), plain},
		"!extended before global": {x(record("path", "package/evil.js")), {name: "g", flag: 'g', body: record("comment", "c")}, plain}, "behind the end": {plain, end, end, {name: "package/evil.js", flag: '0'}},
		"!behind a zero in the name": {{name: at + "\x00x\nevil", flag: '0', body: "evil"}}, "!a prefix of no form": {{name: at, flag: '0', body: "evil", edit: func(b []byte) { copy(b[263:], "11"); copy(b[345:], "package/evil") }}},
		"!a size behind a zero": {{name: at, flag: '0', body: "evil", edit: set(124, "\x00000000004\x00")}}, "!a size of 256": {{name: at, flag: '0', body: "evil", edit: set(124, "\x80\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x04")}},
		"!a folder with a body": {{name: "package/d/", body: string(raw{name: "package/evil.js", flag: '0'}.bytes())}},
	} {
		t.Run(name, func(t *testing.T) {
			files, _, err := unpack(bytes.NewReader(rawArchive(entries...)), filepath.Join(t.TempDir(), "p"), "p@1.0.0")
			refused := (*ArchiveError)(nil)
			if strings.HasPrefix(name, "!") != errors.As(err, &refused) {
				t.Errorf("got %v, %v", files, err)
			}
			if !strings.HasPrefix(name, "!") && (len(files) != 1 || files["server.js"].mode != fileMode) {
				t.Errorf("%v was unpacked", files)
			}
		})
	}
}
