package fetch

import (
	"bytes"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

var hashA, hashB = strings.Repeat("a", 64), strings.Repeat("b", 64)

func TestReadRequirements(t *testing.T) {
	for text, want := range map[string]string{
		"A.b_C==1.0 --hash=sha256:" + hashA: "a-b-c 1.0 1",
		"# by uv\nx==1!2.0+local.1 \\\n    --hash=sha256:" + hashB + " \\\n    --hash=sha256:" + hashA + "\n    # via y\ny==2\\\n --hash=sha256:" + hashA + "\n": "x 1!2.0+local.1 2, y 2 1",
		"x==1\r\n":                               "",
		"":                                       "",
		"x==1 --hash=md5:00":                     "",
		"x==1 --hash=sha256:" + hashA[1:]:        "",
		"x>=1 --hash=sha256:" + hashA:            "",
		"-e ./x --hash=sha256:" + hashA:          "",
		"--index-url https://x":                  "",
		"-r other.txt":                           "",
		"x @ https://h/x.whl":                    "",
		"git+https://h/x":                        "",
		"./x.whl --hash=sha256:" + hashA:         "",
		"x==1 ; a == 'b' --hash=sha256:" + hashA: "",
		"x==1 --hash=sha256:" + hashA + "\nX==2 --hash=sha256:" + hashA: "",
	} {
		r, err := readRequirements([]byte(text))
		var got []string
		for _, p := range r {
			got = append(got, p.Name+" "+p.Version+" "+string(rune('0'+len(p.Hashes))))
		}
		if strings.Join(got, ", ") != want || (err == nil) != (want != "") {
			t.Errorf("%q: %q %v", text, got, err)
		}
	}
}

// TestRequirementsForm: only what seal writes is believed.
func TestRequirementsForm(t *testing.T) {
	r := Requirements{{"a", "1", []string{hashA, hashB}}, {"b", "2", []string{hashA}}}
	data, err := r.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	if back, err := ParseRequirements(data); err != nil || len(back) != 2 || !slices.Equal(back[0].Hashes, r[0].Hashes) {
		t.Errorf("%v %v", back, err)
	}
	for _, edit := range [][2]string{{"a==1", "A==1"}, {" \\\n    ", " "}, {"\n", "\r\n"}, {"b==2", "# x\nb==2"}, {hashA, strings.ToUpper(hashA)}} {
		if _, err := ParseRequirements([]byte(strings.Replace(string(data), edit[0], edit[1], 1))); err == nil {
			t.Errorf("believed with %q", edit[1])
		}
	}
	m := CompareRequirements(r, Requirements{{"a", "1", []string{hashA}}, {"b", "3", []string{hashA}}, {"c", "1", []string{hashA}}})
	if !slices.Equal(m.Bytes, []string{"a 1"}) || !slices.Equal(m.Moved, []string{"b 2 → 3"}) || !slices.Equal(m.Added, []string{"c 1"}) || m.Removed != nil {
		t.Errorf("%+v", m)
	}
}

func FuzzReadRequirements(f *testing.F) {
	f.Add([]byte("a==1 \\\n    --hash=sha256:" + hashA + "\n"))
	f.Add([]byte("a @ https://x\n\\\n#"))
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := readRequirements(data)
		if err != nil {
			return
		}
		text, err := r.Bytes()
		if err != nil {
			t.Fatal(err)
		}
		again, err := ParseRequirements(text)
		if err != nil {
			t.Fatalf("%q is not read back: %v", text, err)
		}
		if twice, _ := again.Bytes(); !bytes.Equal(text, twice) {
			t.Errorf("%q became %q", text, twice)
		}
	})
}

// TestAsksFor: what uv is asked for names a package of an index.
func TestAsksFor(t *testing.T) {
	for text, want := range map[string]bool{
		"x": true, "x==1.0": true, "mcp[cli]": true, "mcp[cli]>=1,<2": true, "x~=1.0": true,
		"": false, "-r f": false, "--index-url=x": false, "x @ https://h/x": false, "git+https://h": false, "./x": false, "x==1\n-r f": false, "x;y": false, "x==1 --hash=y/z": false,
	} {
		if asksFor.MatchString(text) != want {
			t.Errorf("%q", text)
		}
	}
}

// TestListedLinks: a link of an environment is held against where it leads.
func TestListedLinks(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("symbolic links need a privilege on windows")
	}
	dir := filepath.Join(t.TempDir(), "env")
	if err := os.MkdirAll(filepath.Join(dir, "bin", "empty"), 0o755); err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(dir, "bin", "python")
	if err := os.Symlink("/usr/bin/true", link); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "bin", "tool"), []byte("x"), 0o755); err != nil {
		t.Fatal(err)
	}
	made, err := takeOver(dir)
	if err != nil {
		t.Fatal(err)
	}
	list, ok := parseListing(made.bytes())
	if !ok || len(list) != 2 || list[0].mode != linkMode || list[1].mode != binaryMode {
		t.Fatalf("%s", made.bytes())
	}
	if err := list.verify(dir, &hashed{known: map[identity]content{}}); err != nil {
		t.Fatal(err)
	}
	if exists(filepath.Join(dir, "bin", "empty")) {
		t.Error("a folder that no list holds is still there")
	}
	replace := func(make func() error) {
		t.Helper()
		if err := os.Remove(link); err != nil {
			t.Fatal(err)
		}
		if err := make(); err != nil {
			t.Fatal(err)
		}
		if list.verify(dir, &hashed{known: map[identity]content{}}) == nil {
			t.Error("it is believed")
		}
	}
	replace(func() error { return os.Symlink("/usr/bin/false", link) })
	replace(func() error { return os.WriteFile(link, []byte("x"), 0o755) })
}

// TestAnywhere: files of an index may come over https from elsewhere, under the
// address rule, and over http from the index alone.
func TestAnywhere(t *testing.T) {
	c := Config{anywhere: true, registry: &url.URL{Scheme: "http", Host: "index.example", Path: "/"}}
	p, err := startProxy(t.Context(), c, c.Dialer(nil))
	if err != nil {
		t.Fatal(err)
	}
	defer p.close()
	for _, x := range []struct {
		scheme, to string
		want       bool
	}{{"https", "files.example:443", true}, {"http", "files.example:80", false}, {"http", "index.example:80", true}} {
		if p.registry(x.scheme, x.to) != x.want {
			t.Errorf("%s %s", x.scheme, x.to)
		}
	}
	if _, err := c.tunnel(t.Context(), p.dialer, "127.0.0.1:9"); err == nil || !strings.Contains(err.Error(), "loopback") {
		t.Errorf("loopback: %v", err)
	}
}

// TestUserUV: only the user's own file is read, and what it names may be private.
func TestUserUV(t *testing.T) {
	home := t.TempDir()
	file := filepath.Join(home, ".config", "uv", "uv.toml")
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte("[[index]]\nurl = \"https://pkg.example:8443/simple\"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	environ := []string{"HOME=" + home, "UV_EXTRA_INDEX_URL=http://user:pw@other.example/simple", "UV_X=https://no.example"}
	data, err := userUV(environ, nil)
	if err != nil {
		t.Fatal(err)
	}
	u := &UV{environ: environ, file: data}
	own := Config{scopes: u.indexes()}.own()
	for to, want := range map[string]bool{"pkg.example:8443": true, "other.example:80": true, "no.example:443": false} {
		if own[to] != want {
			t.Errorf("%s: %v", to, own)
		}
	}
	if _, err := userUV(environ, []string{home}); err == nil {
		t.Error("one in the repository is read")
	}
	if data, err := userUV([]string{"HOME=" + t.TempDir()}, nil); err != nil || data != nil {
		t.Errorf("none: %q %v", data, err)
	}
}
