package policy

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Errors of editing a policy.
var (
	ErrBroken  = errors.New("the policy is not valid")
	ErrRevoked = errors.New("the publisher is revoked")
)

// Trust is the text of a policy with a publisher's key trusted, and everything else
// in it as it was, comments included. A key that is revoked stays so: ErrRevoked. A
// text that is no valid policy is ErrBroken.
func Trust(data []byte, key string) ([]byte, error) {
	p, _ := Parse(data, File)
	if slices.Contains(p.Publishers.Revoked, key) {
		return nil, ErrRevoked
	}
	return edited(data, p, Publishers{Trusted: with(p.Publishers.Trusted, key), Revoked: p.Publishers.Revoked})
}

// Revoke is the same with the key revoked, and trusted no more.
func Revoke(data []byte, key string) ([]byte, error) {
	p, _ := Parse(data, File)
	trusted := slices.DeleteFunc(slices.Clone(p.Publishers.Trusted), func(k string) bool { return k == key })
	return edited(data, p, Publishers{Trusted: trusted, Revoked: with(p.Publishers.Revoked, key)})
}

func with(list []string, key string) []string {
	if slices.Contains(list, key) {
		return list
	}
	return append(slices.Clone(list), key)
}

// edited writes publishers into a text, and believes the result only if it reads as
// the same policy in everything else.
func edited(data []byte, p Policy, want Publishers) ([]byte, error) {
	if p.Broken() {
		return nil, ErrBroken
	}
	if slices.Equal(p.Publishers.Trusted, want.Trusted) && slices.Equal(p.Publishers.Revoked, want.Revoked) {
		return data, nil
	}
	for _, write := range []func([]byte, Publishers) ([]byte, error){spliced, rewritten} {
		out, err := write(data, want)
		if err != nil {
			continue
		}
		got, found := Parse(out, File)
		d := got.Differences(p)
		if len(found) == 0 && len(d) == 1 && d[0].Member == "publishers" && slices.Equal(got.Publishers.Trusted, want.Trusted) && slices.Equal(got.Publishers.Revoked, want.Revoked) {
			return out, nil
		}
	}
	return nil, errors.New("the policy cannot be edited: write the key into publishers by hand")
}

// spliced replaces the lines of publishers alone, or puts them at the end.
func spliced(data []byte, want Publishers) ([]byte, error) {
	var doc yaml.Node
	if err := yaml.Unmarshal(data, &doc); err != nil {
		return nil, err
	}
	lines := strings.SplitAfter(string(data), "\n")
	if last := len(lines) - 1; lines[last] == "" {
		lines = lines[:last]
	} else {
		lines[last] += "\n"
	}
	from, to := len(lines), len(lines)
	part := &yaml.Node{Kind: yaml.MappingNode, Content: []*yaml.Node{{Kind: yaml.ScalarNode, Value: "publishers"}, {Kind: yaml.MappingNode}}}
	if len(doc.Content) > 0 && doc.Content[0].Kind == yaml.MappingNode {
		root := doc.Content[0]
		if root.Style&yaml.FlowStyle != 0 {
			return nil, errors.New("one line holds all")
		}
		for i := 0; i+1 < len(root.Content); i += 2 {
			if key := root.Content[i]; key.Value == "publishers" {
				from, to = key.Line-1, lastLine(root.Content[i+1])
				key.HeadComment, key.FootComment = "", "" // they stand outside of the lines
				part.Content = root.Content[i : i+2]
			}
		}
	}
	set(part.Content[1], want)
	text, err := encoded(part)
	if err != nil {
		return nil, err
	}
	return []byte(strings.Join(lines[:from], "") + text + strings.Join(lines[to:], "")), nil
}

// rewritten writes the whole text anew, with its comments.
func rewritten(data []byte, want Publishers) ([]byte, error) {
	var doc yaml.Node
	if err := yaml.Unmarshal(data, &doc); err != nil {
		return nil, err
	}
	if len(doc.Content) == 0 {
		return nil, errors.New("nothing is there")
	}
	root := doc.Content[0]
	i := slices.IndexFunc(root.Content, func(n *yaml.Node) bool { return n.Value == "publishers" })
	if i < 0 {
		root.Content = append(root.Content, &yaml.Node{Kind: yaml.ScalarNode, Value: "publishers"}, &yaml.Node{Kind: yaml.MappingNode})
		i = len(root.Content) - 2
	}
	set(root.Content[i+1], want)
	text, err := encoded(&doc)
	return []byte(text), err
}

// set makes a mapping say whom a policy trusts and revokes. Keys that stay keep
// their comments.
func set(n *yaml.Node, want Publishers) {
	*n = yaml.Node{Kind: yaml.MappingNode, Content: n.Content, HeadComment: n.HeadComment, LineComment: n.LineComment, FootComment: n.FootComment}
	for _, list := range []struct {
		name string
		keys []string
	}{{"trusted", want.Trusted}, {"revoked", want.Revoked}} {
		i := slices.IndexFunc(n.Content, func(m *yaml.Node) bool { return m.Value == list.name })
		if i < 0 && len(list.keys) == 0 {
			continue
		}
		if i < 0 {
			n.Content = append(n.Content, &yaml.Node{Kind: yaml.ScalarNode, Value: list.name}, &yaml.Node{Kind: yaml.SequenceNode})
			i = len(n.Content) - 2
		}
		setList(n.Content[i+1], list.keys)
	}
}

func setList(n *yaml.Node, keys []string) {
	var items []*yaml.Node
	for _, key := range keys {
		item := &yaml.Node{Kind: yaml.ScalarNode, Value: key, Tag: "!!str"}
		for _, old := range n.Content {
			if old.Value == key {
				item = old
			}
		}
		items = append(items, item)
	}
	style := yaml.Style(0)
	if len(items) == 0 {
		style = yaml.FlowStyle
	}
	*n = yaml.Node{Kind: yaml.SequenceNode, Style: style, Content: items, HeadComment: n.HeadComment, LineComment: n.LineComment, FootComment: n.FootComment}
}

// lastLine is the last line of a node, from 1. What closes a list in brackets on a
// line of its own is not counted: the result is then no policy, and not believed.
func lastLine(n *yaml.Node) int {
	last := n.Line
	for _, c := range n.Content {
		last = max(last, lastLine(c))
	}
	return last
}

func encoded(n *yaml.Node) (string, error) {
	var b bytes.Buffer
	e := yaml.NewEncoder(&b)
	e.SetIndent(2)
	if err := e.Encode(n); err != nil {
		return "", fmt.Errorf("write a policy: %w", err)
	}
	if err := e.Close(); err != nil {
		return "", fmt.Errorf("write a policy: %w", err)
	}
	return b.String(), nil
}
