package fetch

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

const someDigest = "sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"

func TestDigestOf(t *testing.T) {
	other := strings.Replace(someDigest, "0", "f", 1)
	for _, c := range []struct {
		name, answer string
		want         error
	}{
		{"mcp/time", `["mcp/time@` + someDigest + `"]`, nil},
		{"docker.io/mcp/time", `["mcp/time@` + someDigest + `"]`, nil},
		{"busybox", `["docker.io/library/busybox@` + someDigest + `"]` + "\n", nil},
		{"r.example:5000/x", `["mcp/x@` + other + `", "r.example:5000/x@` + someDigest + `"]`, nil},
		{"mcp/time", `["mcp/other@` + someDigest + `"]`, errNoDigest},
		{"mcp/time", `["mcp/time@sha256:1"]`, errNoDigest},
		{"mcp/time", `[]`, errNoDigest},
		{"mcp/time", `null`, errNoDigest},
		{"mcp/time", `["mcp/time@` + someDigest + `", "mcp/time@` + other + `"]`, errManyDigests},
		{"mcp/time", `no JSON`, errNoAnswer},
		{"mcp/time", ``, errNoAnswer},
	} {
		got, err := digestOf([]byte(c.answer), c.name)
		if !errors.Is(err, c.want) || err == nil && got != someDigest {
			t.Errorf("%s in %s: %q %v", c.name, c.answer, got, err)
		}
	}
}

// TestDigestAsks shows what an engine is asked, with which environment, and that
// none of the repository is.
func TestDigestAsks(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("windows does not run the shell script that stands in for the container engine")
	}
	dir := t.TempDir()
	engine := "#!/bin/sh\necho \"$@\" > " + dir + "/args\nenv > " + dir + "/env\necho '[\"mcp/time@" + someDigest + "\"]'\n"
	for _, at := range []string{"bin", "repo/bin"} {
		if err := errors.Join(os.MkdirAll(filepath.Join(dir, at), 0o755), os.WriteFile(filepath.Join(dir, at, "docker"), []byte(engine), 0o755)); err != nil {
			t.Fatal(err)
		}
	}
	repo := filepath.Join(dir, "repo")
	e := Engines{PATH: filepath.Join(repo, "bin") + ":/usr/bin:/bin", Forbidden: []string{repo}, Environ: []string{"TOKEN=x", "DOCKER_HOST=unix:///s"}}
	if _, err := os.Stat("/usr/bin/docker"); err != nil {
		if _, err := e.Digest(t.Context(), "docker", "mcp/time", ""); !errors.Is(err, errNoEngine) {
			t.Errorf("the repository's own: %v", err)
		}
	}
	e.PATH = filepath.Join(dir, "bin") + ":" + e.PATH
	for _, bad := range [][2]string{{"--help", ""}, {"x y", ""}, {"x", "-t"}, {"", ""}} {
		if _, err := e.Digest(t.Context(), "docker", bad[0], bad[1]); !errors.Is(err, errNoReference) {
			t.Errorf("%q: %v", bad, err)
		}
	}
	got, err := e.Digest(t.Context(), "docker", "mcp/time", "1.0")
	args, _ := os.ReadFile(filepath.Join(dir, "args"))
	env, _ := os.ReadFile(filepath.Join(dir, "env"))
	if err != nil || got != someDigest || string(args) != "image inspect --format {{json .RepoDigests}} mcp/time:1.0\n" {
		t.Errorf("%q %v, asked %q", got, err, args)
	}
	if strings.Contains(string(env), "TOKEN") || !strings.Contains(string(env), "DOCKER_HOST=unix:///s") || strings.Contains(string(env), repo) {
		t.Errorf("environment: %s", env)
	}
}

func FuzzDigestOf(f *testing.F) {
	f.Add([]byte(`["mcp/time@`+someDigest+`"]`), "mcp/time")
	f.Add([]byte(`["@","x@y@z"]`), "")
	f.Fuzz(func(t *testing.T, answer []byte, name string) {
		if got, err := digestOf(answer, name); err == nil && !imageDigest.MatchString(got) {
			t.Errorf("%q", got)
		}
	})
}
