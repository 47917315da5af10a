package tree

import (
	"cmp"
	"container/heap"
	"errors"
	"slices"
)

// The marks of a commit during a walk from two others.
const (
	ofA    = 1 << iota // reached from the first
	ofB                // reached from the second
	stale              // reached from a common ancestor: it cannot be the best one
	common = ofA | ofB
)

// MergeBase is the best common ancestor of two commits, given by full id: one from
// which no other common ancestor can be reached. Of several (criss-cross merges)
// it is the newest by the committer's date, then the smallest id. The dates order
// the walk and break that tie only: a wrong one changes no answer otherwise.
//
// [ErrNoMergeBase] where they share no history; *[MissingError] where the history
// is cut and what is missing could hold another answer.
func (r *Repository) MergeBase(a, b string) (id string, err error) {
	w, err := r.walk(a, b)
	if err != nil {
		return "", err
	}
	for _, tip := range []string{a, b} {
		if w.marks[tip]&common == common {
			return tip, nil // an ancestor of the other: none can be better
		}
	}
	if err := w.missing(); err != nil {
		return "", err
	}
	best := w.candidates()
	if len(best) > 1 {
		// Whether one of them is an ancestor of another may show further back only.
		if err := w.exhaust(); err != nil {
			return "", err
		}
		best = w.candidates()
	}
	if len(best) == 0 {
		return "", ErrNoMergeBase
	}
	return best[0].id, nil
}

// Contains reports whether the history of commit includes ancestor (a commit
// includes itself); both are full ids. *[MissingError] where the history is cut
// before the answer.
func (r *Repository) Contains(ancestor, commit string) (bool, error) {
	w, err := r.walk(ancestor, commit)
	if err != nil {
		return false, err
	}
	switch {
	case w.marks[ancestor]&ofB != 0:
		return true, nil
	case w.marks[commit]&ofA != 0:
		return false, nil // it is the other way round
	}
	return false, w.missing()
}

// walk marks the ancestors of two commits until every one that is not stale is
// done. A best common ancestor is reached from both sides through commits that are
// not stale, so it is among the candidates then, whatever the dates say.
func (r *Repository) walk(a, b string) (*walk, error) {
	w := &walk{repo: r, commits: map[string]commit{}, marks: map[string]uint8{}, queued: map[string]bool{}}
	for id, mark := range map[string]uint8{a: ofA, b: ofB} {
		if _, err := w.load(id); err != nil {
			return nil, err
		}
		if a == b {
			mark = common
		}
		w.mark(id, mark)
	}
	for w.fresh > 0 && w.marks[a]&common != common && w.marks[b]&common != common {
		if err := w.next(); err != nil {
			return nil, err
		}
	}
	return w, nil
}

// walk is a search back through the history, newest first.
type walk struct {
	repo    *Repository
	commits map[string]commit
	marks   map[string]uint8
	queue   queue
	queued  map[string]bool
	fresh   int   // in the queue and not stale
	cuts    []cut // where the history ends without a root
}

// cut is a commit with a parent that is not here.
type cut struct {
	at  string
	err *MissingError
}

// missing is the first cut that could hide a better answer: behind a common
// ancestor there is none.
func (w *walk) missing() error {
	for _, c := range w.cuts {
		if m := w.marks[c.at]; m&stale == 0 && m&common != common {
			return c.err
		}
	}
	return nil
}

func (w *walk) load(id string) (commit, error) {
	if c, ok := w.commits[id]; ok {
		return c, nil
	}
	c, err := w.repo.commit(id)
	if err == nil {
		w.commits[id] = c
	}
	return c, err
}

// mark adds marks to a commit and queues it where that says something new.
func (w *walk) mark(id string, add uint8) {
	old := w.marks[id]
	now := old | add
	if now == old {
		return
	}
	w.marks[id] = now
	if w.queued[id] && old&stale == 0 {
		w.fresh--
	}
	if !w.queued[id] {
		w.queued[id] = true
		heap.Push(&w.queue, w.commits[id])
	}
	if now&stale == 0 {
		w.fresh++
	}
}

// next hands the marks of the newest commit on to its parents.
func (w *walk) next() error {
	c := heap.Pop(&w.queue).(commit)
	delete(w.queued, c.id)
	marks := w.marks[c.id]
	if marks&stale == 0 {
		w.fresh--
	}
	if marks&common == common {
		marks |= stale
	}
	for _, p := range c.parents {
		_, err := w.load(p)
		if m, ok := errors.AsType[*MissingError](err); ok {
			w.cuts = append(w.cuts, cut{c.id, m})
			continue
		}
		if err != nil {
			return err
		}
		w.mark(p, marks)
	}
	return nil
}

// exhaust goes on to the roots; a history that is cut leaves the question open.
func (w *walk) exhaust() error {
	for len(w.queue) > 0 {
		for _, p := range w.queue[0].parents {
			if _, err := w.load(p); err != nil {
				return err
			}
		}
		if err := w.next(); err != nil {
			return err
		}
	}
	return nil
}

// candidates are the common ancestors that are not known to be stale.
func (w *walk) candidates() []commit {
	var out []commit
	for id, m := range w.marks {
		if m&common == common && m&stale == 0 {
			out = append(out, w.commits[id])
		}
	}
	slices.SortFunc(out, newestFirst)
	return out
}

func newestFirst(a, b commit) int {
	return cmp.Or(cmp.Compare(b.date, a.date), cmp.Compare(a.id, b.id))
}

// queue is a heap of commits, the newest first.
type queue []commit

func (q queue) Len() int           { return len(q) }
func (q queue) Less(i, j int) bool { return newestFirst(q[i], q[j]) < 0 }
func (q queue) Swap(i, j int)      { q[i], q[j] = q[j], q[i] }

// Push adds a commit, for container/heap.
func (q *queue) Push(x any) { *q = append(*q, x.(commit)) }

// Pop takes the last one, for container/heap.
func (q *queue) Pop() any {
	last := len(*q) - 1
	c := (*q)[last]
	*q = (*q)[:last]
	return c
}
