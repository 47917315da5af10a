package fetch

import (
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/toolwarrant/toolwarrant/internal/secret"
)

// Config is npm's configuration of this user and machine, never of a
// repository: registries, their credentials, authorities and proxies. Printing
// one shows no credential.
//
// Read are, from weak to strong: npm's builtin npmrc, the global one, the
// user's, variables npm_config_*. Rules are those of @npmcli/config and
// npm-registry-fetch as npm 11.19 ships them.
type Config struct {
	registry    *url.URL              // nil is npm's own
	scopes      map[string]*url.URL   // by scope, with its @
	credentials map[string]credential // by "//host/path", as written
	authorities []byte                // PEM of cafile and ca; with any, npm trusts these alone
	extra       []byte                // PEM of NODE_EXTRA_CA_CERTS, trusted beside the others
	proxies     proxies
	anywhere    bool // files may come from any public address over https
}

// ConfigError is a setting of the user that cannot be followed. It holds the
// place, never the text.
type ConfigError struct {
	File string // a path, or the variable's name
	Line int    // from 1; zero for a variable and for a file as a whole
	What string
	Hint string
}

func (e *ConfigError) Error() string {
	if e.Line == 0 {
		return e.File + ": " + e.What
	}
	return fmt.Sprintf("%s:%d: %s", e.File, e.Line, e.What)
}

// place is where a setting stands.
type place struct {
	file string
	line int
}

func (p place) refuse(what, hint string) error {
	return &ConfigError{File: p.file, Line: p.line, What: what, Hint: hint}
}

// maxConfig is the most bytes of one file that configuration names.
const maxConfig = 1 << 20

// ReadConfig reads the configuration of the user whose environment environ is,
// as NAME=VALUE. node is the absolute path of node, or empty where there is
// none: npm looks for its global file beside it. A file below one of forbidden
// (the scanned repository) is refused, whoever named it. Errors are *ConfigError.
func ReadConfig(environ []string, node string, forbidden ...string) (Config, error) {
	r := newConfigReader(environ, forbidden)
	if err := r.layers(environ, node); err != nil {
		return Config{}, err
	}
	return r.config()
}

func newConfigReader(environ, forbidden []string) *configReader {
	r := &configReader{env: environment{}, forbidden: forbidden, settings: map[string][]setting{}}
	for _, v := range environ {
		name, value, _ := strings.Cut(v, "=")
		r.env[name] = value
	}
	return r
}

// configReader gathers settings, later ones over earlier ones.
type configReader struct {
	env       environment
	forbidden []string
	settings  map[string][]setting // one for a scalar, any number for an array
}

// layers reads every source. The environment says where the user's file is, and
// both say where the global one is, so they are read before they are laid over.
func (r *configReader) layers(environ []string, node string) error {
	vars := variables(environ, r.env)
	user := r.layer(vars)
	userFile, err := r.path(last(user["userconfig"]), r.home(".npmrc"))
	if err != nil {
		return err
	}
	userSettings, err := r.file(userFile)
	if err != nil {
		return err
	}
	above := r.layer(slices.Concat(userSettings, vars))
	builtin, err := r.file(builtinFile(node))
	if err != nil {
		return err
	}
	prefix, err := r.path(last(r.layer(slices.Concat(builtin, userSettings, vars))["prefix"]), r.prefix(node))
	if err != nil {
		return err
	}
	global, err := r.path(last(above["globalconfig"]), join(prefix, "etc", "npmrc"))
	if err != nil {
		return err
	}
	globalSettings, err := r.file(global)
	for _, layer := range [][]setting{builtin, globalSettings, userSettings, vars} {
		for key, s := range r.layer(layer) {
			r.settings[key] = s
		}
	}
	return err
}

// layer groups the settings of one source: of a scalar the last counts.
func (r *configReader) layer(all []setting) map[string][]setting {
	out := map[string][]setting{}
	for _, s := range all {
		if s.array || s.key == "ca" {
			out[s.key] = append(out[s.key], s)
		} else {
			out[s.key] = []setting{s}
		}
	}
	return out
}

func last(s []setting) setting {
	if len(s) == 0 {
		return setting{}
	}
	return s[len(s)-1]
}

// variables are the settings of the environment. npm hands its whole
// configuration, a repository's included, to what it starts, in names of lower
// case: where an npm started us, those are not the user's word.
func variables(environ []string, env environment) (out []setting) {
	const prefix = "npm_config_"
	started := env["npm_execpath"] != "" || env["npm_lifecycle_event"] != ""
	for _, v := range environ {
		name, value, _ := strings.Cut(v, "=")
		if len(name) <= len(prefix) || !strings.EqualFold(name[:len(prefix)], prefix) || value == "" {
			continue
		}
		if started && strings.HasPrefix(name, prefix) {
			continue
		}
		key := name[len(prefix):]
		if !strings.HasPrefix(key, "//") {
			key = strings.ToLower(key[:1] + strings.ReplaceAll(key[1:], "_", "-"))
		}
		out = append(out, setting{key: env.expand(key), value: secret.New(env.expand(strings.TrimSpace(value))), place: place{file: name}})
	}
	return out
}

// file reads one npmrc file; one that does not exist says nothing.
func (r *configReader) file(name string) ([]setting, error) {
	data, err := r.bytes(name, place{file: name})
	if err != nil {
		return nil, err
	}
	return parseINI(string(data), name, r.env), nil
}

// bytes reads a file that configuration at p names.
func (r *configReader) bytes(name string, p place) ([]byte, error) {
	if name == "" {
		return nil, nil
	}
	if inside(name, r.forbidden) || inside(resolved(name), r.forbidden) {
		return nil, p.refuse("the file lies in the scanned repository, which does not configure us", "keep npm's configuration in the user's home")
	}
	f, err := os.Open(name)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, p.refuse("the file cannot be opened", "")
	}
	defer func() { _ = f.Close() }()
	data, err := io.ReadAll(io.LimitReader(f, maxConfig+1))
	switch {
	case err != nil:
		return nil, p.refuse("the file cannot be read", "")
	case len(data) > maxConfig:
		return nil, p.refuse(fmt.Sprintf("the file is larger than %d bytes", maxConfig), "")
	}
	return data, nil
}

// path is the path that s names, or otherwise. A relative one would be read
// from the directory that we run in, which is the repository.
func (r *configReader) path(s setting, otherwise string) (string, error) {
	name := s.text()
	if name == "" {
		return otherwise, nil
	}
	if rest, ok := strings.CutPrefix(name, "~/"); ok {
		name = r.home(rest)
	}
	if !filepath.IsAbs(name) {
		return "", s.place.refuse("the path is relative", "write an absolute path")
	}
	return filepath.Clean(name), nil
}

func (r *configReader) home(name string) string {
	home := r.env["HOME"]
	if home == "" {
		home = r.env["USERPROFILE"]
	}
	return join(home, name)
}

// join is filepath.Join, and nothing where the first part is nothing.
func join(first string, more ...string) string {
	if first == "" {
		return ""
	}
	return filepath.Join(append([]string{first}, more...)...)
}

// prefix is npm's, as node's place says it.
func (r *configReader) prefix(node string) string {
	if p := r.env["PREFIX"]; p != "" && filepath.IsAbs(p) {
		return p
	}
	real, err := filepath.EvalSymlinks(node)
	switch {
	case node == "" || err != nil:
		return ""
	case filepath.Ext(real) == ".exe":
		return filepath.Dir(real)
	}
	return join(filepath.Dir(filepath.Dir(real)))
}

// builtinFile is the npmrc in npm's own folder, if npm stands beside node.
func builtinFile(node string) string {
	if node == "" {
		return ""
	}
	cli := npmBeside(node)
	if cli == "" {
		return ""
	}
	return filepath.Join(filepath.Dir(filepath.Dir(cli)), "npmrc")
}

// text is a value that is no credential.
func (s setting) text() string { return s.value.Reveal() }

// resolved is where a path leads, or the path itself if that cannot be told.
func resolved(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	return path
}
