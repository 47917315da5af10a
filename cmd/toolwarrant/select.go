package main

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/toolwarrant/toolwarrant/finding"
	"github.com/toolwarrant/toolwarrant/internal/manifest"
	"github.com/toolwarrant/toolwarrant/internal/pattern"
	"github.com/toolwarrant/toolwarrant/scanner"
)

// selectFlags name one server outside the repository's own declarations.
type selectFlags struct {
	From   string `placeholder:"FILE" help:"Take the server from this configuration file, whatever its dialect."`
	Server string `placeholder:"NAME" help:"The server's name in --from FILE."`
	URL    string `name:"url" placeholder:"URL" help:"A remote server."`
	Name   string `placeholder:"NAME" help:"Name of a server given by its command."`
}

// selecting is a command that takes a server.
type selecting interface{ selects() }

func (selectFlags) selects() {}

// given reports whether the flags or a typed command name a server.
func (f selectFlags) given(a *app) bool {
	return a.hasTyped || f.From != "" || f.Server != "" || f.URL != ""
}

// target is the one server that flags or a typed command name, joined with the
// lock that holds it.
func (f selectFlags) target(a *app, r *repository) (scanner.Target, error) {
	ways := 0
	for _, given := range []bool{a.hasTyped, f.From != "" || f.Server != "", f.URL != ""} {
		if given {
			ways++
		}
	}
	var entry manifest.Entry
	var err error
	switch {
	case ways > 1:
		return scanner.Target{}, usage("", "\"-- COMMAND\", \"--from FILE --server NAME\" and \"--url URL\" exclude each other")
	case a.hasTyped && (len(a.typed) == 0 || a.typed[0] == ""):
		return scanner.Target{}, usage("toolwarrant inspect -- COMMAND ARGS...", "no command follows \"--\"")
	case a.hasTyped:
		entry = manifest.Typed(a.typed)
		entry.Base = a.dir
	case f.URL != "":
		entry = manifest.TypedURL(f.URL)
	default:
		entry, err = f.fromFile(a, r)
	}
	if err != nil {
		return scanner.Target{}, err
	}
	if f.Name != "" {
		entry.Name.Value = f.Name
	}
	return r.Join(entry)
}

// fromFile reads --from FILE --server NAME.
func (f selectFlags) fromFile(a *app, r *repository) (manifest.Entry, error) {
	if f.From == "" || f.Server == "" {
		return manifest.Entry{}, usage("toolwarrant inspect --from .mcp.json --server NAME", "--from and --server go together")
	}
	data, err := a.readFile(f.From)
	if err != nil {
		return manifest.Entry{}, err
	}
	name, inside := placeName(a.abs(f.From), r.root)
	file := manifest.ReadAs(data, name)
	if inside {
		file.Entries = scanner.Settle(r.store.FS(), file.Entries)
	} else { // its place says nothing about this repository
		for i := range file.Entries {
			file.Entries[i].Place, file.Entries[i].Base = "", scanner.ProjectDir(a.abs(f.From))
		}
	}
	var found []manifest.Entry
	for _, e := range file.Entries {
		if e.Name.Value == f.Server {
			found = append(found, e)
		}
	}
	if len(found) == 0 {
		return manifest.Entry{}, notThere(f, file)
	}
	return found[len(found)-1], nil // of a name declared twice hosts use the last
}

// placeName is how a file is named in places: from the repository's root, or by
// its last element where it lies elsewhere.
func placeName(file, root string) (name string, inside bool) {
	rel, err := filepath.Rel(root, file)
	if err != nil || !filepath.IsLocal(rel) {
		return filepath.Base(file), false
	}
	return filepath.ToSlash(rel), true
}

func notThere(f selectFlags, file manifest.File) error {
	var names []string
	for _, e := range file.Entries {
		names = append(names, finding.Claim(e.Name.Value).Short(40))
	}
	for _, p := range file.Problems {
		if p.Level == finding.Error {
			return usage(p.Hint, "%s: %s", p.Location, p.Message)
		}
	}
	hint := "the file declares no server"
	if len(names) > 0 {
		hint = "it declares " + strings.Join(names, ", ")
	}
	return usage(hint, "%s declares no server %q", f.From, f.Server)
}

// named picks targets of the repository by name or by launch digest.
func (r *repository) named(names []string) ([]scanner.Target, error) {
	var out []scanner.Target
	for _, n := range names {
		found := slices.DeleteFunc(slices.Clone(r.Targets), func(t scanner.Target) bool { return !answersTo(t, n) })
		if len(found) == 0 {
			return nil, usage("toolwarrant list shows what there is", "no server %q is declared or sealed here", n)
		}
		for _, t := range found {
			if !slices.ContainsFunc(out, func(o scanner.Target) bool { return o.At() == t.At() }) {
				out = append(out, t)
			}
		}
	}
	return out, nil
}

// shortestDigest is the fewest characters of a digest that name something.
const shortestDigest = len("sha256:") + 12

// digits are those of a digest, as tables show it.
var digits = pattern.Of(`^[0-9a-f]{12,64}$`)

func answersTo(t scanner.Target, name string) bool {
	if strings.HasPrefix(name, "sha256:") && len(name) >= shortestDigest {
		return strings.HasPrefix(t.Launch.Digest, name)
	}
	return t.Name == name || digits.MatchString(name) && strings.HasPrefix(t.Launch.Digest, "sha256:"+name)
}
