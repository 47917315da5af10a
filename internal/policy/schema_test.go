package policy

import (
	"bytes"
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"go.yaml.in/yaml/v3"
)

// nothing loads no schema but the one that is handed in.
type nothing struct{}

func (nothing) Load(string) (any, error) { return nil, errors.New("no schema is loaded") }

func published(t *testing.T) *jsonschema.Schema {
	t.Helper()
	text, err := os.ReadFile("../../docs/policy.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	c.UseLoader(nothing{})
	if err := c.AddResource("policy.json", doc); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile("policy.json")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// instance is a document as an editor's YAML reader (the core schema of YAML
// 1.2, where a day is a text) hands it to a schema.
func instance(n *yaml.Node) any {
	switch n.Kind {
	case yaml.DocumentNode:
		return instance(n.Content[0])
	case yaml.MappingNode:
		out := map[string]any{}
		for i := 0; i+1 < len(n.Content); i += 2 {
			out[n.Content[i].Value] = instance(n.Content[i+1])
		}
		return out
	case yaml.SequenceNode:
		out := []any{}
		for _, e := range n.Content {
			out = append(out, instance(e))
		}
		return out
	}
	switch n.ShortTag() {
	case "!!null":
		return nil
	case "!!bool":
		return strings.EqualFold(n.Value, "true")
	case "!!int", "!!float":
		var f float64
		_ = n.Decode(&f)
		return f
	}
	return n.Value
}

// TestSchema judges every document of the tables by the schema too.
func TestSchema(t *testing.T) {
	schema := published(t)
	judge := func(doc string) error {
		var n yaml.Node
		if err := yaml.Unmarshal([]byte(doc), &n); err != nil {
			t.Fatal(err)
		}
		return schema.Validate(instance(&n))
	}
	for _, tt := range good {
		if err := judge(tt.doc); err != nil {
			t.Errorf("%s: the reader takes what the schema does not: %v", tt.name, err)
		}
	}
	for _, tt := range bad {
		if err := judge(tt.doc); (err == nil) != tt.passesSchema {
			t.Errorf("%s: the schema says %v", tt.name, err)
		}
	}
}

// TestSchemaMembers: both know the same members and words.
func TestSchemaMembers(t *testing.T) {
	text, err := os.ReadFile("../../docs/policy.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	for _, words := range [][]string{startWords, failOnWords, scopeWords, approvalWords, bumpsWords, pinWords, onDriftWords, localWords[1:], waiverReasons, capabilities} {
		for _, w := range words {
			if !bytes.Contains(text, []byte(`"`+w+`"`)) {
				t.Errorf("the schema does not know %q", w)
			}
		}
	}
	for _, m := range Default().members() {
		if !bytes.Contains(text, []byte("\n    \""+m.Name+"\": {")) {
			t.Errorf("the schema does not know the member %s", m.Name)
		}
	}
}
