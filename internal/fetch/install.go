package fetch

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
)

// Install makes a tree ready to be started from: unpacked from tarballs that have
// the digests it names, or found unpacked and hashed again file by file. A
// *BytesError says that something is not what was locked; what was unpacked is
// gone then.
func (d *Depot) Install(ctx context.Context, t Tree) (Artifact, error) {
	digest, err := t.Digest()
	if err != nil {
		return Artifact{}, err
	}
	p := thisPlatform()
	key := strings.TrimPrefix(digest, "sha256:") + "-" + p.String()
	defer d.alone(key)()
	dir := filepath.Join(d.trees, key)
	list, there := d.listed(dir)
	if !there {
		discard(dir)
		if err := d.build(ctx, t, p, dir); err != nil {
			return Artifact{}, err
		}
		if list, there = d.listed(dir); !there {
			return Artifact{}, errors.New("the unpacked tree is gone from the cache")
		}
	}
	if err := d.verify(list, dir); err != nil {
		discard(dir)
		if bad := (*BytesError)(nil); errors.As(err, &bad) {
			return Artifact{}, &BytesError{File: "trees/" + key + "/" + bad.File, Reason: bad.Reason}
		}
		return Artifact{}, err
	}
	if err := shut(dir); err != nil {
		return Artifact{}, err
	}
	return Artifact{tree: t, digest: digest, dir: dir}, nil
}

const listSuffix = ".files"

// listed reads the listing beside a tree; false where either is missing.
func (d *Depot) listed(dir string) (listing, bool) {
	if info, err := os.Lstat(dir); err != nil || !info.IsDir() {
		return nil, false
	}
	data, err := os.ReadFile(dir + listSuffix)
	if err != nil {
		return nil, false
	}
	return parseListing(data)
}

// verify holds a folder against a listing, one folder at a time: each keeps all
// processors busy, and the first of several servers starts while the next one's
// files are hashed.
func (d *Depot) verify(l listing, dir string) error {
	d.hashing.Lock()
	defer d.hashing.Unlock()
	return l.verify(dir, d.hashed)
}

// build unpacks a tree beside its place and moves it there. The listing comes
// first: a tree without one is never believed.
func (d *Depot) build(ctx context.Context, t Tree, p platform, dir string) error {
	packages, err := t.here(p)
	if err != nil {
		return err
	}
	temp, err := tempDir(d.trees)
	if err != nil {
		return err
	}
	defer discard(temp)
	parts, err := d.extractAll(ctx, packages, temp)
	if err != nil {
		return err
	}
	root := filepath.Join(temp, "root")
	list, err := assemble(packages, parts, temp, root)
	if err != nil {
		return err
	}
	d.share(list, root)
	if err := writeWhole(dir+listSuffix, list.bytes()); err != nil {
		return err
	}
	if err := os.Rename(root, dir); err != nil && !exists(dir) {
		return fmt.Errorf("put a tree into the cache: %w", withoutPath(err))
	}
	return nil
}

// downloads is how many packages are fetched and unpacked at once.
const downloads = 8

func part(temp string, i int) string { return filepath.Join(temp, strconv.Itoa(i)) }

// extractAll unpacks each package into a folder of its own.
func (d *Depot) extractAll(ctx context.Context, packages []Package, temp string) ([]map[string]unpacked, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	parts := make([]map[string]unpacked, len(packages))
	slots := make(chan struct{}, downloads)
	var wg sync.WaitGroup
	for i, p := range packages {
		if p.Bundled {
			continue
		}
		slots <- struct{}{}
		wg.Go(func() {
			defer func() { <-slots }()
			if ctx.Err() != nil {
				return
			}
			var err error
			if parts[i], err = d.extract(ctx, p, part(temp, i)); err != nil {
				cancel(err)
			}
		})
	}
	wg.Wait()
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	return parts, nil
}

// assemble moves the packages to their places, parents first, as npm does: what
// a parent's tarball holds at the place of another package gives way to it.
func assemble(packages []Package, parts []map[string]unpacked, temp, root string) (listing, error) {
	files := map[string]unpacked{}
	for i, p := range packages {
		at := filepath.Join(root, filepath.FromSlash(p.Path))
		if p.Bundled {
			if m, ok := readManifest(at); !ok || m.Name != p.Name || m.Version != p.Version {
				return nil, &LockError{Path: p.Path, Reason: "no package above bundles it"}
			}
			continue
		}
		for name := range files {
			if strings.HasPrefix(name, p.Path+"/") {
				delete(files, name)
			}
		}
		discard(at)
		if err := errors.Join(os.MkdirAll(filepath.Dir(at), 0o755), os.Rename(part(temp, i), at)); err != nil {
			return nil, fmt.Errorf("lay out a tree: %w", withoutPath(err))
		}
		for _, f := range parts[i] {
			f.path = p.Path + "/" + f.path
			files[f.path] = f
		}
	}
	list := make(listing, 0, len(files))
	for _, f := range files {
		list = append(list, f)
	}
	list.sort()
	return list, nil
}

// writeWhole puts a file in place in one step.
func writeWhole(name string, data []byte) error {
	temp, err := os.CreateTemp(filepath.Dir(name), tempPrefix)
	if err != nil {
		return fmt.Errorf("write to the cache: %w", withoutPath(err))
	}
	defer func() { _ = os.Remove(temp.Name()) }()
	_, err = temp.Write(data)
	if err = errors.Join(err, temp.Sync(), temp.Close()); err != nil {
		return fmt.Errorf("write to the cache: %w", withoutPath(err))
	}
	if err := errors.Join(os.Chmod(temp.Name(), 0o444), os.Rename(temp.Name(), name)); err != nil {
		return fmt.Errorf("write to the cache: %w", withoutPath(err))
	}
	return nil
}

// shut takes the right to write from every folder of a tree. The root's mode
// tells that it was done: a process that is killed on the way leaves it open.
func shut(dir string) error {
	if info, err := os.Stat(dir); err == nil && info.Mode().Perm() == folderMode {
		return nil
	}
	var folders []string
	err := filepath.WalkDir(dir, func(p string, e fs.DirEntry, err error) error {
		if err == nil && e.IsDir() {
			folders = append(folders, p)
		}
		return err
	})
	for i := len(folders) - 1; i >= 0 && err == nil; i-- {
		err = os.Chmod(folders[i], folderMode)
	}
	if err != nil {
		return fmt.Errorf("close a tree of the cache: %w", withoutPath(err))
	}
	return nil
}
