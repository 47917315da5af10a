package fetch

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/toolwarrant/toolwarrant/internal/pattern"
	"github.com/toolwarrant/toolwarrant/internal/sandbox"
)

// UV resolves and installs packages of Python's indexes with the user's uv, in
// wheels alone: no code of a package runs before the server does.
type UV struct {
	depot   *Depot
	options ResolverOptions
	environ []string // the user's, of which uv gets what names its indexes
	config  Config   // proxies and authorities; its registries are not used
	file    []byte   // the user's own uv.toml
	uv      string   // empty where there is none
}

// OpenUV reads the configuration of the user whose environment environ is, and
// opens the folders. The error is as that of [OpenNPM].
func OpenUV(environ []string, f Folders, o ResolverOptions) (*UV, error) {
	depot, err := OpenDepot(f.Tarballs, f.Trees, nil)
	if err != nil {
		return nil, err
	}
	config, err := ReadConfig(environ, "", o.Forbidden...)
	if err != nil {
		return nil, err
	}
	u := &UV{depot: depot, options: o, environ: environ, uv: findProgram(o.PATH, "uv", o.Forbidden)}
	if u.file, err = userUV(environ, o.Forbidden); err != nil {
		return nil, err
	}
	u.config = Config{extra: config.extra, proxies: config.proxies, scopes: u.indexes(), anywhere: true}
	u.config.proxies.always = nil // npm's alone
	u.config.registry = &url.URL{Scheme: "https", Host: "pypi.org", Path: "/"}
	return u, nil
}

// maxUserFile is the most bytes of a uv.toml.
const maxUserFile = 1 << 20

// userUV reads the user's own uv.toml, nothing where there is none. One that lies
// in the scanned repository is not the user's.
func userUV(environ, forbidden []string) ([]byte, error) {
	home := setOf("XDG_CONFIG_HOME", environ)
	if !filepath.IsAbs(home) {
		if home = setOf("HOME", environ); !filepath.IsAbs(home) {
			return nil, nil
		}
		home = filepath.Join(home, ".config")
	}
	file := filepath.Join(home, "uv", "uv.toml")
	info, err := os.Stat(file)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return nil, nil
	case err != nil || !info.Mode().IsRegular() || info.Size() > maxUserFile || inside(file, forbidden) || inside(resolved(file), forbidden):
		return nil, &ConfigError{File: file, What: "it is no plain file of the user's own"}
	}
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, &ConfigError{File: file, What: "it cannot be read"}
	}
	return data, nil
}

// setOf is the value of a variable, the last one of its name.
func setOf(name string, environ []string) string {
	for _, v := range slices.Backward(environ) {
		if value, ok := strings.CutPrefix(v, name+"="); ok {
			return value
		}
	}
	return ""
}

// indexVariables name indexes and the credentials for them.
var indexVariables = pattern.Of(`^(UV_DEFAULT_INDEX|UV_INDEX|UV_INDEX_URL|UV_EXTRA_INDEX_URL|UV_INDEX_STRATEGY|UV_INDEX_[A-Z0-9_]+_(USERNAME|PASSWORD)|UV_NATIVE_TLS|SSL_CERT_FILE)=`)

var address = pattern.Of(`https?://[^\s"']+`)

// indexes are the addresses that the user's own configuration names: where they
// are private, they are reached all the same.
func (u *UV) indexes() map[string]*url.URL {
	out := map[string]*url.URL{}
	text := []string{string(u.file)}
	for _, v := range u.environ {
		if indexVariables.MatchString(v) {
			text = append(text, v)
		}
	}
	for i, found := range address.FindAllString(strings.Join(text, "\n"), -1) {
		if at, err := url.Parse(found); err == nil && at.Hostname() != "" {
			out[fmt.Sprint(i)] = &url.URL{Scheme: at.Scheme, Host: at.Host, Path: at.Path}
		}
	}
	return out
}

var errNoUV = &ResolveError{Reason: MissingProgram, Detail: "uv is not in PATH, and only uv fixes packages of Python",
	Hint: "install uv (entries of PATH inside the repository and relative ones do not count), or lock the launch alone: toolwarrant seal --launch-only"}

// workshop is a room with a way out.
type workshop struct {
	*room
	uv    *UV
	proxy *resolverProxy
}

// open makes a room for uv with these files in its work folder, below base.
func (u *UV) open(ctx context.Context, base string, files map[string][]byte) (*workshop, error) {
	if u.uv == "" {
		return nil, errNoUV
	}
	dir, err := os.MkdirTemp(base, tempPrefix+"uv-")
	if err != nil {
		return nil, &ResolveError{Reason: Failed, Detail: "no folder for uv can be made"}
	}
	m := &room{dir: dir, cache: filepath.Join(dir, "cache")}
	if os.Geteuid() == 0 && open(u.uv) && enterable(base) {
		m.uid = resolverUID
	}
	if err := u.furnish(m, files); err != nil {
		m.remove()
		return nil, &ResolveError{Reason: Failed, Detail: "the folder for uv cannot be prepared"}
	}
	proxy, err := startProxy(ctx, u.config, u.config.Dialer(u.options.Permit))
	if err != nil {
		m.remove()
		return nil, &ResolveError{Reason: Failed, Detail: err.Error()}
	}
	return &workshop{m, u, proxy}, nil
}

func (w *workshop) close() {
	w.proxy.close()
	discard(w.dir)
}

func (u *UV) furnish(m *room, work map[string][]byte) error {
	for _, name := range []string{m.work(), m.path("home"), m.path("tmp"), m.path("config"), m.cache} {
		if err := os.Mkdir(name, 0o700); err != nil {
			return err
		}
	}
	files := map[string][]byte{m.path("config", "uv.toml"): u.file}
	for name, data := range work {
		files[m.path("work", name)] = data
	}
	var names []string
	for name, data := range files {
		if err := os.WriteFile(name, data, 0o600); err != nil {
			return err
		}
		names = append(names, name)
	}
	if m.uid == 0 {
		return nil
	}
	return m.handOver(names)
}

const uvTime = 5 * time.Minute

// run runs uv with words behind what every call has.
func (w *workshop) run(ctx context.Context, what string, words ...string) error {
	argv := append([]string{w.uv.uv}, words...)
	if len(w.uv.file) > 0 {
		argv = append(argv, "--config-file", w.path("config", "uv.toml"))
	} else {
		argv = append(argv, "--no-config")
	}
	argv = append(argv, "--no-progress", "--color", "never")
	said, err := runToEnd(ctx, uvTime, sandbox.Order{Argv: argv, Env: w.environment(), Dir: w.work(), UID: w.uid, Limits: resolverLimits})
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case err != nil || said.exit.Code != 0 || len(w.proxy.refused()) > 0:
		return w.explain(what, said, err)
	}
	return nil
}

// environment is uv's, from empty, with what names the user's indexes.
func (w *workshop) environment() []string {
	proxy := w.proxy.url().Reveal()
	env := []string{
		"PATH=" + strings.Join(trustedPath(w.uv.options.PATH, w.uv.options.Forbidden), string(filepath.ListSeparator)),
		"HOME=" + w.path("home"), "TMPDIR=" + w.path("tmp"), "LANG=C.UTF-8",
		"XDG_CONFIG_HOME=" + w.path("home"), "XDG_DATA_HOME=" + w.path("home"),
		"UV_CACHE_DIR=" + w.cache, "UV_LINK_MODE=copy", "UV_PYTHON_DOWNLOADS=never", "UV_NO_BUILD=1", "UV_KEYRING_PROVIDER=disabled",
		"HTTP_PROXY=" + proxy, "HTTPS_PROXY=" + proxy, "ALL_PROXY=" + proxy, "NO_PROXY=none.invalid",
		"PYTHONDONTWRITEBYTECODE=1",
	}
	for _, v := range w.uv.environ {
		if indexVariables.MatchString(v) {
			env = append(env, v)
		}
	}
	return env
}

// asksFor are requirements that name a package of an index.
var asksFor = pattern.Of(`^[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?(?:\[[A-Za-z0-9., _-]*\])?(?:\s*(?:===?|!=|~=|>=?|<=?)[0-9A-Za-z.*+!<>=~, _-]+)?$`)

// Resolve asks uv for what these requirements give today on this machine. The
// error is a *ResolveError, a *LockError, or the context's.
func (u *UV) Resolve(ctx context.Context, asked []string) (Requirements, error) {
	what := strings.Join(asked, ", ")
	for _, a := range asked {
		if !asksFor.MatchString(a) {
			return nil, &ResolveError{Reason: RefusedDependency, Package: what, Detail: "it asks for a package from elsewhere than an index",
				Hint: "name a version that is published; toolwarrant seal --launch-only locks the launch as it is"}
		}
	}
	w, err := u.open(ctx, u.base(), map[string][]byte{"requirements.in": []byte(strings.Join(asked, "\n") + "\n")})
	if err != nil {
		return nil, err
	}
	defer w.close()
	if err := w.run(ctx, what, "pip", "compile", "--generate-hashes", "--only-binary", ":all:", "--no-header", "--no-annotate",
		"--output-file", "requirements.txt", "requirements.in"); err != nil {
		return nil, err
	}
	data, err := w.file("requirements.txt", maxRequirements)
	if err != nil {
		return nil, &ResolveError{Reason: Failed, Package: what, Detail: "uv left no requirements that can be read: " + err.Error()}
	}
	r, err := readRequirements(data)
	if bad := (*LockError)(nil); errors.As(err, &bad) && bad.URL {
		return nil, &ResolveError{Reason: RefusedDependency, Package: what, Detail: "one of its packages comes from elsewhere than an index",
			Hint: "such bytes cannot be fixed; toolwarrant seal --launch-only locks the launch as it is"}
	}
	return r, err
}

func (u *UV) base() string {
	if u.options.Temp != "" {
		return u.options.Temp
	}
	return os.TempDir()
}

// uvFailures tell reasons by what uv prints; the first that fits counts.
var uvFailures = []struct {
	reason       Reason
	words        *pattern.Pattern
	detail, hint string
}{
	{NeedsBuild, pattern.Of(`no usable wheels|has no wheels|Wheels are required|[Bb]uilding (from )?source|source distribution`),
		"a package is published as source only, and its build would run code", "toolwarrant seal --launch-only locks the launch; servers.NAME.waive in the policy accepts that it is not read"},
	{RegistryAuth, pattern.Of(`\b(401|403)\b|[Uu]nauthorized|valid authentication`), "the index wants a credential that it accepts",
		"name it in the user's own uv.toml or in UV_INDEX_NAME_USERNAME and UV_INDEX_NAME_PASSWORD"},
	{NotFound, pattern.Of(`not found in the (package registry|provided package locations)`), "the index has no such package", "check the name"},
	{MissingProgram, pattern.Of(`No interpreter found|No (system )?Python`), "uv finds no Python here that fits", "install Python; uv does not fetch one for toolwarrant"},
	{NoVersion, pattern.Of(`no version of|[Nn]o solution found`), "the index has no versions that fit together", "name a version that is published"},
}

// otherHash is in what uv says of a file whose digest is none of those that it was given.
var otherHash = pattern.Of(`[Hh]ash mismatch`)

func (w *workshop) explain(what string, said words, cause error) error {
	e := &ResolveError{Reason: Failed, Package: what, Detail: "uv " + said.exit.String()}
	var start *sandbox.StartError
	switch refused := w.proxy.refused(); {
	case errors.As(cause, &start):
		e.Reason, e.Detail = MissingProgram, "uv cannot be started: "+start.Detail
		return e
	case errors.Is(cause, errLate):
		e.Reason, e.Detail = Unreachable, fmt.Sprintf("uv did not end within %v", uvTime)
		return e
	case len(refused) > 0:
		e.Reason, e.Detail, e.Hint = RefusedDependency, "a file would come from a place that is not dialled", "if it is meant, name it in network.allow of the policy"
		return e
	}
	if otherHash.Match(said.err) {
		return &BytesError{File: what, Reason: "the index served other bytes than were locked"}
	}
	e.Foreign = claimOf(strings.TrimSpace(string(said.err)))
	for _, f := range uvFailures {
		if f.words.Match(said.err) {
			e.Reason, e.Detail, e.Hint = f.reason, f.detail, f.hint
			return e
		}
	}
	if w.proxy.failed.Load() {
		e.Reason, e.Detail, e.Hint = Unreachable, "the index does not answer", silent.hint
	}
	return e
}
