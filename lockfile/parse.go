package lockfile

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/tailscale/hujson"

	"github.com/toolwarrant/toolwarrant/internal/canon"
)

// MaxSize is the most bytes of a lock: ten times the largest answer that a
// server may give is never reached by one that was sealed.
const MaxSize = 160 << 20

// InvalidError says why a lock is not believed, and where. Line and Column
// count from 1, Column in UTF-16 code units.
type InvalidError struct {
	Line, Column int
	Pointer      string // JSON pointer of the offending value
	Reason       string
}

func (e *InvalidError) Error() string {
	return fmt.Sprintf("line %d, column %d: %s", e.Line, e.Column, e.Reason)
}

// Parse reads a lock and recomputes every digest in it. Any mismatch, duplicate
// or unknown member, unknown version, or text in another form than [Entry.Bytes]
// gives is an *InvalidError.
func Parse(data []byte) (Entry, error) {
	p, err := newParser(data)
	if err != nil {
		return Entry{}, err
	}
	return p.entry(data)
}

// newParser reads the JSON of a lock, of whatever kind.
func newParser(data []byte) (parser, error) {
	p := parser{lines: canon.Index(data)}
	if len(data) > MaxSize {
		return p, p.at(0, "", "larger than a lock can be")
	}
	tree, err := canon.Parse(data, canon.LockDepth)
	if ce := (*canon.Error)(nil); errors.As(err, &ce) {
		return p, p.at(ce.Offset, "", string(ce.Reason))
	} else if err != nil {
		return p, p.at(0, "", "unreadable")
	}
	p.tree = &tree
	return p, nil
}

type parser struct {
	tree  *hujson.Value
	lines canon.Lines
}

func (p parser) at(offset int, pointer, reason string) error {
	line, column := p.lines.At(offset)
	return &InvalidError{line, column, pointer, reason}
}

// fail points at the value of pointer, or at the nearest parent that exists.
func (p parser) fail(pointer, format string, args ...any) error {
	for path := pointer; ; path = parent(path) {
		if v := p.tree.Find(path); v != nil {
			return p.at(v.StartOffset, pointer, fmt.Sprintf(format, args...))
		}
	}
}

func parent(pointer string) string {
	for i := len(pointer) - 1; i > 0; i-- {
		if pointer[i] == '/' {
			return pointer[:i]
		}
	}
	return ""
}

func (p parser) entry(data []byte) (Entry, error) {
	top, err := p.members("", data, "lockVersion", "notice", "kind", "name", "places", "launch", "artifact",
		"probe", "server", "tools", "resources", "resourceTemplates", "prompts", "unserved", "surface", "observed", "review")
	if err != nil {
		return Entry{}, err
	}
	if err := p.version(top["lockVersion"]); err != nil {
		return Entry{}, err
	}
	e := Entry{}
	if err := p.labels(top, &e); err != nil {
		return Entry{}, err
	}
	if e.Launch, err = p.launch(top["launch"]); err != nil {
		return Entry{}, err
	}
	if e.Artifact, err = p.artifact(top["artifact"]); err != nil {
		return Entry{}, err
	}
	if e.Read, err = p.read(top); err != nil {
		return Entry{}, err
	}
	if e.Review, err = p.review(top["review"], e); err != nil {
		return e, err
	}
	want, err := e.Bytes()
	return e, p.form(data, want, err)
}

func (p parser) version(data json.RawMessage) error {
	if string(data) != strconv.Itoa(Version) {
		return p.fail("/lockVersion", "lockVersion is not %d: this version of toolwarrant cannot read it", Version)
	}
	return nil
}

// form holds the text against the one that seal writes: one with characters that
// do not show, or laid out otherwise, may read differently from what it says.
func (p parser) form(data, want []byte, err error) error {
	if err != nil {
		return p.at(0, "", "it cannot be written again")
	}
	for i := range data {
		if i >= len(want) || data[i] != want[i] {
			return p.at(i, "", "not in the form that seal writes")
		}
	}
	if len(data) < len(want) {
		return p.at(len(data), "", "not in the form that seal writes")
	}
	return nil
}

func (p parser) labels(top map[string]json.RawMessage, e *Entry) error {
	notice := ""
	for _, m := range []struct {
		name string
		into any
	}{{"notice", &notice}, {"kind", &e.Kind}, {"name", &e.Name}, {"places", &e.Places}} {
		if err := p.decode("/"+m.name, top[m.name], m.into); err != nil {
			return err
		}
	}
	switch {
	case e.Kind != "server":
		return p.fail("/kind", "kind is not \"server\"")
	case e.Name == "":
		return p.fail("/name", "name is empty")
	case notice != Notice:
		return p.fail("/notice", "the notice is not the one that every lock carries")
	case !slices.IsSorted(e.Places):
		return p.fail("/places", "places are not sorted")
	}
	return nil
}

func (p parser) launch(data json.RawMessage) (Launch, error) {
	const at = "/launch"
	var l Launch
	members, err := p.members(at, data, "transport", "argv", "env", "dir", "envFile", "url", "headers", "helper", "digest")
	if err != nil {
		return l, err
	}
	for _, m := range []string{"env", "headers"} {
		if err := p.variables(at+"/"+m, members[m]); err != nil {
			return l, err
		}
	}
	if err := p.decode(at, data, &l); err != nil {
		return l, err
	}
	sealed, err := l.Seal()
	if err != nil || sealed.Digest != l.Digest {
		return l, p.fail(at+"/digest", "the launch does not have this digest: it was edited by hand")
	}
	return l, nil
}

func (p parser) variables(at string, data json.RawMessage) error {
	if data == nil {
		return nil
	}
	var names map[string]json.RawMessage
	if err := p.decode(at, data, &names); err != nil {
		return err
	}
	for name, v := range names {
		if _, err := p.members(at+"/"+escapePointer(name), v, "ref", "literal", "value"); err != nil {
			return err
		}
	}
	return nil
}

func (p parser) review(data json.RawMessage, e Entry) (Review, error) {
	const at = "/review"
	var r Review
	if _, err := p.members(at, data, "state", "launch", "surface", "by"); err != nil {
		return r, err
	}
	if err := p.decode(at, data, &r); err != nil {
		return r, err
	}
	switch {
	case !slices.Contains([]State{LaunchApproved, Approved, Disabled, Revoked}, r.State):
		return r, p.fail(at+"/state", "not a review state")
	case r.Launch != e.Launch.Digest:
		return r, p.fail(at+"/launch", "what was reviewed is another launch")
	case r.State == Approved && e.Read == nil:
		return r, p.fail(at+"/state", "approved without a surface")
	case r.State == Approved && r.Surface != e.Read.Surface:
		return r, p.fail(at+"/surface", "what was reviewed is another surface")
	}
	return r, nil
}

// members splits an object and refuses names that are not allowed. Comparing
// names exactly matters: encoding/json folds case.
func (p parser) members(pointer string, data json.RawMessage, allowed ...string) (map[string]json.RawMessage, error) {
	if data == nil {
		return nil, p.fail(pointer, "%s is missing", pointer[1:])
	}
	var out map[string]json.RawMessage
	if err := json.Unmarshal(data, &out); err != nil || out == nil {
		return nil, p.fail(pointer, "not an object")
	}
	for name := range out {
		if !slices.Contains(allowed, name) {
			return nil, p.fail(pointer+"/"+escapePointer(name), "an unknown member")
		}
	}
	return out, nil
}

func (p parser) decode(pointer string, data json.RawMessage, into any) error {
	if data == nil {
		return p.fail(pointer, "%s is missing", pointer[1:])
	}
	if err := json.Unmarshal(data, into); err != nil {
		return p.fail(pointer, "not of the type that a lock has here")
	}
	return nil
}

// Position is the line and column (from 1, UTF-16) of a JSON pointer in a lock
// that parsed, or of its nearest parent.
func Position(data []byte, pointer string) (line, column int) {
	tree, err := canon.Parse(data, canon.LockDepth)
	if err != nil {
		return 1, 1
	}
	for {
		if v := tree.Find(pointer); v != nil {
			return canon.Index(data).At(v.StartOffset)
		}
		pointer = parent(pointer)
	}
}
