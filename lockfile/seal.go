package lockfile

import (
	"encoding/json"
	"fmt"
	"slices"
	"sort"
	"strings"

	"github.com/toolwarrant/toolwarrant/internal/canon"
)

var domains = map[string]canon.Domain{
	"tools": canon.Tool, "resources": canon.Resource, "resourceTemplates": canon.Template, "prompts": canon.Prompt,
}

// key is the member that identifies an item of a list.
func key(list string) string {
	switch list {
	case "resources":
		return "uri"
	case "resourceTemplates":
		return "uriTemplate"
	}
	return "name"
}

// Seal computes the surface digest from the items' digests.
func (r Read) Seal() Read {
	sum := map[string]any{
		"capabilities": textsDigest(canon.Capabilities, r.Server.Capabilities),
		"instructions": nil,
		"unserved":     append([]string{}, r.Unserved...),
	}
	if r.Server.Instructions != nil {
		sum["instructions"] = textsDigest(canon.Instructions, []string{*r.Server.Instructions})
	}
	for _, list := range Lists {
		digests := []string{}
		for _, item := range r.Lists[list] {
			digests = append(digests, item.Digest)
		}
		sort.Strings(digests)
		sum[list] = digests
	}
	r.Surface = canon.Digest(canon.Surface, mustCanonical(sum))
	return r
}

func textsDigest(d canon.Domain, texts []string) string {
	return canon.Digest(d, mustCanonical(append([]string{}, texts...)))
}

// mustCanonical is for values made of our own strings only.
func mustCanonical(v any) []byte {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	c, err := canon.Canonical(b)
	if err != nil {
		panic(err)
	}
	return c
}

// Capabilities flattens a declared server capability object, so that a change
// of it is one line of a diff: a path for each object in it, a path "=" JSON for
// each other value; "~", "/" and "=" in names are ~0, ~1 and ~2.
func Capabilities(object json.RawMessage) ([]string, error) {
	var v any
	if err := json.Unmarshal(object, &v); err != nil {
		return nil, fmt.Errorf("server capabilities: %w", err)
	}
	out := []string{}
	flatten("", v, &out)
	slices.Sort(out)
	return out, nil
}

var pathEscape = strings.NewReplacer("~", "~0", "/", "~1", "=", "~2")

func flatten(path string, v any, out *[]string) {
	o, ok := v.(map[string]any)
	if !ok {
		*out = append(*out, path+"="+string(mustCanonical(v)))
		return
	}
	if path != "" {
		*out = append(*out, path)
		path += "/"
	}
	for name, member := range o {
		flatten(path+pathEscape.Replace(name), member, out)
	}
}
