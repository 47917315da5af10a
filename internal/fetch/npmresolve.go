package fetch

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/toolwarrant/toolwarrant/finding"
	"github.com/toolwarrant/toolwarrant/internal/pattern"
	"github.com/toolwarrant/toolwarrant/internal/sandbox"
)

// Spec is one package that is asked for.
type Spec struct {
	Name     string // as "@scope/name"
	Selector string // an exact version, a range or a tag; empty is the tag latest
}

func (s Spec) String() string {
	if s.Selector == "" {
		return s.Name
	}
	return s.Name + "@" + s.Selector
}

const (
	resolveTime = 5 * time.Minute // for one run of npm
)

// resolverLimits bound npm and what it starts.
var resolverLimits = sandbox.Limits{Memory: 2 << 30, Processes: 64, Files: 4096}

// ResolveNPM lets npm resolve specs and returns its package-lock.json (version
// 3), as npm wrote it. No package is installed and no script run. The error is
// a *ResolveError, or the context's.
func (r *Resolver) ResolveNPM(ctx context.Context, specs []Spec) ([]byte, error) {
	manifest, err := manifestOf(specs)
	if err != nil {
		return nil, err
	}
	if err := r.installed(); err != nil {
		return nil, err
	}
	if err := r.settle(ctx); err != nil {
		return nil, err
	}
	room, err := r.newRoom(manifest)
	if err != nil {
		return nil, err
	}
	defer room.remove()
	proxy, err := startProxy(ctx, r.config, r.dialer)
	if err != nil {
		return nil, &ResolveError{Reason: Failed, Detail: err.Error()}
	}
	defer proxy.close()
	said, err := r.run(ctx, room, proxy, "install", "--package-lock-only", "--ignore-scripts", "--no-audit", "--no-fund",
		"--no-progress", "--no-update-notifier", "--json", "--loglevel=error")
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil || said.exit.Code != 0 || len(proxy.refused()) > 0 {
		return nil, r.explain(specs, said, proxy, err)
	}
	lock, err := room.file("package-lock.json", maxLock)
	if err != nil {
		return nil, &ResolveError{Reason: Failed, Package: nameOf(specs), Detail: "npm left no package-lock.json that can be read: " + err.Error()}
	}
	if from := foreignOf(lock); from != "" {
		return nil, &ResolveError{Reason: RefusedDependency, Package: nameOf(specs), Hint: otherPlace,
			Detail: "a dependency comes from elsewhere than a registry: " + finding.Claim(from).Short(100)}
	}
	return lock, nil
}

// installed reports what is missing to run npm.
func (r *Resolver) installed() error {
	if _, err := r.Node(); err != nil {
		return err
	}
	if r.npm == nil {
		return &ResolveError{Reason: MissingProgram, Detail: "npm is not in PATH, though node is",
			Hint: "install npm; entries of PATH inside the repository and relative ones do not count"}
	}
	return nil
}

// foreignOf names a dependency from elsewhere than a registry that npm left out
// of the tree because it is optional. A client that does fetch it would run
// another tree than the one that was read.
func foreignOf(lock []byte) string {
	var tree struct {
		Packages map[string]struct {
			Dependencies, OptionalDependencies map[string]string
			InBundle                           bool
		}
	}
	if json.Unmarshal(lock, &tree) != nil {
		return "" // whoever reads the lock says so
	}
	for _, path := range slices.Sorted(maps.Keys(tree.Packages)) {
		p := tree.Packages[path]
		for _, wanted := range []map[string]string{p.Dependencies, p.OptionalDependencies} {
			for _, name := range slices.Sorted(maps.Keys(wanted)) {
				if !p.InBundle && elsewhere.MatchString(wanted[name]) && !strings.HasPrefix(wanted[name], "npm:") {
					return name
				}
			}
		}
	}
	return ""
}

// elsewhere is in selectors that name another place than a registry.
var elsewhere = pattern.Of(`[:/\\]`)

// manifestOf is the package.json that asks for exactly specs.
func manifestOf(specs []Spec) ([]byte, error) {
	wanted := map[string]string{}
	for _, s := range specs {
		switch _, twice := wanted[s.Name]; {
		case !validName(s.Name):
			return nil, &ResolveError{Reason: Failed, Package: s.String(), Detail: "that is no name of a package"}
		case twice:
			return nil, &ResolveError{Reason: Failed, Package: s.String(), Detail: "the package is asked for twice"}
		case elsewhere.MatchString(s.Selector):
			return nil, &ResolveError{Reason: RefusedDependency, Package: s.String(), Detail: "it is asked for from elsewhere than a registry",
				Hint: "name a version that is published in a registry"}
		}
		wanted[s.Name] = s.Selector
		if strings.TrimSpace(s.Selector) == "" {
			wanted[s.Name] = "latest"
		}
	}
	if len(wanted) == 0 {
		return nil, &ResolveError{Reason: Failed, Detail: "no package is asked for"}
	}
	return json.Marshal(map[string]any{"private": true, "dependencies": wanted})
}

// run runs npm in a room of its own.
func (r *Resolver) run(ctx context.Context, room *room, proxy *resolverProxy, args ...string) (words, error) {
	argv := append(append([]string{}, r.npm...), args...)
	w, err := runToEnd(ctx, resolveTime, sandbox.Order{Argv: argv, Env: r.environment(room, proxy), Dir: room.work(), UID: room.uid, Limits: resolverLimits})
	w.git = room.nothing()
	if errors.Is(err, errLate) {
		err = errTooLong
	}
	return w, err
}

var errTooLong = fmt.Errorf("npm did not end within %v", resolveTime)

// environment is npm's, from empty. What a stronger place could change is
// pinned here: variables beat every npmrc.
func (r *Resolver) environment(room *room, proxy *resolverProxy) []string {
	nothing := room.nothing()
	env := []string{
		"PATH=" + strings.Join(r.Path(), string(filepath.ListSeparator)),
		"HOME=" + room.path("home"), "USERPROFILE=" + room.path("home"),
		"TMPDIR=" + room.path("tmp"), "TEMP=" + room.path("tmp"), "TMP=" + room.path("tmp"),
		"LANG=C.UTF-8",
		"npm_config_userconfig=" + room.path("config", "npmrc"),
		"npm_config_globalconfig=" + nothing,
		"npm_config_cache=" + room.cache,
		"npm_config_prefix=" + room.path("home"),
		"npm_config_proxy=" + proxy.url().Reveal(),
		"npm_config_https_proxy=" + proxy.url().Reveal(),
		"npm_config_noproxy=none.invalid", // npm takes an empty variable for none
		"npm_config_script_shell=" + nothing,
		"npm_config_git=" + nothing,
		"npm_config_ignore_scripts=true",
		"npm_config_update_notifier=false",
		"npm_config_fund=false", "npm_config_audit=false",
		"npm_config_lockfile_version=3",
		"npm_config_omit_lockfile_registry_resolved=false",
		"npm_config_offline=false", "npm_config_prefer_offline=false",
		"npm_config_fetch_retries=2", "npm_config_fetch_retry_factor=2", "npm_config_fetch_retry_mintimeout=500", "npm_config_fetch_retry_maxtimeout=5000",
		"npm_config_fetch_timeout=30000",
		"npm_config_logs_max=0",
	}
	if root := os.Getenv("SYSTEMROOT"); root != "" { // Windows opens no socket without it
		env = append(env, "SYSTEMROOT="+root)
	}
	if len(r.config.extra) > 0 {
		env = append(env, "NODE_EXTRA_CA_CERTS="+room.path("config", "extra.pem"))
	}
	// Not "remote": npm takes a package whose tarball it has to read for its bundle or
	// shrinkwrap for one. Addresses are refused by the proxy and in the tree.
	for _, kind := range []string{"git", "file", "directory"} {
		env = append(env, "npm_config_allow_"+kind+"=none") // an npm that does not know these ignores them
	}
	return env
}

// file reads a file of the work folder that a resolver wrote, through no link.
func (m *room) file(name string, most int64) ([]byte, error) {
	root, err := os.OpenRoot(m.work())
	if err != nil {
		return nil, errors.New("the folder is gone")
	}
	defer func() { _ = root.Close() }()
	info, err := root.Lstat(name)
	switch {
	case err != nil:
		return nil, errors.New("it is not there")
	case !info.Mode().IsRegular():
		return nil, errors.New("it is no regular file")
	case info.Size() > most:
		return nil, fmt.Errorf("it is larger than %d MiB", most>>20)
	}
	f, err := root.Open(name)
	if err != nil {
		return nil, errors.New("it cannot be opened")
	}
	defer func() { _ = f.Close() }()
	data, err := io.ReadAll(io.LimitReader(f, most+1))
	if err != nil || int64(len(data)) > most {
		return nil, errors.New("it cannot be read in full")
	}
	return data, nil
}

// nameOf names what was asked for, if it was one package.
func nameOf(specs []Spec) string {
	if len(specs) == 1 {
		return specs[0].String()
	}
	return ""
}
