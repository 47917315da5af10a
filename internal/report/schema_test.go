package report_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/toolwarrant/toolwarrant/finding"
	"github.com/toolwarrant/toolwarrant/internal/report"
)

// refuse is a loader that reaches nothing.
type refuse struct{}

func (refuse) Load(string) (any, error) { return nil, errors.New("nothing is loaded") }

// published reads one of the schemas in docs.
func published(t testing.TB, name string) (*jsonschema.Schema, map[string]any) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "docs", name))
	if err != nil {
		t.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	c.UseLoader(refuse{})
	if err := c.AddResource(name, doc); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile(name)
	if err != nil {
		t.Fatal(err)
	}
	return s, doc.(map[string]any)
}

// validate holds v, as it is written, against a schema.
func validate(t testing.TB, s *jsonschema.Schema, v any) error {
	t.Helper()
	var b bytes.Buffer
	if err := report.JSON(&b, v); err != nil {
		t.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(&b)
	if err != nil {
		t.Fatal(err)
	}
	return s.Validate(doc)
}

func TestReportSchema(t *testing.T) {
	schema, _ := published(t, "report.schema.json")
	for name, r := range reports() {
		if err := validate(t, schema, r); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	bad := reports()["everything"]
	bad.Findings = slices.Clone(bad.Findings)
	bad.Findings[0].Location = finding.Location{}
	if validate(t, schema, bad) == nil {
		t.Error("a finding without a place fits the schema")
	}
}

func TestInspectionSchema(t *testing.T) {
	schema, _ := published(t, "inspect.schema.json")
	for name, i := range inspections() {
		if err := validate(t, schema, i); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	bad := inspections()["read"]
	bad.Tools = slices.Clone(bad.Tools)
	bad.Tools[0].Inferences = []finding.Inference{{Capability: "exec", Confidence: "high", Evidence: []finding.Evidence{}}}
	if validate(t, schema, bad) == nil {
		t.Error("an inference without evidence fits the schema")
	}
}

func TestPluginSchema(t *testing.T) {
	schema, _ := published(t, "plugin.schema.json")
	for name, v := range plugins() {
		if err := validate(t, schema, v); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	bad := plugins()["accepted"]
	bad.Verdict = "perhaps"
	if validate(t, schema, bad) == nil {
		t.Error("an unknown verdict fits the schema")
	}
}

// TestSchemasAreCurrent: the schemas know every member that the types have, ask
// for those that are always there, know no other, and say what each one is.
func TestSchemasAreCurrent(t *testing.T) {
	_, doc := published(t, "report.schema.json")
	(&drift{t, doc}).same("report", doc, reflect.TypeFor[finding.Report]())
	_, doc = published(t, "inspect.schema.json")
	(&drift{t, doc}).same("inspection", doc, reflect.TypeFor[finding.Inspection]())
	_, doc = published(t, "plugin.schema.json")
	(&drift{t, doc}).same("plugin", doc, reflect.TypeFor[finding.Plugin]())
}

// drift compares a schema with the Go types that are written.
type drift struct {
	t    *testing.T
	root map[string]any
}

// resolved follows a reference into $defs.
func (d *drift) resolved(s map[string]any) map[string]any {
	ref, ok := s["$ref"].(string)
	if !ok {
		return s
	}
	def, ok := d.root["$defs"].(map[string]any)[strings.TrimPrefix(ref, "#/$defs/")].(map[string]any)
	if !ok {
		d.t.Fatalf("%s leads nowhere", ref)
	}
	return def
}

func (d *drift) same(at string, s map[string]any, t reflect.Type) {
	s = d.resolved(s)
	switch {
	case t == reflect.TypeFor[json.RawMessage]() || t == reflect.TypeFor[finding.Outcome]():
		return
	case t.Kind() == reflect.Pointer:
		d.same(at, s, t.Elem())
	case t.Kind() == reflect.Slice:
		items, ok := s["items"].(map[string]any)
		if !ok {
			d.t.Fatalf("%s: the schema has no list here", at)
		}
		d.same(at+"[]", items, t.Elem())
	case t.Kind() == reflect.Struct:
		d.object(at, s, t)
	}
}

func (d *drift) object(at string, s map[string]any, t reflect.Type) {
	props, _ := s["properties"].(map[string]any)
	required, _ := s["required"].([]any)
	if s["additionalProperties"] != false {
		d.t.Errorf("%s: additionalProperties is not false", at)
	}
	left := maps.Clone(props)
	for i := range t.NumField() {
		name, options, _ := strings.Cut(t.Field(i).Tag.Get("json"), ",")
		if name == "-" {
			continue
		}
		prop, ok := props[name].(map[string]any)
		if !ok {
			d.t.Errorf("%s.%s is not in the schema", at, name)
			continue
		}
		delete(left, name)
		if always := !strings.Contains(options, "omitempty"); always != slices.Contains(required, any(name)) {
			d.t.Errorf("%s.%s: always there is %v, and the schema says otherwise", at, name, always)
		}
		if prop["description"] == nil {
			d.t.Errorf("%s.%s is not described", at, name)
		}
		d.same(at+"."+name, prop, t.Field(i).Type)
	}
	for name := range left {
		d.t.Errorf("%s.%s is in the schema alone", at, name)
	}
}
