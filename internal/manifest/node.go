package manifest

import "github.com/toolwarrant/toolwarrant/finding"

// kind is the type of a value, the same for every syntax.
type kind uint8

const (
	null kind = iota
	boolean
	number
	text
	list
	object
)

var kindNames = [...]string{"null", "a boolean", "a number", "a string", "a list", "an object"}

func (k kind) String() string { return kindNames[k] }

// node is a value with its place. Every syntax (JSON today) is read into nodes;
// value and place come from the same token, and members that repeat a name are
// kept, because parsers disagree about which of them counts.
type node struct {
	kind    kind
	text    string // a string decoded, a number or boolean as written
	plain   bool   // the string stands in the file as decoded, right behind its quote
	at      finding.Location
	members []member
	items   []node
}

// member is one member of an object.
type member struct {
	name  string
	at    finding.Location
	value node
}

// get returns the last member of that name: the one that hosts use.
func (n node) get(name string) (member, bool) {
	for i := len(n.members) - 1; i >= 0; i-- {
		if n.members[i].name == name {
			return n.members[i], true
		}
	}
	return member{}, false
}

// document is one parsed file.
type document struct {
	root node
	// The first place of each thing that strict readers refuse; zero where the
	// file has none.
	mark, comment, comma finding.Location
}

// syntax reads bytes into a document or says why it cannot.
type syntax func(file string, data []byte) (document, *finding.Finding)
