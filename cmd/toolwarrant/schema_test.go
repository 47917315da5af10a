package main

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/toolwarrant/toolwarrant/finding"
)

// refuse is a loader that reaches nothing.
type refuse struct{}

func (refuse) Load(string) (any, error) { return nil, errors.New("nothing is loaded") }

// schema compiles a file of the repository.
func schema(t *testing.T, file string) *jsonschema.Schema {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", filepath.FromSlash(file)))
	if err != nil {
		t.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(strings.NewReader(string(text)))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	c.UseLoader(refuse{})
	if err := c.AddResource("schema.json", doc); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile("schema.json")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestOutputsConform runs the program on honest, changed, broken and hostile
// servers, and holds what it writes against the published schemas and SARIF's. A
// saved report is read again, and gives the same SARIF.
func TestOutputsConform(t *testing.T) {
	needsLinux(t)
	report, inspection, log := schema(t, "docs/report.schema.json"), schema(t, "docs/inspect.schema.json"), schema(t, "sarif/testdata/sarif-schema-2.1.0.json")
	s := newScratch(t, t.TempDir())
	s.write("behaviour", "base")
	s.write(".mcp.json", `{"mcpServers": {
  "notes": {"command": "fakemcp", "args": ["-file", "`+s.file("behaviour")+`"]},
  "stray": {"type": "http", "url": "http://stray.example/mcp"}, "😀": {"command": 3}}}`)
	s.try("toolwarrant", "seal", "notes", "--yes")
	for _, behaviour := range []string{"base", "command-added", "tool-removed", "crash-at-start", "hidden-characters", "terminal-characters", "newline-name"} {
		t.Run(behaviour, func(t *testing.T) {
			s := s
			s.t = t
			s.write("behaviour", behaviour)
			s.try("toolwarrant", "verify", "-o", "json=r.json", "-o", "sarif=r.sarif")
			s.try("toolwarrant", "scan", "-o", "json=s.json")
			s.try("toolwarrant", "inspect", "notes", "-o", "json=i.json")
			s.try("toolwarrant", "report", "--from", "r.json", "-o", "sarif=again.sarif")
			for file, schema := range map[string]*jsonschema.Schema{"r.json": report, "s.json": report, "i.json": inspection, "r.sarif": log} {
				doc, err := jsonschema.UnmarshalJSON(strings.NewReader(s.read(file)))
				if err != nil {
					t.Fatal(err)
				}
				if err := schema.Validate(doc); err != nil {
					t.Errorf("%s: %v", file, err)
				}
			}
			if _, err := finding.ParseReport([]byte(s.read("r.json"))); err != nil {
				t.Error(err)
			}
			if s.read("r.sarif") != s.read("again.sarif") {
				t.Error("the saved report gives another SARIF file")
			}
		})
	}
}
