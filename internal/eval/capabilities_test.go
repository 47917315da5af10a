package eval

import (
	"bufio"
	"encoding/json"
	"flag"
	"hash/fnv"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/toolwarrant/toolwarrant/internal/surface"
)

// labelled is one tool of eval/tools.jsonl: required by both labellers,
// optional by one of them.
type labelled struct {
	Name, Server string
	Labels       struct{ Required, Optional []surface.Capability }
	raw          json.RawMessage
}

// development reports in which half a tool lies. The split is by server, so
// that no half knows the wording of the other's.
func (l labelled) development() bool {
	h := fnv.New32a()
	h.Write([]byte(l.Server))
	return h.Sum32()&1 == 1
}

// load reads the labelled tools, or skips where they are absent.
func load(t *testing.T) []labelled {
	t.Helper()
	f, err := os.Open(filepath.Join("..", "..", "..", "shared", "eval", "tools.jsonl"))
	if err != nil {
		t.Skip("no folder shared beside the repository: nothing to measure")
	}
	defer f.Close()
	var out []labelled
	s := bufio.NewScanner(f)
	s.Buffer(nil, 1<<22)
	for s.Scan() {
		var l labelled
		if err := json.Unmarshal(s.Bytes(), &l); err != nil {
			t.Fatal(err)
		}
		l.raw = bare(t, s.Bytes())
		out = append(out, l)
	}
	return out
}

// bare is the tool as a server sends it, without our own members.
func bare(t *testing.T, line []byte) json.RawMessage {
	t.Helper()
	var m map[string]json.RawMessage
	if err := json.Unmarshal(line, &m); err != nil {
		t.Fatal(err)
	}
	for _, k := range []string{"labels", "server", "version"} {
		delete(m, k)
	}
	raw, err := json.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

// misses shows what is wrong in the development half. There is no flag for the
// other one: who reads its errors has tuned to it.
var misses = flag.Bool("misses", false, "list the errors of the development half")

// tally counts verdicts of one capability, or of several together.
type tally struct{ right, wrong, required, found int }

func (a tally) precision() float64 { return ratio(a.right, a.right+a.wrong) }
func (a tally) recall() float64    { return ratio(a.found, a.required) }

func ratio(a, b int) float64 {
	if b == 0 {
		return 1
	}
	return float64(a) / float64(b)
}

// score is the tallies of one half: by capability, and over all and over the
// elevated ones together (micro averages).
type score struct {
	tools, unknown int
	unlabelled     int // tools with an elevated capability that nobody labelled
	each           map[surface.Capability]*tally
	all, elevated  tally
}

func measure(tools []labelled, development bool) score {
	s := score{each: map[surface.Capability]*tally{}}
	for _, l := range tools {
		if l.development() == development {
			s.add(l, surface.Classify(l.raw).Capabilities())
		}
	}
	return s
}

func (s *score) add(l labelled, got []surface.Capability) {
	s.tools++
	extra := false
	for _, c := range got {
		if c == surface.Unknown {
			s.unknown++
			continue
		}
		ok := slices.Contains(l.Labels.Required, c) || slices.Contains(l.Labels.Optional, c)
		s.count(c, func(t *tally) {
			if ok {
				t.right++
			} else {
				t.wrong++
			}
		})
		extra = extra || !ok && c.Elevated()
	}
	if extra {
		s.unlabelled++
	}
	for _, c := range l.Labels.Required {
		s.count(c, func(t *tally) {
			t.required++
			if slices.Contains(got, c) {
				t.found++
			}
		})
	}
}

func (s *score) count(c surface.Capability, f func(*tally)) {
	if s.each[c] == nil {
		s.each[c] = &tally{}
	}
	f(s.each[c])
	f(&s.all)
	if c.Elevated() {
		f(&s.elevated)
	}
}

func (s score) print(t *testing.T, half string) {
	t.Logf("%s: %d tools, %d unknown, %d with an elevated capability that no labeller gave", half, s.tools, s.unknown, s.unlabelled)
	names := make([]surface.Capability, 0, len(s.each))
	for c := range s.each {
		names = append(names, c)
	}
	slices.Sort(names)
	row := func(name string, a tally) {
		t.Logf("  %-14s precision %.3f (%d of %d)  recall %.3f (%d of %d)", name,
			a.precision(), a.right, a.right+a.wrong, a.recall(), a.found, a.required)
	}
	for _, c := range names {
		row(string(c), *s.each[c])
	}
	row("elevated", s.elevated)
	row("all", s.all)
}

// TestCapabilities prints precision and recall on both halves. A prediction is
// right if one labeller gave it; recall is over what both gave. The floors are
// clearly below what was measured: they catch a broken classifier, they are no
// claim.
func TestCapabilities(t *testing.T) {
	tools := load(t)
	dev, held := measure(tools, true), measure(tools, false)
	dev.print(t, "development")
	held.print(t, "held out")
	if *misses {
		for _, l := range tools {
			if l.development() {
				miss(t, l)
			}
		}
	}
	if dev.all.precision() < 0.88 || dev.all.recall() < 0.88 {
		t.Error("development half below its floor")
	}
	if held.all.precision() < 0.78 || held.all.recall() < 0.78 {
		t.Error("held-out half below its floor")
	}
}

func miss(t *testing.T, l labelled) {
	v := surface.Classify(l.raw)
	got := v.Capabilities()
	var b strings.Builder
	for _, c := range l.Labels.Required {
		if !slices.Contains(got, c) {
			b.WriteString(" -" + string(c))
		}
	}
	for _, inf := range v.Inferences {
		if !slices.Contains(l.Labels.Required, inf.Capability) && !slices.Contains(l.Labels.Optional, inf.Capability) {
			e := inf.Evidence[0]
			b.WriteString(" +" + string(inf.Capability) + " (" + e.Path + ", " + e.Signal + ", " + e.Quote + ")")
		}
	}
	if b.Len() > 0 {
		t.Logf("%s %s:%s", l.Server, l.Name, b.String())
	}
}
