package sarif_test

import (
	"bytes"
	"errors"
	"os"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// refuse is a loader that reaches nothing.
type refuse struct{}

func (refuse) Load(string) (any, error) { return nil, errors.New("nothing is loaded") }

// oasis is the schema of SARIF 2.1.0 with errata 01.
func oasis(t testing.TB) *jsonschema.Schema {
	t.Helper()
	text, err := os.ReadFile("testdata/sarif-schema-2.1.0.json")
	if err != nil {
		t.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	c.UseLoader(refuse{})
	c.AssertFormat()
	if err := c.AddResource("sarif.json", doc); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile("sarif.json")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// conforms holds a log against the standard's schema and GitHub's rules.
func conforms(t testing.TB, schema *jsonschema.Schema, log []byte) {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(log))
	if err != nil {
		t.Fatal(err)
	}
	if err := schema.Validate(doc); err != nil {
		t.Errorf("not SARIF 2.1.0: %v", err)
	}
	for _, complaint := range lint(t, log) {
		t.Error(complaint)
	}
}
