package scanner

import (
	"fmt"
	"path"
	"path/filepath"

	"github.com/toolwarrant/toolwarrant/internal/manifest"
	"github.com/toolwarrant/toolwarrant/lockfile"
)

// lockLaunch is a declared launch as a lock stores it: without a value that may
// be a credential.
func lockLaunch(l manifest.Launch) (lockfile.Launch, error) {
	out := lockfile.Launch{Transport: string(l.Transport), Env: variables(l.Env), Headers: variables(l.Headers)}
	for _, a := range l.Argv {
		out.Argv = append(out.Argv, lockArg(a))
	}
	if l.URL != nil {
		url := lockArg(*l.URL)
		out.URL = &url
	}
	out.Dir, out.EnvFile, out.Helper = value(l.Dir), value(l.EnvFile), value(l.Helper)
	sealed, err := out.Seal()
	if err != nil {
		return sealed, fmt.Errorf("digest the launch: %w", err)
	}
	return sealed, nil
}

func value(s *manifest.String) string {
	if s == nil {
		return ""
	}
	return s.Value
}

func lockArg(a manifest.Arg) lockfile.Arg {
	if a.Secret > 0 {
		return lockfile.Arg{Secret: &lockfile.Masked{Label: a.Label, Length: a.Secret}}
	}
	return lockfile.Arg{Text: a.Shown}
}

func variables(bindings []manifest.Binding) map[string]lockfile.Variable {
	if len(bindings) == 0 {
		return nil
	}
	out := make(map[string]lockfile.Variable, len(bindings))
	for _, b := range bindings {
		v := lockfile.Variable{Ref: b.Refs, Literal: b.Literal}
		if b.Steers {
			v.Value = &lockfile.Arg{Text: b.Shown}
			if b.Secret > 0 {
				v.Value = &lockfile.Arg{Secret: &lockfile.Masked{Label: b.Shown, Length: b.Secret}}
			}
		}
		out[b.Name] = v
	}
	return out
}

// projectDir is the folder in which a host starts what a configuration file
// declares: the one above the host's own folder.
func projectDir(file string) string {
	dir := path.Dir(file)
	if hostFolder(path.Base(dir)) {
		return path.Dir(dir)
	}
	return dir
}

// ProjectDir is the same for a path on disk.
func ProjectDir(file string) string {
	dir := filepath.Dir(file)
	if hostFolder(filepath.Base(dir)) {
		return filepath.Dir(dir)
	}
	return dir
}

func hostFolder(name string) bool {
	switch name {
	case ".vscode", ".cursor", ".gemini", ".claude":
		return true
	}
	return false
}
