package toolwarrant_test

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

// manifests are what hosts of plugins read of our own one.
var manifests = []string{".claude-plugin/plugin.json", ".codex-plugin/plugin.json", ".cursor-plugin/plugin.json", "gemini-extension.json"}

// inert are the members that a manifest of ours may have: none of them runs
// anything, now or when the plugin is enabled.
var inert = []string{"name", "version", "description", "license", "skills", "contextFileName"}

// TestOwnPlugin: the manifests say the same to every host, and declare no hook,
// server or program.
func TestOwnPlugin(t *testing.T) {
	var first map[string]string
	for _, name := range manifests {
		data, err := os.ReadFile(filepath.FromSlash(name))
		if err != nil {
			t.Fatal(err)
		}
		var m map[string]string
		if err := json.Unmarshal(data, &m); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if first == nil {
			first = m
		}
		for _, same := range []string{"name", "version", "description"} {
			if m[same] == "" || m[same] != first[same] {
				t.Errorf("%s: %s is %q, elsewhere %q", name, same, m[same], first[same])
			}
		}
		for member := range maps.Keys(m) {
			if !slices.Contains(inert, member) {
				t.Errorf("%s has %s", name, member)
			}
		}
		for _, path := range []string{m["skills"], m["contextFileName"]} {
			if _, err := os.Stat(filepath.FromSlash(path)); path != "" && err != nil {
				t.Errorf("%s: %s is not there", name, path)
			}
		}
	}
}

// TestOwnSkill: the skill has what every host asks for, brings no tool, command or
// script, stays below 4096 bytes (the bound of plugin.v1), and knows the exit codes.
func TestOwnSkill(t *testing.T) {
	folder := filepath.Join("skills", "toolwarrant")
	data, err := os.ReadFile(filepath.Join(folder, "SKILL.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(data), "---\n")
	front, text, ok := strings.Cut(rest, "\n---\n")
	var m map[string]string
	if err := yaml.Unmarshal([]byte(front), &m); err != nil || !ok {
		t.Fatalf("the front matter: %v", err)
	}
	if got := slices.Sorted(maps.Keys(m)); !slices.Equal(got, []string{"description", "name"}) || m["name"] != "toolwarrant" {
		t.Errorf("the front matter has %v", got)
	}
	if len(data) > 4096 || strings.Contains(text, "!`") {
		t.Errorf("%d bytes, or a command that runs when the skill is loaded", len(data))
	}
	for _, want := range []string{"| 0 |", "| 3 |", "| 4 |", "| 5 | **not verified**", "| 6 |"} {
		if !strings.Contains(text, want) {
			t.Errorf("the skill does not say %q", want)
		}
	}
	if entries, err := os.ReadDir(folder); err != nil || len(entries) != 1 {
		t.Errorf("something lies beside the skill: %v %v", entries, err)
	}
}
