package surface

import (
	"encoding/json"
	"fmt"
	"math/rand"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// annotations are objects that a server may grade itself with.
var annotations = []string{
	`{}`, `null`, `[]`, `"read-only"`, `{"title":"Read things"}`, `{"title":"Run a shell command"}`,
	`{"readOnlyHint":true}`, `{"readOnlyHint":false}`, `{"destructiveHint":true}`, `{"destructiveHint":false}`,
	`{"readOnlyHint":true,"destructiveHint":false,"idempotentHint":true,"openWorldHint":false}`,
	`{"readOnlyHint":false,"destructiveHint":true,"idempotentHint":false,"openWorldHint":true}`,
	`{"readOnlyHint":"true","destructiveHint":0,"unknown":{"a":[1]}}`,
}

// TestAnnotationsNeverLower: whatever the server claims, everything inferred
// without the claim is still inferred, and no less surely.
func TestAnnotationsNeverLower(t *testing.T) {
	for _, c := range classified {
		checkNeverLower(t, declare(c.name, c.about, c.params...))
	}
}

func checkNeverLower(t *testing.T, raw json.RawMessage) {
	t.Helper()
	var m map[string]json.RawMessage
	if json.Unmarshal(raw, &m) != nil || m == nil {
		return
	}
	delete(m, "annotations")
	without := Classify(remarshal(m))
	for _, a := range annotations {
		m["annotations"] = json.RawMessage(a)
		with := Classify(remarshal(m))
		for _, inf := range without.Inferences {
			i := slices.IndexFunc(with.Inferences, func(w Inference) bool { return w.Capability == inf.Capability })
			if i < 0 || weight(with.Inferences[i].Confidence) < weight(inf.Confidence) {
				t.Errorf("annotations %s lower %s of %s", a, inf.Capability, raw)
			}
		}
	}
}

func remarshal(m map[string]json.RawMessage) json.RawMessage {
	raw, err := json.Marshal(m)
	if err != nil {
		panic(err)
	}
	return raw
}

func TestHints(t *testing.T) {
	for _, c := range []struct {
		name, about, hints, want string
		contradicts              bool
		notes                    int
	}{
		{"run_command", "Run a command", `{"readOnlyHint":true}`, "exec", true, 0},
		{"read_file", "Read a file", `{"readOnlyHint":true}`, "fs.read", false, 0},
		{"get_env", "Returns the environment variables", `{"readOnlyHint":true}`, "credentials", false, 0},
		{"delete_file", "Delete a file", `{"destructiveHint":false}`, "destructive fs.write", true, 0},
		{"update_row", "Update a row", `{"destructiveHint":true}`, "destructive service.write", false, 0},
		{"create_row", "Create a row", `{"destructiveHint":true}`, "service.write", false, 1},
		{"frobnicate", "Makes it better", `{"destructiveHint":true}`, "destructive", false, 0},
		{"frobnicate", "Makes it better", `{"readOnlyHint":true}`, "unknown", false, 0},
		{"list_rows", "List the rows", `{"readOnlyHint":true,"destructiveHint":true}`, "service.read", false, 1},
	} {
		var m map[string]json.RawMessage
		if err := json.Unmarshal(declare(c.name, c.about), &m); err != nil {
			t.Fatal(err)
		}
		m["annotations"] = json.RawMessage(c.hints)
		v := Classify(remarshal(m))
		if join(v.Capabilities()) != c.want || (v.Contradiction != "") != c.contradicts || len(v.Notes) != c.notes {
			t.Errorf("%s with %s: %v, %q, %q", c.name, c.hints, v.Capabilities(), v.Contradiction, v.Notes)
		}
	}
}

// TestZeroValues: nothing known is unknown, never harmless.
func TestZeroValues(t *testing.T) {
	if got := (Verdict{}).Capabilities(); !slices.Equal(got, []Capability{Unknown}) {
		t.Errorf("the zero Verdict says %v", got)
	}
	if got := Classify(nil).Capabilities(); !slices.Equal(got, []Capability{Unknown}) {
		t.Errorf("no tool says %v", got)
	}
	if (Surface{}).Complete() || (List{}).State != Unread {
		t.Error("the zero Surface counts as read")
	}
	if len(Cues("", "", nil)) != 0 {
		t.Error("no text has a cue")
	}
}

// TestOrder: the order of members, and everything else that JSON leaves open,
// changes nothing.
func TestOrder(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	for _, c := range classified {
		raw := declare(c.name, c.about, c.params...)
		want := Classify(raw)
		for range 4 {
			var v any
			if err := json.Unmarshal(raw, &v); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, Classify(json.RawMessage(shuffled(r, v)))); diff != "" {
				t.Errorf("%s: %s", c.name, diff)
			}
		}
	}
}

// shuffled prints v with its members in any order and blanks between them.
func shuffled(r *rand.Rand, v any) string {
	m, ok := v.(map[string]any)
	if !ok {
		raw, _ := json.Marshal(v)
		return string(raw)
	}
	var parts []string
	for k, e := range m {
		parts = append(parts, fmt.Sprintf("%s : %s", strconv.Quote(k), shuffled(r, e)))
	}
	slices.Sort(parts)
	r.Shuffle(len(parts), func(i, j int) { parts[i], parts[j] = parts[j], parts[i] })
	return "{\n" + strings.Join(parts, " , ") + "}"
}

func FuzzClassify(f *testing.F) {
	for _, c := range classified {
		f.Add([]byte(declare(c.name, c.about, c.params...)))
	}
	f.Add([]byte(`{"name":"x","inputSchema":{"oneOf":[{"properties":{"a.b":{"description":"Path to save to"},"":{},"\"]":{}}}]}}`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		v := Classify(raw)
		if diff := cmp.Diff(v, Classify(raw)); diff != "" {
			t.Errorf("two readings differ: %s", diff)
		}
		var tool any
		if json.Unmarshal(raw, &tool) != nil {
			return
		}
		for _, inf := range v.Inferences {
			for _, e := range inf.Evidence {
				if !exists(tool, e.Path) {
					t.Errorf("evidence at %q, which is not there", e.Path)
				}
			}
		}
		checkNeverLower(t, raw)
	})
}

// exists follows an evidence path: .member, ["member"] and [index].
func exists(v any, path string) bool {
	for path != "" {
		var step string
		switch {
		case strings.HasPrefix(path, `["`):
			q, err := strconv.QuotedPrefix(path[1:])
			if err != nil {
				return false
			}
			step, _ = strconv.Unquote(q)
			path = path[1+len(q)+1:]
		case path[0] == '[':
			end := strings.IndexByte(path, ']')
			i, err := strconv.Atoi(path[1:end])
			list, ok := v.([]any)
			if err != nil || !ok || i >= len(list) {
				return false
			}
			v, path = list[i], path[end+1:]
			continue
		default:
			path = strings.TrimPrefix(path, ".")
			end := strings.IndexAny(path, ".[")
			if end < 0 {
				end = len(path)
			}
			step, path = path[:end], path[end:]
		}
		m, ok := v.(map[string]any)
		if !ok {
			return false
		}
		if v, ok = m[step]; !ok {
			return false
		}
	}
	return true
}

func BenchmarkClassify(b *testing.B) {
	tools := synthetic(10_000)
	size := 0
	for _, t := range tools {
		size += len(t)
	}
	b.SetBytes(int64(size / len(tools)))
	for i := 0; b.Loop(); i++ {
		Classify(tools[i%len(tools)])
	}
}

// synthetic makes tools of the size of real ones: some 1,000 bytes, five
// parameters with a description each.
func synthetic(n int) []json.RawMessage {
	verbs := []string{"get", "create", "delete", "run", "send", "search"}
	nouns := []string{"file", "issue", "command", "message", "page", "thing"}
	out := make([]json.RawMessage, n)
	for i := range out {
		v, o := verbs[i%len(verbs)], nouns[i/len(verbs)%len(nouns)]
		about := fmt.Sprintf("%s a %s number %d. ", v, o, i) + strings.Repeat("It takes care of paging, filters and time zones. ", 6)
		out[i] = declare(v+"_"+o, about, "path:The path of the item", "url(uri):Where it is", "limit:How many to return at most",
			"query:What to look for in the text", "dry_run?:Only show what would be done")
	}
	return out
}
