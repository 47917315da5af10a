package eval

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/toolwarrant/toolwarrant/internal/surface"
)

// described is what a cue is looked for in.
type described struct{ Name, Description string }

// recorded reads the tools of every recorded surface, by file.
func recorded(t *testing.T) map[string][]described {
	t.Helper()
	files, _ := filepath.Glob(filepath.Join("..", "..", "..", "shared", "surfaces", "*.json"))
	if len(files) == 0 {
		t.Skip("no folder shared beside the repository: nothing to measure")
	}
	out := map[string][]described{}
	for _, f := range files {
		data, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		var s struct{ Lists map[string]json.RawMessage }
		if err := json.Unmarshal(data, &s); err != nil {
			t.Fatal(err)
		}
		var pages []struct{ Tools []described }
		if err := json.Unmarshal(s.Lists["tools/list"], &pages); err != nil {
			continue // a server that lists no tools
		}
		for _, p := range pages {
			out[f] = append(out[f], p.Tools...)
		}
	}
	return out
}

// TestSilence holds the cues against real, honest servers: nothing is
// concealed or hidden there, and no credential file is named.
func TestSilence(t *testing.T) {
	tools, counts := 0, map[surface.CueClass]int{}
	for f, list := range recorded(t) {
		for _, d := range list {
			tools++
			for _, c := range surface.TextCues(d.Description) {
				counts[c.Class]++
				switch c.Class {
				case surface.Concealment, surface.HiddenCharacters, surface.SensitivePath:
					t.Errorf("%s %s: %+v", filepath.Base(f), d.Name, c)
				}
			}
		}
	}
	t.Logf("%d descriptions: %v", tools, counts)
}
