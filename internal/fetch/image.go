package fetch

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/toolwarrant/toolwarrant/internal/canon"
	"github.com/toolwarrant/toolwarrant/internal/pattern"
	"github.com/toolwarrant/toolwarrant/internal/sandbox"
)

// Engines asks the container engines of this machine about images that they
// have. It pulls none and starts none.
type Engines struct {
	PATH      string   // the user's; see FindNode for what of it counts
	Forbidden []string // folders from which nothing is started: the scanned repository
	Environ   []string // the user's, of which an engine gets what leads it to its images
}

// Reasons why an image has no digest here.
var (
	errNoEngine    = errors.New("the container engine is not in PATH")
	errNoAnswer    = errors.New("the container engine did not answer")
	errNoImage     = errors.New("the container engine has no such image")
	errNoDigest    = errors.New("the image was never pulled from a registry under this name, so it has no digest")
	errManyDigests = errors.New("the image has several digests under this name")
	errNoReference = errors.New("that is no reference of an image")
)

var (
	imageRef    = pattern.Of(`^[a-zA-Z0-9][a-zA-Z0-9._/-]*(:[0-9]+/[a-zA-Z0-9._/-]+)?(:[a-zA-Z0-9_][a-zA-Z0-9._-]*)?$`)
	imageDigest = pattern.Of(`^sha256:[0-9a-f]{64}$`)
)

const (
	engineTime = 10 * time.Second
	maxRef     = 512
)

// engineVariables lead docker and podman to their images.
var engineVariables = []string{
	"HOME", "XDG_RUNTIME_DIR", "XDG_CONFIG_HOME", "XDG_DATA_HOME",
	"DOCKER_HOST", "DOCKER_CONTEXT", "DOCKER_CONFIG", "DOCKER_CERT_PATH", "DOCKER_TLS_VERIFY", "CONTAINER_HOST", "CONTAINER_CONNECTION",
}

// Digest is the digest under which engine ("docker", "podman") pulled the image
// that it has under name and tag, as "sha256:…". The error says what is missing.
func (e Engines) Digest(ctx context.Context, engine, name, tag string) (string, error) {
	ref := name
	if tag != "" {
		ref += ":" + tag
	}
	if len(ref) > maxRef || !imageRef.MatchString(ref) {
		return "", errNoReference
	}
	program := findProgram(e.PATH, engine, e.Forbidden)
	if program == "" {
		return "", errNoEngine
	}
	dir, err := os.MkdirTemp("", "toolwarrant-image-")
	if err != nil {
		return "", errNoAnswer
	}
	defer func() { _ = os.RemoveAll(dir) }()
	said, err := runToEnd(ctx, engineTime, sandbox.Order{
		Argv: []string{program, "image", "inspect", "--format", "{{json .RepoDigests}}", ref}, Env: e.environment(), Dir: dir,
	})
	switch {
	case ctx.Err() != nil:
		return "", ctx.Err()
	case err != nil:
		return "", errNoAnswer
	case said.exit.Code != 0:
		return "", errNoImage
	}
	return digestOf(said.out, name)
}

// environment is an engine's, from empty.
func (e Engines) environment() []string {
	env := []string{"PATH=" + strings.Join(trustedPath(e.PATH, e.Forbidden), string(os.PathListSeparator)), "LANG=C.UTF-8"}
	for _, v := range e.Environ {
		if name, _, ok := strings.Cut(v, "="); ok && slices.Contains(engineVariables, name) {
			env = append(env, v)
		}
	}
	return env
}

// digestOf reads a list of "NAME@DIGEST" and takes the digest of a name.
func digestOf(answer []byte, name string) (string, error) {
	var list []string
	if canon.Guard(answer, canon.MaxDepth) != nil || json.Unmarshal(answer, &list) != nil {
		return "", errNoAnswer
	}
	found := ""
	for _, one := range list {
		of, digest, _ := strings.Cut(one, "@")
		switch {
		case fullName(of) != fullName(name) || !imageDigest.MatchString(digest):
		case found != "" && found != digest:
			return "", errManyDigests
		default:
			found = digest
		}
	}
	if found == "" {
		return "", errNoDigest
	}
	return found, nil
}

// fullName is an image's name with the registry and the folder that engines leave
// out (distribution/reference, "familiar names").
func fullName(name string) string {
	first, rest, ok := strings.Cut(name, "/")
	switch {
	case !ok:
		return "docker.io/library/" + name
	case first == "docker.io" || first == "index.docker.io":
		if !strings.Contains(rest, "/") {
			rest = "library/" + rest
		}
		return "docker.io/" + rest
	case strings.ContainsAny(first, ".:") || first == "localhost":
		return name
	}
	return "docker.io/" + name
}
