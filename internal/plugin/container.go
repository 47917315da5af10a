package plugin

import (
	"strings"
)

// container is an opened archive.
type container struct {
	data    []byte
	end     ending
	entries []entry
	after   int64 // behind the last entry of the directory
	files   map[string][]byte
	sums    map[string]string // SHA-256 of each in hex, taken while it is in the cache
	total   int
	spans   []span
	doubts  *doubts
}

// open reads the directory of an archive and every entry.
func open(data []byte, d *doubts) (*container, *Problem) {
	c := &container{data: data, files: map[string][]byte{}, sums: map[string]string{}, doubts: d}
	if len(data) < 1 || len(data) > MaxArchive {
		return c, tooLarge()
	}
	var p *Problem
	if c.end, p = findEnding(data); p != nil {
		return c, p
	}
	if p := c.list(); p != nil {
		return c, p
	}
	in := newInflater()
	for _, e := range c.entries {
		if p := c.take(e, in); p != nil {
			return c, p
		}
	}
	c.doubt()
	return c, nil
}

// list reads the directory. Its length is not believed: entries count until
// none follows, and only the low 16 bits of the number are held against it.
func (c *container) list() *Problem {
	at := c.end.start()
	for {
		e, next, state := readCentral(c.data, at)
		if state == headerGone {
			return wrong(ruleUnsafe, "", "the directory runs into the end of the archive")
		}
		if state == headerEnds {
			break
		}
		if c.entries = append(c.entries, e); len(c.entries) > maxEntries {
			break
		}
		c.entries[len(c.entries)-1].at += c.end.base
		at = next
	}
	c.after = at
	switch n := len(c.entries); {
	case n > maxEntries:
		return wrong(ruleUnsafe, "", "it has more than %d entries", maxEntries)
	case uint16(n) != uint16(c.end.count):
		return wrong(ruleUnsafe, "", "the end record counts %d entries, and %d are there", c.end.count, n)
	case n == 0:
		return wrong(ruleUnsafe, "", "it holds no entry")
	}
	return nil
}

// take judges an entry by its name and kind, and reads it.
func (c *container) take(e entry, in *inflater) *Problem {
	if p := e.judge(); p != nil {
		return p
	}
	if _, twice := c.files[e.name]; twice {
		return wrong(ruleUnsafe, e.name, "the archive holds it twice")
	}
	content, p := c.read(e, in)
	if p != nil {
		return p
	}
	c.total += len(content)
	c.files[e.name], c.sums[e.name] = content, sum(content)
	return nil
}

// The kinds of entries that Unix knows (st_mode), and the MS-DOS bit of folders.
const (
	unixKind   = 0o170000
	unixFolder = 0o040000
	unixLink   = 0o120000
	unixFile   = 0o100000
	unixSticky = 0o7000 // setuid, setgid, sticky
	dosFolder  = 0x10
)

// mode is the Unix mode of an entry that has one: made on Unix or macOS.
func (e entry) mode() (uint32, bool) {
	host := e.creator >> 8
	return e.attributes >> 16, host == 3 || host == 19
}

// dos reports whether the attributes are those of MS-DOS and its heirs.
func (e entry) dos() bool {
	host := e.creator >> 8
	return host == 0 || host == 11 || host == 14
}

func (e entry) judge() *Problem {
	mode, unix := e.mode()
	switch {
	case !cleanPath(e.name):
		return wrong(ruleUnsafe, e.name, "its path does not stay inside of a folder, or has more than one spelling")
	case strings.HasSuffix(e.name, "/"), unix && mode&unixKind == unixFolder, e.dos() && e.attributes&dosFolder != 0:
		return wrong(ruleUnsafe, e.name, "it is a folder")
	case unix && mode&unixKind == unixLink:
		return wrong(ruleUnsafe, e.name, "it is a link")
	case unix && mode&0o111 != 0:
		return wrong(ruleUnsafe, e.name, "it may be executed")
	case e.content > maxContent:
		return wrong(ruleUnsafe, e.name, "it claims to hold more than %d bytes", maxContent)
	}
	return nil
}
