package plugin

import (
	"cmp"
	"math"
	"path"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/toolwarrant/toolwarrant/internal/canon"
)

// doubt tells what the format lets pass and other readers may see otherwise.
func (c *container) doubt() {
	c.doubtEnding()
	c.doubtSpans()
	for _, e := range c.entries {
		c.doubtLocal(e)
		c.doubtKind(e)
		c.doubtName(e.name)
	}
	c.doubtTwins()
}

func (c *container) doubtEnding() {
	say := func(format string, args ...any) { c.doubts.add(ruleAmbiguous, "", format, args...) }
	e := c.end
	if n := int64(len(c.data)) - e.after; n > 0 {
		say("%d bytes lie behind the end of the archive", n)
	}
	if e.comment > 0 {
		say("it has a comment of %d bytes, which nothing covers", e.comment)
	}
	if e.disks {
		say("its end record speaks of several disks")
	}
	if e.wide {
		say("it has a 64-bit end record, which an archive of this size does not need")
	}
	if e.count != uint64(len(c.entries)) {
		say("its end record counts %d entries, and %d are there", e.count, len(c.entries))
	}
	if c.after-e.start() != int64(e.size) {
		say("its directory has another length than the end record says")
	}
}

// doubtSpans wants the archive to be its entries, one behind the other, then the
// directory, then the end record, and nothing between.
func (c *container) doubtSpans() {
	spans := slices.SortedFunc(slices.Values(c.spans), func(a, b span) int { return cmp.Compare(a.from, b.from) })
	at := int64(0)
	for _, s := range spans {
		switch {
		case s.from < at:
			c.doubts.add(ruleAmbiguous, s.entry.name, "it overlaps the entry before it")
		case s.from > at && at == 0:
			c.doubts.add(ruleAmbiguous, "", "%d bytes lie before the first entry", s.from)
		case s.from > at:
			c.doubts.add(ruleAmbiguous, s.entry.name, "%d bytes lie between it and the entry before it", s.from-at)
		}
		at = max(at, s.to)
	}
	switch start := c.end.start(); {
	case at > start:
		c.doubts.add(ruleAmbiguous, "", "an entry overlaps the directory")
	case at < start:
		c.doubts.add(ruleAmbiguous, "", "%d bytes lie between the last entry and the directory", start-at)
	}
	gap := c.end.record - c.after
	if c.end.wide {
		gap += c.end.at - c.end.record - end64Length - locatorLength
	}
	if gap != 0 {
		c.doubts.add(ruleAmbiguous, "", "%d bytes lie between the directory and the end record", gap)
	}
}

// doubtLocal holds the local header of an entry against the directory.
func (c *container) doubtLocal(e entry) {
	local := c.data[e.at:]
	name, extra := int(little.Uint16(local[26:])), int(little.Uint16(local[28:]))
	if len(local) < localLength+name+extra {
		c.doubts.add(ruleAmbiguous, e.name, "its header runs over the end of the archive")
		return
	}
	if other := string(local[localLength : localLength+name]); other != e.name {
		c.doubts.add(ruleAmbiguous, e.name, "its own header calls it %s", quote(other))
	}
	var differs []string
	note := func(what string, same bool) {
		if !same {
			differs = append(differs, what)
		}
	}
	flags := little.Uint16(local[6:])
	const telling = flagEncrypted | flagDescriptor | flagStrong | flagUTF8 | flagMasked
	note("flags", flags&telling == e.flags&telling)
	note("packing", little.Uint16(local[8:]) == e.method)
	later := flags&flagDescriptor != 0 // then they may be left out here
	number := func(at int, want uint32) bool { v := little.Uint32(local[at:]); return v == want || later && v == 0 }
	note("checksum", number(14, e.crc))
	note("packed length", e.wide || number(18, e.short[0]))
	note("length", e.wide || number(22, e.short[1]))
	if len(differs) > 0 {
		c.doubts.add(ruleAmbiguous, e.name, "its own header and the directory disagree on %s", strings.Join(differs, ", "))
	}
	c.doubtExtra(e, local[localLength+name:localLength+name+extra])
}

// doubtExtra looks for names in the extra parts of both headers, which some
// readers prefer.
func (c *container) doubtExtra(e entry, local []byte) {
	for _, extra := range [][]byte{e.extra, local} {
		extraFields(extra, func(id uint16, field []byte) bool {
			if id == unicodePathField && len(field) > 5 && string(field[5:]) != e.name {
				c.doubts.add(ruleAmbiguous, e.name, "an extra field calls it %s", quote(string(field[5:])))
			}
			return true
		})
	}
}

func (c *container) doubtKind(e entry) {
	if e.flags&(flagEncrypted|flagStrong|flagMasked) != 0 {
		c.doubts.add(ruleAmbiguous, e.name, "it is marked as encrypted and is not")
	}
	mode, unix := e.mode()
	if kind := mode & unixKind; unix && kind != 0 && kind != unixFile {
		c.doubts.add(ruleAmbiguous, e.name, "it is marked as a device, a pipe or a socket")
	}
	if unix && mode&unixSticky != 0 {
		c.doubts.add(ruleAmbiguous, e.name, "it is marked to run as another user")
	}
	if e.disk != 0 && e.disk != math.MaxUint16 {
		c.doubts.add(ruleAmbiguous, e.name, "it is said to lie on another disk")
	}
	if e.wide {
		c.doubts.add(ruleAmbiguous, e.name, "it has 64-bit sizes, which an archive of this size does not need")
	}
}

// devices are names that Windows keeps for itself, with any extension.
var devices = []string{"con", "prn", "aux", "nul", "com1", "com2", "com3", "com4", "com5", "com6", "com7", "com8", "com9",
	"lpt1", "lpt2", "lpt3", "lpt4", "lpt5", "lpt6", "lpt7", "lpt8", "lpt9", "conin$", "conout$"}

// doubtName tells of names that a file system reads otherwise than this package.
func (c *container) doubtName(name string) {
	say := func(text string) { c.doubts.add(ruleFileName, name, "%s", text) }
	switch {
	case !utf8.ValidString(name):
		say("its name is not UTF-8")
	case strings.ContainsFunc(name, func(r rune) bool { return r != ' ' && !canon.Shows(r) }):
		say("its name holds characters that do not show")
	}
	for _, part := range strings.Split(name, "/") {
		stem, _, _ := strings.Cut(strings.ToLower(part), ".")
		switch {
		case strings.ContainsAny(part, `:*?"<>|`), strings.TrimRight(part, ". ") != part, slices.Contains(devices, strings.TrimSpace(stem)):
			say("Windows reads its name as another one")
			return
		}
	}
}

// doubtTwins tells of entries that fall together where case is folded or accents
// are spelt in one way, and of files that are folders of others.
func (c *container) doubtTwins() {
	folded, bare := map[string]string{}, map[string]string{}
	for _, e := range c.entries {
		low := fold(e.name)
		if other, ok := folded[low]; ok {
			c.doubts.add(ruleFileName, e.name, "where case is folded it is the same file as %s", quote(other))
		}
		folded[low] = e.name
		if rest, marks := unaccented(low); !marks && rest != low {
			bare[rest] = e.name
		}
	}
	for _, e := range c.entries {
		rest, marks := unaccented(fold(e.name))
		if other, ok := bare[rest]; ok && marks {
			c.doubts.add(ruleFileName, e.name, "where accents are spelt in one way it may be the same file as %s", quote(other))
		}
		for dir := path.Dir(fold(e.name)); dir != "."; dir = path.Dir(dir) {
			if other, ok := folded[dir]; ok {
				c.doubts.add(ruleFileName, e.name, "it lies below %s, which is a file", quote(other))
			}
		}
	}
}

// fold is a name without the difference of case.
func fold(name string) string { return strings.ToLower(strings.ToUpper(name)) }

// unaccented is what is left of a name without its characters outside of ASCII
// and the letters that combining marks stand on, and whether there were marks: a
// letter with an accent and the same in two characters leave the same.
func unaccented(name string) (string, bool) {
	var rest []rune
	marks := false
	for _, r := range name {
		switch {
		case unicode.Is(unicode.M, r), conjoining(r):
			marks = true
			if n := len(rest); n > 0 && rest[n-1] != '/' {
				rest = rest[:n-1]
			}
		default:
			rest = append(rest, r)
		}
	}
	return strings.Map(func(r rune) rune {
		if r > unicode.MaxASCII {
			return -1
		}
		return r
	}, string(rest)), marks
}

// conjoining are the parts that Hangul syllables are made of, past the first.
func conjoining(r rune) bool { return r >= 0x1160 && r <= 0x11ff }
