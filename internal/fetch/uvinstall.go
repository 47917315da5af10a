package fetch

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/toolwarrant/toolwarrant/internal/pattern"
)

// Environment is a virtual environment of Python whose files were verified. Only
// [UV.Install] makes one.
type Environment struct {
	dir  string
	list listing
}

const pythonBin = "bin"

// Install makes requirements ready to be started from: installed once by uv from
// wheels that have the digests, then found again and hashed file by file, as a tree
// of npm is. The interpreter is the machine's own, behind a link.
func (u *UV) Install(ctx context.Context, r Requirements) (Environment, error) {
	digest, err := r.Digest()
	if err != nil {
		return Environment{}, err
	}
	if runtime.GOOS == "windows" {
		return Environment{}, &ResolveError{Reason: Failed, Detail: "packages of Python are not started from fixed bytes on Windows", Hint: "toolwarrant seal --launch-only locks the launch"}
	}
	key := strings.TrimPrefix(digest, "sha256:") + "-py-" + thisPlatform().String()
	defer u.depot.alone(key)()
	dir := filepath.Join(u.depot.trees, key)
	list, there := u.depot.listed(dir)
	if !there || !exists(filepath.Join(dir, pythonBin, "python")) { // its interpreter may be gone
		discard(dir)
		if err := u.build(ctx, r, dir); err != nil {
			return Environment{}, err
		}
		if list, there = u.depot.listed(dir); !there {
			return Environment{}, errors.New("the environment is gone from the cache")
		}
	}
	if err := u.depot.verify(list, dir); err != nil {
		discard(dir)
		if bad := (*BytesError)(nil); errors.As(err, &bad) {
			return Environment{}, &BytesError{File: "trees/" + key + "/" + bad.File, Reason: bad.Reason}
		}
		return Environment{}, err
	}
	return Environment{dir, list}, shut(dir)
}

// build lets uv make the environment beside its place and moves it there.
func (u *UV) build(ctx context.Context, r Requirements, dir string) error {
	data, err := r.Bytes()
	if err != nil {
		return err
	}
	w, err := u.open(ctx, u.depot.trees, map[string][]byte{"requirements.txt": data})
	if err != nil {
		return err
	}
	defer w.close()
	what := r[0].Name
	if err := w.run(ctx, what, "venv", "--relocatable", w.path("work", "env")); err != nil {
		return err
	}
	python := w.path("work", "env", pythonBin, "python")
	if err := w.run(ctx, what, "pip", "sync", "--require-hashes", "--only-binary", ":all:", "--python", python, "requirements.txt"); err != nil {
		return err
	}
	root := w.path("work", "env")
	list, err := takeOver(root)
	if err != nil {
		return err
	}
	if err := writeWhole(dir+listSuffix, list.bytes()); err != nil {
		return err
	}
	if err := os.Rename(root, dir); err != nil && !exists(dir) {
		return fmt.Errorf("put an environment into the cache: %w", withoutPath(err))
	}
	return nil
}

// takeOver makes what uv wrote ours, read-only, and lists it.
func takeOver(root string) (listing, error) {
	var list listing
	err := filepath.WalkDir(root, func(p string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if os.Geteuid() == 0 {
			if err := os.Lchown(p, 0, 0); err != nil {
				return err
			}
		}
		name, err := filepath.Rel(root, p)
		if err != nil || e.IsDir() {
			return errors.Join(err, os.Chmod(p, 0o755))
		}
		f, err := listedFile(p, filepath.ToSlash(name), e)
		list = append(list, f)
		if len(list) > maxListed {
			return errors.New("more files than an environment may have")
		}
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("list an environment: %w", withoutPath(err))
	}
	list = list.withFolders(root)
	list.sort()
	return list, nil
}

// maxListed is the most files of an environment.
const maxListed = 200000

// withFolders leaves out folders without a file: no listing holds them.
func (l listing) withFolders(root string) listing {
	l.sort()
	_ = filepath.WalkDir(root, func(p string, e fs.DirEntry, err error) error {
		name, _ := filepath.Rel(root, p)
		if err == nil && e.IsDir() && name != "." && !l.below(filepath.ToSlash(name)) {
			_ = os.RemoveAll(p)
			return fs.SkipDir
		}
		return nil
	})
	return l
}

func listedFile(at, name string, e fs.DirEntry) (unpacked, error) {
	f := unpacked{path: name, mode: fileMode}
	if strings.ContainsAny(name, "\n\r") {
		return f, errors.New("a name that no list can hold")
	}
	if e.Type()&fs.ModeSymlink != 0 {
		to, err := os.Readlink(at)
		f.mode, f.sum = linkMode, linkSum(to)
		return f, err
	}
	info, err := e.Info()
	if err != nil || !info.Mode().IsRegular() {
		return f, errors.New("something that is neither a file nor a link")
	}
	if info.Mode()&0o100 != 0 {
		f.mode = binaryMode
	}
	in, err := os.Open(at)
	if err != nil {
		return f, err
	}
	defer func() { _ = in.Close() }()
	hash := sha256.New()
	_, err = io.Copy(hash, in)
	f.sum = hex.EncodeToString(hash.Sum(nil))
	return f, errors.Join(err, in.Chmod(f.mode))
}

// linkMode marks a link in a listing; its sum is that of where it leads.
const linkMode = fs.ModeSymlink

func linkSum(to string) string {
	sum := sha256.Sum256([]byte(to))
	return hex.EncodeToString(sum[:])
}

// Dir is the environment's folder, absolute.
func (e Environment) Dir() string { return e.dir }

var scriptName = pattern.Of(`^[A-Za-z0-9][A-Za-z0-9._-]*$`)

// Command starts the program of a name that a package brought, under the
// environment's Python. It writes nothing beside what is listed.
func (e Environment) Command(name string, args []string) ([]string, error) {
	f := pythonBin + "/" + name
	if i, ok := e.list.search(f); !scriptName.MatchString(name) || !ok || e.list[i].mode == linkMode {
		return nil, &ResolveError{Reason: Failed, Package: name, Detail: "none of the packages has a program of this name",
			Hint: "name the package with --from, and its program behind"}
	}
	return append([]string{filepath.Join(e.dir, pythonBin, "python"), "-B", filepath.Join(e.dir, pythonBin, name)}, args...), nil
}
