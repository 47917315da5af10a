package lockfile

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
)

// schema compares two JSON Schemas (2020-12 and draft-07 keywords). name is the
// tool's or the parameter's, against which a title is held.
func (d *differ) schema(path string, old, new any, name string) {
	o, oOK := old.(map[string]any)
	n, nOK := new.(map[string]any)
	switch {
	case reflect.DeepEqual(old, new):
	case oOK && nOK:
		for _, k := range differing(o, n) {
			d.keyword(path, k, o[k], n[k], name)
		}
	default:
		d.add(SchemaChanged, path, old, new)
	}
}

// keyword judges one schema keyword that differs; nil is an absent one.
func (d *differ) keyword(parent, k string, old, new any, name string) {
	path := parent + "." + k
	switch k {
	case "$schema":
		d.add(SerializerNoise, path, old, new)
	case titleMember:
		d.title(path, old, new, name)
	case descriptionMember:
		d.add(TextChanged, path, old, new)
	case "default", "examples":
		d.add(DefaultChanged, path, old, new)
	case "required":
		d.required(path, old, new)
	case "enum":
		d.enum(path, old, new)
	case "type":
		d.types(path, old, new)
	case additionalProperties:
		d.additional(path, old, new, name)
	case "properties", "patternProperties", "$defs", "definitions", "dependentSchemas":
		d.properties(path, old, new)
	case "items", "contains", "not", "if", "then", "else", "propertyNames", "unevaluatedProperties", "unevaluatedItems":
		d.nested(path, old, new, name)
	case "anyOf", "oneOf", "allOf", "prefixItems":
		d.variants(path, old, new, name)
	default:
		d.add(constraintEvent(k, old, new), path, old, new)
	}
}

func (d *differ) nested(path string, old, new any, name string) {
	if old == nil {
		d.add(SchemaChanged, path, old, new)
	} else if new == nil {
		d.add(ConstraintDropped, path, old, new)
	} else {
		d.schema(path, old, new, name)
	}
}

// variants compares lists of schemas of one length place by place.
func (d *differ) variants(path string, old, new any, name string) {
	o, oOK := old.([]any)
	n, nOK := new.([]any)
	switch {
	case !oOK || !nOK:
		d.nested(path, old, new, name)
	case len(n) > len(o) && !strings.HasSuffix(path, "allOf"):
		d.add(TypeWidened, path, old, new)
	case len(n) != len(o):
		d.add(SchemaChanged, path, old, new)
	default:
		for i := range o {
			d.schema(fmt.Sprintf("%s[%d]", path, i), o[i], n[i], name)
		}
	}
}

func (d *differ) properties(path string, old, new any) {
	o, oOK := asObject(old)
	n, nOK := asObject(new)
	if !oOK || !nOK {
		d.add(SchemaChanged, path, old, new)
		return
	}
	if len(o)+len(n) == 0 {
		d.add(SerializerNoise, path, old, new)
		return
	}
	for _, p := range slices.Sorted(maps.Keys(union(o, n))) {
		ov, had := o[p]
		nv, has := n[p]
		switch at := path + "." + p; {
		case !had:
			d.add(ParameterAdded, at, nil, present(nv))
		case !has:
			d.add(ParameterRemoved, at, present(ov), nil)
		default:
			d.schema(at, ov, nv, p)
		}
	}
}

// present keeps a null value apart from an absent one.
func present(v any) any {
	if v == nil {
		return map[string]any{}
	}
	return v
}

func (d *differ) required(path string, old, new any) {
	o, n := set(old), set(new)
	switch {
	case len(o)+len(n) == 0:
		d.add(SerializerNoise, path, old, new)
	case len(lack(o, n)) > 0:
		d.add(ConstraintDropped, path, old, new)
	case len(lack(n, o)) > 0:
		d.add(SchemaChanged, path, old, new)
	default:
		d.add(SerializerNoise, path, old, new) // the same names in another order
	}
}

func (d *differ) enum(path string, old, new any) {
	switch {
	case old == nil:
		d.add(SchemaChanged, path, old, new)
	case new == nil:
		d.add(ConstraintDropped, path, old, new)
	case len(lack(set(new), set(old))) > 0:
		d.add(EnumWidened, path, old, new)
	default:
		d.add(SchemaChanged, path, old, new)
	}
}

func (d *differ) types(path string, old, new any) {
	o, n := set(old), set(new)
	switch {
	case new == nil:
		d.add(ConstraintDropped, path, old, new)
	case old != nil && len(lack(n, o)) > 0:
		d.add(TypeWidened, path, old, new)
	default:
		d.add(SchemaChanged, path, old, new)
	}
}

// additional judges additionalProperties: "false" coming or going may be the
// serializer's doing, which only a look at all tools can tell.
func (d *differ) additional(path string, old, new any, name string) {
	_, oObject := old.(map[string]any)
	_, nObject := new.(map[string]any)
	switch {
	case oObject && nObject:
		d.schema(path, old, new, name)
	case old == nil && new == false || old == false && new == nil:
		d.add(additionalNoise, path, old, new)
	case new == false || nObject && (old == nil || old == true):
		d.add(SchemaChanged, path, old, new)
	default:
		d.add(AdditionalOpened, path, old, new)
	}
}

// set is the JSON of each element of an array, or of a single value.
func set(v any) []string {
	switch t := v.(type) {
	case nil:
		return nil
	case []any:
		out := make([]string, len(t))
		for i, e := range t {
			out[i] = string(mustCanonical(e))
		}
		return out
	}
	return []string{string(mustCanonical(v))}
}

// lack returns the members of a that b lacks; sets may be as large as a schema.
func lack(a, b []string) []string {
	has := make(map[string]bool, len(b))
	for _, s := range b {
		has[s] = true
	}
	return slices.DeleteFunc(slices.Clone(a), func(s string) bool { return has[s] })
}

// bounds says in which direction a numeric keyword loosens.
var bounds = map[string]int{
	"maximum": 1, "exclusiveMaximum": 1, "maxLength": 1, "maxItems": 1, "maxProperties": 1, "maxContains": 1,
	"minimum": -1, "exclusiveMinimum": -1, "minLength": -1, "minItems": -1, "minProperties": -1, "minContains": -1,
}

var constraints = []string{"pattern", "format", "const", "multipleOf", "uniqueItems", "dependentRequired", "contentEncoding", "contentMediaType", "$ref"}

func constraintEvent(k string, old, new any) Event {
	direction, bound := bounds[k]
	if !bound && !slices.Contains(constraints, k) {
		return SchemaChanged
	}
	if new == nil {
		return ConstraintDropped
	}
	o, oOK := old.(float64)
	n, nOK := new.(float64)
	if bound && oOK && nOK && (n-o)*float64(direction) > 0 {
		return ConstraintDropped
	}
	return SchemaChanged
}
