package fakenpm

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha512"
	"encoding/base64"
	"encoding/json"
	"maps"
	"net/url"
	"slices"
)

// Package is one version of a package.
type Package struct {
	Name, Version        string
	Dependencies         map[string]string
	OptionalDependencies map[string]string
	PeerDependencies     map[string]string
	Bin                  map[string]string
	Scripts              map[string]string
	Engines              map[string]string
	OS, CPU              []string
	Bundle               []string          // dependencies that lie in Files
	Files                map[string]string // beside package.json, which is made unless it is one of them
	Tags                 []string
}

// Tarball is the package as npm packs it: the root folder "package", and the
// same bytes each time.
func (p Package) Tarball() []byte {
	files := maps.Clone(p.Files)
	if files == nil {
		files = map[string]string{}
	}
	if _, ok := files["package.json"]; !ok {
		files["package.json"] = string(encode(p.fields(false)))
	}
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	t := tar.NewWriter(z)
	for _, name := range slices.Sorted(maps.Keys(files)) {
		mode := int64(0o644)
		if slices.Contains(slices.Collect(maps.Values(p.Bin)), name) {
			mode = 0o755
		}
		_ = t.WriteHeader(&tar.Header{Name: "package/" + name, Mode: mode, Size: int64(len(files[name])), Format: tar.FormatUSTAR})
		_, _ = t.Write([]byte(files[name]))
	}
	_ = t.Close()
	_ = z.Close() // a buffer takes everything
	return b.Bytes()
}

// Integrity is the subresource integrity of a tarball.
func Integrity(tarball []byte) string {
	sum := sha512.Sum512(tarball)
	return "sha512-" + base64.StdEncoding.EncodeToString(sum[:])
}

// fields are the members of package.json; the abbreviated form has no scripts.
func (p Package) fields(short bool) map[string]any {
	out := map[string]any{"name": p.Name, "version": p.Version}
	for name, m := range map[string]map[string]string{
		"dependencies": p.Dependencies, "optionalDependencies": p.OptionalDependencies,
		"peerDependencies": p.PeerDependencies, "bin": p.Bin, "engines": p.Engines,
	} {
		if len(m) > 0 {
			out[name] = m
		}
	}
	for name, list := range map[string][]string{"os": p.OS, "cpu": p.CPU, "bundleDependencies": p.Bundle} {
		if len(list) > 0 {
			out[name] = list
		}
	}
	if len(p.Scripts) > 0 && !short {
		out["scripts"] = p.Scripts
	}
	return out
}

func (p Package) installs() bool {
	return p.Scripts["preinstall"] != "" || p.Scripts["install"] != "" || p.Scripts["postinstall"] != ""
}

// document is one version's, with the place and digest of its tarball.
func (v version) document(base url.URL, short bool) map[string]any {
	base.Path = TarballPath(v.manifest.Name, v.manifest.Version)
	out := v.manifest.fields(short)
	out["dist"] = map[string]any{"tarball": base.String(), "integrity": Integrity(v.tarball)}
	if v.manifest.installs() {
		out["hasInstallScript"] = true
	}
	if _, ok := v.manifest.Files["npm-shrinkwrap.json"]; ok {
		out["_hasShrinkwrap"] = true
	}
	return out
}

// document is the package's, with all its versions.
func (p *published) document(base url.URL, short bool) map[string]any {
	versions, times := map[string]any{}, map[string]string{}
	name := ""
	for number, v := range p.versions {
		versions[number] = v.document(base, short)
		times[number] = "2020-01-01T00:00:00.000Z"
		name = v.manifest.Name
	}
	out := map[string]any{"name": name, "dist-tags": p.tags, "versions": versions}
	if short {
		out["modified"] = "2020-01-01T00:00:00.000Z"
	} else {
		out["time"] = times
	}
	return out
}

// valid makes sure that a text is JSON, so that a broken fixture fails where it
// stands.
func valid(text string) string {
	if !json.Valid([]byte(text)) {
		panic("fakenpm: no JSON: " + text)
	}
	return text
}
