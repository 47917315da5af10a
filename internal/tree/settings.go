package tree

import (
	"bytes"
	"path/filepath"
	"slices"
	"strings"

	"github.com/go-git/go-git/v5/plumbing/format/config"
)

// settings are the few facts that are taken from a repository's configuration: how
// it is stored and where it came from. Nothing that names a program, a hook, a
// filter or a rewriting of addresses is among them; files that the configuration
// includes are not read, as git itself does not for the form of storage.
type settings struct {
	sha256   bool
	reftable bool
	remotes  []remote
	includes bool // more settings stand in a file that was not read
}

type remote struct{ name, url string }

// harmless are extensions that change nothing for a reader of objects: partial
// clones lack some, and a missing one is an error here whatever the reason.
var harmless = []string{"noop", "noop-v1", "partialclone", "worktreeconfig", "preciousobjects", "relativeworktrees", "compatobjectformat"}

// readSettings reads the configuration that all work trees share.
func readSettings(common string) (settings, error) {
	name := filepath.Join(common, "config")
	var s settings
	data, ok := readSmall(name, maxSmall)
	if !ok {
		return s, ErrUnsupported
	}
	values, err := parseConfig(data)
	if err != nil {
		if values, err = commandConfig(name); err != nil {
			return s, err
		}
	}
	for _, v := range values {
		if !s.take(v) {
			return s, ErrUnsupported
		}
	}
	return s, nil
}

// setting is one value, its section and key in lower case.
type setting struct{ section, sub, key, value string }

// take notes one setting; false for a form of storage that is not known.
func (s *settings) take(v setting) bool {
	switch {
	case v.section == "include" || v.section == "includeif":
		s.includes = true
	case v.section == "remote" && v.sub != "":
		s.remote(v)
	case v.section == "core" && v.key == "repositoryformatversion":
		return v.value == "0" || v.value == "1"
	case v.section == "extensions":
		return s.extension(v)
	}
	return true
}

func (s *settings) extension(v setting) bool {
	switch v.key {
	case "objectformat":
		s.sha256 = v.value == "sha256"
		return s.sha256 || v.value == "sha1"
	case "refstorage":
		s.reftable = v.value == "reftable"
		return s.reftable || v.value == "files"
	}
	return slices.Contains(harmless, v.key)
}

func (s *settings) remote(v setting) {
	i := slices.IndexFunc(s.remotes, func(r remote) bool { return r.name == v.sub })
	if i < 0 {
		i = len(s.remotes)
		s.remotes = append(s.remotes, remote{name: v.sub})
	}
	if v.key == "url" && s.remotes[i].url == "" {
		s.remotes[i].url = v.value
	}
}

// parseConfig reads the file with go-git's parser, which knows less than git's.
func parseConfig(data []byte) (out []setting, err error) {
	defer recovered(&err)
	c := config.New()
	if err := config.NewDecoder(bytes.NewReader(data)).Decode(c); err != nil {
		return nil, ErrUnsupported
	}
	for _, section := range c.Sections {
		name := strings.ToLower(section.Name)
		for _, o := range section.Options {
			out = append(out, setting{name, "", strings.ToLower(o.Key), o.Value})
		}
		for _, sub := range section.Subsections {
			out = append(out, setting{section: name, sub: sub.Name})
			for _, o := range sub.Options {
				out = append(out, setting{name, sub.Name, strings.ToLower(o.Key), o.Value})
			}
		}
	}
	return out, nil
}

// commandConfig has git read the same one file.
func commandConfig(name string) ([]setting, error) {
	listing, err := command{}.output("config", "--file", name, "--no-includes", "--null", "--list")
	if err != nil {
		return nil, err
	}
	var out []setting
	for item := range strings.SplitSeq(string(listing), "\x00") {
		key, value, _ := strings.Cut(item, "\n")
		first, last := strings.Index(key, "."), strings.LastIndex(key, ".")
		if first < 0 {
			continue
		}
		v := setting{section: key[:first], key: key[last+1:], value: value}
		if first < last {
			v.sub = key[first+1 : last]
		}
		out = append(out, v)
	}
	return out, nil
}
