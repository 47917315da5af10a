package tree

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// TestMergeBase holds the answers against git's over a history with a criss-cross.
func TestMergeBase(t *testing.T) {
	s := newScratch(t)
	names := map[string]string{"root": s.commit(nil)}
	branch := func(name, from string) {
		s.git("checkout", "-q", "-B", "work", names[from])
		names[name] = s.commit(nil)
	}
	merge := func(name, one, two string) {
		s.git("checkout", "-q", "-B", "work", names[one])
		s.git("merge", "-q", "--no-ff", "-m", "x", names[two])
		names[name] = s.git("rev-parse", "HEAD")
	}
	branch("a1", "root")
	branch("b1", "root")
	merge("a2", "a1", "b1")
	merge("b2", "b1", "a1")
	branch("a3", "a2")
	branch("b3", "b2")
	s.git("checkout", "-q", "--orphan", "other")
	names["island"] = s.commit(nil)
	both(t, func(t *testing.T, command bool) {
		r := s.open(command)
		for a, one := range names {
			for b, two := range names {
				got, err := r.MergeBase(one, two)
				if (a == "island") != (b == "island") {
					if !errors.Is(err, ErrNoMergeBase) {
						t.Errorf("%s %s: %s, %v", a, b, got, err)
					}
					continue
				}
				want := strings.Fields(s.git("merge-base", "--all", one, two))
				if !slices.Contains(want, got) {
					t.Errorf("%s %s: %s, %v; want one of %v", a, b, got, err, want)
				}
				if contains := must(r.Contains(one, two))(t); contains != slices.Contains(want, one) {
					t.Errorf("Contains(%s, %s): %v", a, b, contains)
				}
			}
		}
		if x, y := must(r.MergeBase(names["a3"], names["b3"]))(t), must(r.MergeBase(names["b3"], names["a3"]))(t); x != y || x != names["b1"] {
			t.Errorf("the newest of several: %s and %s", x, y)
		}
	})
}

// TestDatesDoNotDecide: random histories with dates that mean nothing, against the
// definition.
func TestDatesDoNotDecide(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 60 {
		m := newMemory()
		tree := m.folder(nil)
		ids, above := []string{}, map[string]map[string]bool{} // every ancestor, itself included
		for n := range 16 {
			text, seen := "tree "+tree+"\n", map[string]bool{}
			for range min(n, random.IntN(3)) {
				p := ids[random.IntN(n)]
				text += "parent " + p + "\n"
				for a := range above[p] {
					seen[a] = true
				}
			}
			id := m.add("commit", fmt.Appendf(nil, "%sauthor a <a> 0 +0\ncommitter a <a> %d +0000\n\n%d", text, random.IntN(5), n))
			seen[id] = true
			ids, above[id] = append(ids, id), seen
		}
		r := m.tree(tree).repo
		for _, a := range ids {
			for _, b := range ids {
				check(t, r, above, a, b)
			}
		}
	}
}

func check(t *testing.T, r *Repository, above map[string]map[string]bool, a, b string) {
	t.Helper()
	both := func(id string) bool { return above[a][id] && above[b][id] }
	best := map[string]bool{}
	for id := range above[a] {
		if !both(id) {
			continue
		}
		best[id] = true
		for other := range above[a] {
			if other != id && both(other) && above[other][id] {
				delete(best, id)
				break
			}
		}
	}
	got, err := r.MergeBase(a, b)
	if len(best) == 0 && !errors.Is(err, ErrNoMergeBase) || len(best) > 0 && !best[got] {
		t.Errorf("%s, %v; want one of %v", got, err, best)
	}
	if contains, err := r.Contains(a, b); err != nil || contains != above[b][a] {
		t.Errorf("contains: %v, %v", contains, err)
	}
}
