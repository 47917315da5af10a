package scanner

import (
	"context"
	"errors"
	"strings"

	"github.com/toolwarrant/toolwarrant/internal/manifest"
	"github.com/toolwarrant/toolwarrant/lockfile"
)

const ecosystemOCI = "oci"

// Images knows the images of this machine's container engines. fetch.Engines is one.
type Images interface {
	Digest(ctx context.Context, engine, name, tag string) (string, error)
}

// Reasons why a launch's image is not asked for.
var (
	errElsewhere = errors.New("the launch names another container engine than the one here")
	errOddDigest = errors.New("its digest is no SHA-256")
)

// image is what a container launch starts, where its words name a digest or the
// engine of this machine knows one; nil for other launches. The error says what is
// missing.
func (o Options) image(ctx context.Context, t Target) (*lockfile.Artifact, error) {
	c := t.Declared[0].Launch.Command()
	if c.Ecosystem != ecosystemOCI || c.Why != "" || len(c.Packages) != 1 || c.Packages[0].Source != "registry" {
		return nil, nil
	}
	p := c.Packages[0]
	digest := p.Spec
	if p.Pin != "immutable" {
		var err error
		if digest, err = o.imageDigest(ctx, t, c); err != nil {
			return nil, err
		}
	}
	return &lockfile.Artifact{Ecosystem: ecosystemOCI, Name: p.Name, Spec: p.Spec, Version: digest, Integrity: digest}, nil
}

// imageDigest asks the engine that the launch would ask.
func (o Options) imageDigest(ctx context.Context, t Target, c manifest.Command) (string, error) {
	engine, _, _ := strings.Cut(c.Launcher, " ")
	p := c.Packages[0]
	switch {
	case strings.Contains(p.Spec, ":"):
		return "", errOddDigest
	case o.Images == nil || c.Words[c.Inner].Text != engine || otherEngine(t.Declared[0].Launch, c):
		return "", errElsewhere
	}
	return o.Images.Digest(ctx, engine, p.Name, p.Spec)
}

// otherEngine reports whether options or variables of a launch lead its engine to
// other images.
func otherEngine(l manifest.Launch, c manifest.Command) bool {
	if next := c.Words[min(c.Inner+1, len(c.Words)-1)].Text; next != "run" && next != "container" || len(c.Assigned) > 0 {
		return true
	}
	for _, b := range l.Env {
		if strings.HasPrefix(b.Name, "DOCKER_") || strings.HasPrefix(b.Name, "CONTAINER_") || b.Name == "PATH" || b.Name == "HOME" || strings.HasPrefix(b.Name, "XDG_") {
			return true
		}
	}
	return false
}
