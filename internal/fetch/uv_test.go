package fetch

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
)

// standIn is an uv that answers as uv does: what it resolves carries the user that it
// runs as for a version, and what it says where it fails comes from a file.
const standIn = `#!/bin/sh
if test -f "$(dirname "$0")/fails"; then cat "$(dirname "$0")/fails" >&2; exit 1; fi
case "$1 $2" in
"pip compile") printf 'some-server==%s --hash=sha256:HASH\n' "$(id -u)" > requirements.txt ;;
"venv "*) mkdir -p "$3/bin"; ln -s /bin/sh "$3/bin/python" ;;
"pip sync") printf 'exit 0\n' > env/bin/some-server; chmod 700 env/bin/some-server ;;
esac
`

// standInUV opens an UV over the stand-in, in folders that every user can enter.
func standInUV(t *testing.T) (u *UV, bin string) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("uv is a shell script")
	}
	dir, err := os.MkdirTemp("", "toolwarrant-uv-test-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { discard(dir) })
	bin = filepath.Join(dir, "bin")
	for _, name := range []string{dir, bin, filepath.Join(dir, "temp")} {
		if err := errors.Join(os.MkdirAll(name, 0o755), os.Chmod(name, 0o755)); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(bin, "uv"), []byte(strings.Replace(standIn, "HASH", hashA, 1)), 0o755); err != nil {
		t.Fatal(err)
	}
	u, err = OpenUV([]string{"HOME=" + dir}, Folders{Tarballs: filepath.Join(dir, "tarballs"), Trees: filepath.Join(dir, "trees")},
		ResolverOptions{PATH: bin + ":/usr/bin:/bin", Temp: filepath.Join(dir, "temp")})
	if err != nil {
		t.Fatal(err)
	}
	return u, bin
}

// TestUV resolves, installs and starts as another user where we are root, and finds
// what was installed again without uv.
func TestUV(t *testing.T) {
	u, bin := standInUV(t)
	r, err := u.Resolve(t.Context(), []string{"some-server"})
	if err != nil {
		t.Fatal(err)
	}
	want := strconv.Itoa(os.Geteuid())
	if want == "0" && enterable(u.base()) {
		want = strconv.Itoa(resolverUID)
	}
	if len(r) != 1 || r[0].Version != want {
		t.Errorf("%+v, want it resolved by the user %s", r, want)
	}
	for _, again := range []bool{false, true} {
		if again {
			if err := os.Remove(filepath.Join(bin, "uv")); err != nil {
				t.Fatal(err)
			}
		}
		env, err := u.Install(t.Context(), r)
		if err != nil {
			t.Fatal(err)
		}
		argv, err := env.Command("some-server", []string{"--stdio"})
		if err != nil || len(argv) != 4 || argv[0] != filepath.Join(env.dir, "bin", "python") || argv[1] != "-B" || argv[3] != "--stdio" {
			t.Errorf("%q %v", argv, err)
		}
		for _, name := range []string{"python", "other", "../x", ""} {
			if _, err := env.Command(name, nil); err == nil {
				t.Errorf("%q is a program", name)
			}
		}
		if info, err := os.Stat(filepath.Join(env.dir, "bin", "some-server")); err != nil || info.Mode().Perm() != binaryMode {
			t.Errorf("%v %v", info, err)
		}
	}
	left, err := filepath.Glob(filepath.Join(u.depot.trees, tempPrefix+"*"))
	if err != nil || len(left) > 0 {
		t.Errorf("left: %v %v", left, err)
	}
}

// TestUVReasons: why nothing was resolved, from what uv says.
func TestUVReasons(t *testing.T) {
	u, bin := standInUV(t)
	for said, want := range map[string]Reason{
		"Because foo==1.0 has no usable wheels and you require foo, your requirements are unsatisfiable.":                                  NeedsBuild,
		"hint: Wheels are required for `foo` because building from source is disabled for all packages (i.e., with `--no-build`)":          NeedsBuild,
		"Because foo was not found in the package registry and you require foo, we can conclude that your requirements are unsatisfiable.": NotFound,
		"× No solution found when resolving dependencies:\n Because there is no version of foo==9":                                         NoVersion,
		"hint: An index URL could not be queried due to a lack of valid authentication credentials (401 Unauthorized).":                    RegistryAuth,
		"error: No interpreter found in search path":                                                                                       MissingProgram,
		"error: 1401 things": Failed,
	} {
		if err := os.WriteFile(filepath.Join(bin, "fails"), []byte(said), 0o644); err != nil {
			t.Fatal(err)
		}
		_, err := u.Resolve(t.Context(), []string{"foo"})
		var failed *ResolveError
		if !errors.As(err, &failed) || failed.Reason != want {
			t.Errorf("%s: %v, want %s", said, err, want)
		}
	}
	if err := os.WriteFile(filepath.Join(bin, "fails"), []byte("error: Failed to download foo\n  Caused by: Hash mismatch for foo"), 0o644); err != nil {
		t.Fatal(err)
	}
	var bytes *BytesError
	if _, err := u.Install(t.Context(), Requirements{{"foo", "1", []string{hashA}}}); !errors.As(err, &bytes) {
		t.Errorf("other bytes: %v", err)
	}
	_, err := u.Resolve(t.Context(), []string{"foo @ https://h/x"})
	var failed *ResolveError
	if !errors.As(err, &failed) || failed.Reason != RefusedDependency {
		t.Errorf("an address: %v", err)
	}
}
