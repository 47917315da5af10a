package scanner

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/toolwarrant/toolwarrant/finding"
	"github.com/toolwarrant/toolwarrant/internal/fakemcp"
	"github.com/toolwarrant/toolwarrant/lockfile"
)

// fake makes a lock entry of a declaration of the fake server.
func fake(t testing.TB, name string) lockfile.Entry {
	t.Helper()
	d := fakemcp.Surface(name)
	text, err := json.Marshal(map[string]any{
		"serverInfo": map[string]string{"Name": d.Name, "Version": d.Version}, "capabilities": d.Capabilities, "instructions": d.Instructions,
		"tools": d.Tools, "resources": d.Resources, "prompts": d.Prompts,
	})
	if err != nil {
		t.Fatal(err)
	}
	e := entryOf(t, string(text))
	for _, raw := range d.Templates {
		var v any
		_ = json.Unmarshal(raw, &v)
		canonical, _ := json.Marshal(v)
		item, err := lockfile.NewItem("resourceTemplates", canonical, nil)
		if err != nil {
			t.Fatal(err)
		}
		e.Read.Lists["resourceTemplates"] = append(e.Read.Lists["resourceTemplates"], item)
	}
	read := e.Read.Seal()
	e.Read = &read
	return e
}

// TestDriftTable holds every change that was tried on the published lock tools
// (most of them passed most of these silently) against the drift table.
func TestDriftTable(t *testing.T) {
	const clean, drift, escalation = finding.Clean, finding.Drift, finding.Escalation
	for name, want := range map[string]struct {
		outcome finding.Outcome
		rule    string
	}{
		"base":                     {clean, ""},
		"order-changed":            {clean, ""},
		"version-changed":          {clean, "surface/server-info"},
		"description-injected":     {escalation, "surface/description-changed"},
		"parameter-injected":       {escalation, "surface/description-changed"},
		"nested-injected":          {escalation, "surface/description-changed"},
		"description-reworded":     {drift, "surface/description-changed-minor"},
		"enum-widened":             {drift, "surface/schema-changed-minor"},
		"additional-properties":    {drift, "surface/schema-changed-minor"},
		"default-shell":            {drift, "surface/schema-changed-minor"},
		"constraint-dropped":       {drift, "surface/schema-changed-minor"},
		"parameter-added":          {drift, "surface/schema-changed-minor"},
		"title-changed":            {escalation, "surface/title-changed"},
		"annotation-title-changed": {escalation, "surface/title-changed"},
		"read-only-removed":        {drift, "surface/annotation-weakened-minor"},
		"read-only-false":          {drift, "surface/annotation-weakened-minor"},
		"destructive":              {escalation, ""},
		"meta-added":               {drift, "surface/other-changed"},
		"output-schema-added":      {drift, "surface/schema-changed-minor"},
		"instructions-changed":     {escalation, "surface/instructions-changed"},
		"instructions-removed":     {drift, "surface/instructions-changed-minor"},
		"resource-added":           {drift, "surface/resource-changed"},
		"resource-removed":         {drift, "surface/resource-changed"},
		"template-added":           {drift, "surface/resource-changed"},
		"prompt-changed":           {drift, "surface/prompt-changed"},
		"prompt-added":             {drift, "surface/prompt-changed"},
		"capabilities-added":       {drift, "surface/server-capability"},
		"tool-renamed":             {drift, "surface/tool-renamed"},
		"tool-removed":             {drift, "surface/tool-removed"},
		"command-added":            {escalation, "surface/power-added"},
		"safe-tool-added":          {drift, "surface/tool-added"},
		"hidden-characters":        {escalation, "surface/description-changed"},
		"terminal-characters":      {escalation, "surface/description-changed"},
		"proto":                    {drift, "surface/tool-added"},
		"newline-name":             {escalation, "text/hidden-characters"},
		"unknown-members":          {clean, "surface/serializer-noise"},
	} {
		t.Run(name, func(t *testing.T) {
			old, after := fake(t, "base"), fake(t, name)
			s := Subject{Name: "notes", At: finding.At(".mcp.json", 1, 1), State: compared, Old: &old, New: &after, Changes: lockfile.Diff(old, after)}
			found := judge(s)
			if got := worst(found); got != want.outcome {
				t.Errorf("outcome %s, want %s: %v", got, want.outcome, idsOf(found))
			}
			if want.rule != "" && !slices.Contains(idsOf(found), want.rule) {
				t.Errorf("%s is not told: %v", want.rule, idsOf(found))
			}
		})
	}
}
