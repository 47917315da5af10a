package scanner

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/toolwarrant/toolwarrant/finding"
	"github.com/toolwarrant/toolwarrant/internal/canon"
	"github.com/toolwarrant/toolwarrant/internal/plugin"
	"github.com/toolwarrant/toolwarrant/internal/policy"
	"github.com/toolwarrant/toolwarrant/lockfile"
)

// Plugins gets plugins by their pins.
type Plugins interface {
	// Get fetches what a declaration pins. An error is told as the reason why the
	// plugin was not read: it is in our words.
	Get(ctx context.Context, p policy.Plugin) (PluginBytes, error)
}

// PluginBytes is what came: an archive, and whether the repository that served it
// stands for it.
type PluginBytes struct {
	Archive []byte
	Reach   finding.Reach // of a commit; empty for an address
}

// PluginOrigin is where a version comes from, as a lock has it.
type PluginOrigin struct{ Source, Pin string }

// PluginContents is what a reader of a format finds in a folder.
type PluginContents struct {
	ID, Version string
	Publisher   string // a name, without proof
	Inventory   []lockfile.PluginItem
	Skills      []lockfile.PluginSkill
}

// NewPluginVersion is the version of a lock that a verified plugin.v1 package gives.
// It is staged: nobody has approved it.
func NewPluginVersion(o PluginOrigin, p plugin.Package) lockfile.PluginVersion {
	v := lockfile.PluginVersion{Source: o.Source, Pin: o.Pin, Archive: "sha256:" + p.SHA256, Version: p.Manifest.Version, State: lockfile.PluginStaged,
		Signature: lockfile.PluginSignature{State: lockfile.SignatureNone, Name: p.Manifest.Publisher}}
	if p.Valid {
		v.Signature.State, v.Signature.Publisher = lockfile.SignatureValid, p.Publisher
	}
	for _, f := range p.Record.Files {
		v.Files = append(v.Files, lockfile.PluginFile{Path: f.Path, Bytes: int64(f.Bytes), SHA256: f.SHA256})
	}
	for _, i := range p.Record.Items {
		v.Inventory = append(v.Inventory, lockfile.PluginItem{Kind: i.Kind, Place: i.Place, Text: i.Text})
	}
	for _, s := range p.Record.Skills {
		v.Skills = append(v.Skills, lockfile.PluginSkill{Name: s.Name, Text: strings.Split(s.Text, "\n"), Capabilities: skillPowers(s.Tools)})
	}
	return v.Seal()
}

// NewFolderVersion is the same for a format that is a folder of files and knows no
// signatures: files are those that were fetched and verified, and digest is the one
// of the folder, which covers their modes too.
func NewFolderVersion(o PluginOrigin, digest string, files fs.FS, c PluginContents) (lockfile.PluginVersion, error) {
	v := lockfile.PluginVersion{Source: o.Source, Pin: o.Pin, Archive: digest, Version: c.Version, State: lockfile.PluginStaged,
		Signature: lockfile.PluginSignature{State: lockfile.SignatureUnsignable, Name: c.Publisher}, Inventory: c.Inventory, Skills: c.Skills}
	err := fs.WalkDir(files, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		if !d.Type().IsRegular() {
			return errors.New("a plugin holds plain files and folders alone")
		}
		data, err := fs.ReadFile(files, name)
		if err != nil {
			return fmt.Errorf("read a file of the plugin: %w", err)
		}
		sum := sha256.Sum256(data)
		v.Files = append(v.Files, lockfile.PluginFile{Path: name, Bytes: int64(len(data)), SHA256: hex.EncodeToString(sum[:])})
		return nil
	})
	slices.SortFunc(v.Files, func(a, b lockfile.PluginFile) int { return strings.Compare(a.Path, b.Path) })
	return v.Seal(), err
}

// toolPowers are what tools that skills name can do, by the beginning of the name
// in lower case.
var toolPowers = []struct{ name, power string }{
	{"list_workspace", "fs.read"}, {"read_file", "fs.read"}, {"replace_file", "fs.write"}, {"script_process", "exec"},
}

// skillPowers are the capabilities of a skill by the tools that it may use.
func skillPowers(tools []string) []string {
	out := []string{}
	for _, t := range tools {
		power := "unknown"
		for _, p := range toolPowers {
			if p.name == t {
				power = p.power
			}
		}
		out = append(out, power)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// PluginRead is what reading one declared plugin came to.
type PluginRead struct {
	Verdict finding.Plugin          // findings are at the declaration
	Version *lockfile.PluginVersion // nil where the plugin was not accepted
	ID      string                  // the plugin's own
	Reason  string                  // why nothing was read
}

// ReadPlugin fetches a declared plugin and judges it. trusted and revoked are keys
// of publishers.
func (o Options) ReadPlugin(ctx context.Context, p policy.Plugin, publishers policy.Publishers) PluginRead {
	if o.Plugins == nil {
		return PluginRead{Reason: "not-fetched: nothing is fetched here"}
	}
	o.tell(p.Name, "fetching", false)
	got, err := o.Plugins.Get(ctx, p)
	if err != nil {
		o.tell(p.Name, "not fetched", true)
		return PluginRead{Reason: "not-fetched: " + err.Error()}
	}
	o.tell(p.Name, "fetched", true)
	return JudgePlugin(p, got, publishers)
}

// JudgePlugin judges the bytes of a declared plugin.
func JudgePlugin(p policy.Plugin, got PluginBytes, publishers policy.Publishers) PluginRead {
	options := plugin.Options{File: p.At.File, Pin: p.SHA256, Trusted: publishers.Trusted, Revoked: publishers.Revoked}
	if p.Git != "" {
		options.Source = &finding.PluginSource{Commit: p.Commit, Path: p.Path, Reach: got.Reach}
	}
	r := PluginRead{}
	var err error
	if r.Verdict, err = plugin.Check(strings.NewReader(string(got.Archive)), options); err != nil {
		return PluginRead{Reason: "not-fetched: it broke off"}
	}
	for i := range r.Verdict.Findings {
		f := &r.Verdict.Findings[i]
		f.Location, f.Target = p.At, p.Name
	}
	if r.Verdict.Verdict != finding.Accepted {
		return r
	}
	source, pin := pluginSource(p)
	v := NewPluginVersion(PluginOrigin{source, pin}, plugin.Read(got.Archive))
	r.Version, r.ID = &v, r.Verdict.ID
	return r
}

// PluginApproval is what is recorded of a lock that this user wrote: the file as it
// was, whole.
func PluginApproval(lock []byte) string { return canon.Digest("toolwarrant.plugin-lock.1", lock) }

// PluginApproved stands beside it in the record, where a launch has its code.
const PluginApproved = "plugin lock"
