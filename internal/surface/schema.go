package surface

import (
	"slices"
	"strconv"
)

// param is one parameter of a tool, at any depth of its input schema.
type param struct {
	path   string // of its schema, as evidence quotes it
	name   text
	about  text // its description
	format string
	kinds  []string // of its type: string, boolean, array …
	enum   []string // the strings among its enum and const values
	depth  int      // 0 for a parameter of the tool itself
}

// is reports whether the schema allows the type, or does not say.
func (p *param) is(kind string) bool {
	for _, k := range p.kinds {
		if k == kind {
			return true
		}
	}
	return len(p.kinds) == 0
}

// has reports whether one of the words is part of the parameter's name.
func (p *param) has(words map[string]bool) bool {
	for _, w := range p.name.words {
		if words[w.text] {
			return true
		}
	}
	return false
}

// head is the last word of the name, which says what kind of thing it takes.
func (p *param) head() string {
	if n := len(p.name.words); n > 0 {
		return p.name.words[n-1].text
	}
	return ""
}

// Bounds of the walk through a schema. Real tools stay below 10 levels and
// 120 parameters; canon bounds the nesting of what arrives.
const (
	maxSchemaDepth = 16
	maxParams      = 512
)

// walker collects parameters. Keys are taken in sorted order, so that the
// order of a server's answer does not matter.
type walker struct{ params []*param }

// schema walks one JSON Schema (draft 7 or 2020-12): its properties, and those
// of every schema inside it. References are not followed: what they point to
// in the same document is under $defs or definitions, which are walked.
func (w *walker) schema(v any, path string, depth int) {
	m, ok := v.(map[string]any)
	if !ok || depth > maxSchemaDepth || len(w.params) >= maxParams {
		return
	}
	if props := m["properties"]; props != nil {
		w.properties(props, path+".properties", depth)
	}
	for _, k := range []string{"items", "additionalProperties", "not", "if", "then", "else", "contains"} {
		if v := m[k]; v != nil {
			w.schema(v, path+"."+k, depth)
		}
	}
	for _, k := range []string{"anyOf", "oneOf", "allOf", "prefixItems", "items"} {
		list, _ := m[k].([]any)
		for i, s := range list {
			w.schema(s, path+"."+k+"["+strconv.Itoa(i)+"]", depth)
		}
	}
	for _, k := range []string{"$defs", "definitions", "patternProperties", "dependentSchemas"} {
		defs, _ := m[k].(map[string]any)
		for _, name := range keys(defs) {
			w.schema(defs[name], path+"."+k+member(name), depth)
		}
	}
}

func (w *walker) properties(v any, path string, depth int) {
	props, _ := v.(map[string]any)
	for _, name := range keys(props) {
		if len(w.params) >= maxParams {
			return
		}
		at := path + member(name)
		schema, _ := props[name].(map[string]any)
		w.params = append(w.params, newParam(at, name, schema, depth))
		w.schema(props[name], at, depth+1)
	}
}

func newParam(path, name string, schema map[string]any, depth int) *param {
	p := &param{path: path, name: splitName(name), depth: depth}
	p.format, _ = schema["format"].(string)
	p.kinds = stringsIn(schema["type"])
	p.enum = append(stringsIn(schema["enum"]), stringsIn(schema["const"])...)
	about, _ := schema["description"].(string)
	if title, _ := schema["title"].(string); about == "" {
		about = title
	}
	p.about = readText(about)
	for _, k := range []string{"items", "anyOf", "oneOf"} {
		p.inherit(schema[k])
	}
	return p
}

// inherit takes the format of a parameter's elements or alternatives: a list
// of URLs takes URLs.
func (p *param) inherit(v any) {
	switch t := v.(type) {
	case map[string]any:
		if f, ok := t["format"].(string); ok && p.format == "" {
			p.format = f
		}
		p.enum = append(p.enum, stringsIn(t["enum"])...)
	case []any:
		for _, e := range t {
			if m, ok := e.(map[string]any); ok {
				p.inherit(m)
				p.kinds = append(p.kinds, stringsIn(m["type"])...)
			}
		}
	}
}

// stringsIn is the string v, or the strings in the list v.
func stringsIn(v any) []string {
	switch t := v.(type) {
	case string:
		return []string{t}
	case []any:
		var out []string
		for _, e := range t {
			if s, ok := e.(string); ok {
				out = append(out, s)
			}
		}
		return out
	}
	return nil
}

// member is a path step: .name, or ["name"] where the name would be misread.
func member(name string) string {
	for i := 0; i < len(name); i++ {
		if c := name[i]; !wordByte(c|0x20) && c != '$' && c != '_' && c != '-' || c >= 0x80 || c == '\'' {
			return "[" + strconv.Quote(name) + "]"
		}
	}
	if name == "" {
		return `[""]`
	}
	return "." + name
}

func keys(m map[string]any) []string {
	if len(m) == 0 {
		return nil
	}
	out := make([]string, 0, len(m))
	for k := range m {
		out = append(out, k)
	}
	slices.Sort(out)
	return out
}
