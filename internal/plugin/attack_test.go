package plugin

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"strings"
	"sync"
	"testing"

	"github.com/toolwarrant/toolwarrant/finding"
)

// attack is an archive that somebody may use against a reader, and the rule that
// names it. Those that the format lets pass are rejected by a strict check.
type attack struct {
	name   string
	rule   Rule
	strict bool
	data   []byte
}

// attacks are made once, by the generators below.
var attacks = sync.OnceValue(makeAttacks)

func makeAttacks() []attack {
	var out []attack
	add := func(name string, rule Rule, strict bool, data []byte) {
		out = append(out, attack{name, rule, strict, data})
	}
	pathAttacks(add)
	kindAttacks(add)
	twinAttacks(add)
	headerAttacks(add)
	sizeAttacks(add)
	wideAttacks(add)
	spaceAttacks(add)
	nameAttacks(add)
	listAttacks(add)
	return out
}

type adder func(name string, rule Rule, strict bool, data []byte)

// with is a plugin whose archive is changed before it is written.
func with(b *built, change func(*rawZip)) []byte {
	z := rawOf(b)
	change(z)
	return z.bytes()
}

// on changes one entry of a plain plugin.
func on(name string, change func(*rawEntry)) []byte {
	return with(plain(), func(z *rawZip) { change(z.entry(name)) })
}

const readme = "docs/readme.md"

func pathAttacks(add adder) {
	for _, path := range []string{
		"../evil.md", "docs/../../evil.md", "/etc/evil.md", "./docs/a.md", "docs//a.md", "docs/", "docs/./a.md", `docs\a.md`, `C:\evil.md`, `\\host\share`,
		"..", ".", "", " docs/a.md", "docs/a.md ", "docs/a\x00.md", "docs/a.md\n", "docs/..", "../../../../../etc/cron.d/evil", "docs/a/../b.md",
		"docs/" + strings.Repeat("a", maxPath) + ".md", "\u00a0docs/a.md",
	} {
		add(fmt.Sprintf("path %.30q", path), ruleUnsafe, false, with(plain(), func(z *rawZip) { z.entries = append(z.entries, entryOf(path, []byte("x"))) }))
	}
}

func kindAttacks(add adder) {
	mode := func(m uint32) []byte { return on(readme, func(e *rawEntry) { e.attributes = m << 16 }) }
	add("a link", ruleUnsafe, false, mode(unixLink|0o644))
	add("a folder by its mode", ruleUnsafe, false, mode(unixFolder|0o644))
	add("a folder by its attributes", ruleUnsafe, false, on(readme, func(e *rawEntry) { e.creator, e.attributes = 0, dosFolder }))
	add("a folder from Windows", ruleUnsafe, false, on(readme, func(e *rawEntry) { e.creator, e.attributes = 11<<8, dosFolder }))
	for _, m := range []uint32{0o755, 0o654, 0o645, 0o744, 0o111} {
		add(fmt.Sprintf("executable %o", m), ruleUnsafe, false, mode(unixFile|m))
	}
	add("executable from macOS", ruleUnsafe, false, on(readme, func(e *rawEntry) { e.creator, e.attributes = 19<<8, (unixFile|0o755)<<16 }))
	for name, kind := range map[string]uint32{"a block device": 0o060000, "a character device": 0o020000, "a pipe": 0o010000, "a socket": 0o140000} {
		add(name, ruleAmbiguous, true, mode(kind|0o644))
	}
	for name, bit := range map[string]uint32{"setuid": 0o4000, "setgid": 0o2000, "sticky": 0o1000} {
		add(name, ruleAmbiguous, true, mode(unixFile|bit|0o644))
	}
}

func twinAttacks(add adder) {
	twice := func(name string) []byte {
		b := plain()
		b.key = testKey()
		return with(b, func(z *rawZip) { z.entries = append(z.entries, *z.entry(name)) })
	}
	for _, name := range []string{readme, manifestName, signatureName} {
		add("twice: "+name, ruleUnsafe, false, twice(name))
	}
	add("case twins", ruleFileName, true, plain().file("docs/README.md", "other").zip())
	add("case twins outside of ASCII", ruleFileName, true, plain().file("docs/ä.md", "a").file("docs/Ä.md", "b").zip())
	add("Kelvin and k", ruleFileName, true, plain().file("docs/k.md", "a").file("docs/\u212a.md", "b").zip())
	add("Unicode twins", ruleFileName, true, plain().file("docs/\u00e9.md", "a").file("docs/e\u0301.md", "b").zip())
	add("a file below a file", ruleFileName, true, plain().file("docs/readme.md/more.md", "a").zip())
}

func headerAttacks(add adder) {
	doubt := func(name string, change func(*rawEntry)) { add(name, ruleAmbiguous, true, on(readme, change)) }
	doubt("another name in its own header", func(e *rawEntry) { e.local = "docs/README.sh" })
	doubt("a longer name in its own header", func(e *rawEntry) { e.local = "../../" + readme })
	doubt("another checksum in its own header", func(e *rawEntry) { e.lcrc++ })
	doubt("another length in its own header", func(e *rawEntry) { e.lsize = 1 << 30 })
	doubt("another packed length in its own header", func(e *rawEntry) { e.lpacked-- })
	doubt("encrypted in its own header", func(e *rawEntry) { e.lflags = flagEncrypted })
	doubt("encrypted in the directory", func(e *rawEntry) { e.flags = flagEncrypted })
	doubt("encrypted in both", func(e *rawEntry) { e.flags, e.lflags = flagEncrypted, flagEncrypted })
	doubt("masked headers", func(e *rawEntry) { e.flags, e.lflags = flagMasked, flagMasked })
	doubt("UTF-8 in one header", func(e *rawEntry) { e.flags = flagUTF8 })
	doubt("a descriptor in its own header alone", func(e *rawEntry) { e.lflags, e.after = flagDescriptor, descriptor(e.crc, e.packed, e.size, true) })
	doubt("a name in an extra field", func(e *rawEntry) { e.extra = field(unicodePathField, append([]byte{1, 0, 0, 0, 0}, "evil.sh"...)) })
	doubt("a name in an extra field of its own header", func(e *rawEntry) { e.lextra = field(unicodePathField, append([]byte{1, 0, 0, 0, 0}, "evil.sh"...)) })
	doubt("on another disk", func(e *rawEntry) { e.disk = 3 })
	doubt("no checksum", func(e *rawEntry) { e.crc, e.lcrc = 0, 0 })
	doubt("a descriptor with other sizes", func(e *rawEntry) {
		e.flags, e.lflags, e.after = flagDescriptor, flagDescriptor, descriptor(e.crc, e.packed+1, e.size, true)
	})
	unsafe := func(name string, change func(*rawEntry)) { add(name, ruleUnsafe, false, on(readme, change)) }
	unsafe("a descriptor with another checksum", func(e *rawEntry) {
		e.flags, e.lflags, e.after = flagDescriptor, flagDescriptor, descriptor(e.crc+1, e.packed, e.size, true)
	})
	unsafe("a wrong checksum", func(e *rawEntry) { e.crc++ })
	unsafe("its header is elsewhere", func(e *rawEntry) { e.at = 7 })
	unsafe("its header is behind the end", func(e *rawEntry) { e.at = 1 << 30 })
	unsafe("no header at all", func(e *rawEntry) { e.absent = true })
	for _, method := range []uint16{1, 6, 9, 12, 14, 93, 95, 99} {
		unsafe(fmt.Sprintf("packed by method %d", method), func(e *rawEntry) { e.method = method })
	}
}

func sizeAttacks(add adder) {
	unsafe := func(name string, change func(*rawEntry)) { add(name, ruleUnsafe, false, on(readme, change)) }
	unsafe("a length too small", func(e *rawEntry) { e.size-- })
	unsafe("a length too large", func(e *rawEntry) { e.size++ })
	unsafe("a packed length too small", func(e *rawEntry) { e.packed -= 2 })
	unsafe("200 MB claimed", func(e *rawEntry) { e.size = 200 << 20 })
	unsafe("4 GB claimed", func(e *rawEntry) { e.size = math.MaxUint32 })
	unsafe("a byte too many claimed", func(e *rawEntry) { e.size = maxContent + 1 })
	unsafe("a stream that ends early", func(e *rawEntry) { e.body = e.body[:len(e.body)-2] })
	unsafe("a stream that is none", func(e *rawEntry) { e.body = bytes.Repeat([]byte{0xff}, len(e.body)) })
	add("more in all than the format allows", ruleUnsafe, false, plain().file("docs/a.md", strings.Repeat("a", 5<<20)).file("docs/b.md", strings.Repeat("b", 4<<20)).zip())
	add("a bomb that inflates to more than it says", ruleUnsafe, false, with(plain().file("docs/a.md", strings.Repeat("a", 16<<20)), func(z *rawZip) {
		z.entry("docs/a.md").size = maxContent - 4096
	}))
	add("1000 to 1", ruleHighRatio, true, plain().file("docs/a.md", strings.Repeat("a", 1<<20)).zip())
	add("an archive too large", ruleUnsafe, false, with(plain(), func(z *rawZip) { z.prefix = make([]byte, MaxArchive) }))
	many := plain()
	for i := range maxEntries {
		many.file(fmt.Sprintf("docs/%d.md", i), "x")
	}
	add("too many entries", ruleUnsafe, false, many.zip())
	count := func(n uint16) []byte {
		return with(plain(), func(z *rawZip) {
			z.end = func(b []byte) []byte { binary.LittleEndian.PutUint16(b[10:], n); return b }
		})
	}
	add("a count too small", ruleUnsafe, false, count(1))
	add("a count too large", ruleUnsafe, false, count(9))
	add("no entries", ruleUnsafe, false, packed(nil))
}

// wideEnd is a 64-bit end record and its locator.
func wideEnd(size, count, at, self uint64) []byte {
	le := binary.LittleEndian
	b := le.AppendUint32(nil, end64Mark)
	b = append(b, numbers(44)...)
	b = append(b, 45, 0, 45, 0, 0, 0, 0, 0, 0, 0, 0, 0)
	b = append(b, numbers(count, count, size, at)...)
	b = le.AppendUint32(b, locatorMark)
	b = append(append(b, 0, 0, 0, 0), numbers(self)...)
	return append(b, 1, 0, 0, 0)
}

func wideAttacks(add adder) {
	full := func(b []byte) []byte { binary.LittleEndian.PutUint32(b[16:], math.MaxUint32); return b }
	end := func(change func(size, count, at, self uint64) []byte) []byte {
		return with(plain(), func(z *rawZip) {
			z.end = full
			z.wide = func(at, size, count int) []byte {
				return change(uint64(size), uint64(count), uint64(at), uint64(at+size))
			}
		})
	}
	add("a 64-bit end record that nothing needs", ruleAmbiguous, true, end(wideEnd))
	add("a 64-bit count that wraps", ruleAmbiguous, true, end(func(s, c, a, me uint64) []byte { return wideEnd(s, c+1<<16, a, me) }))
	add("a 64-bit count that lies", ruleUnsafe, false, end(func(s, c, a, me uint64) []byte { return wideEnd(s, c+1, a, me) }))
	add("a 64-bit directory beyond the end", ruleUnsafe, false, end(func(s, c, a, me uint64) []byte { return wideEnd(1<<40, c, a, me) }))
	add("a 64-bit directory below zero", ruleUnsafe, false, end(func(s, c, a, me uint64) []byte { return wideEnd(1<<63, c, 1<<63, me) }))
	add("a locator that leads nowhere", ruleUnsafe, false, end(func(s, c, a, me uint64) []byte { return wideEnd(s, c, a, 1<<40) }))
	add("a locator to something else", ruleUnsafe, false, end(func(s, c, a, me uint64) []byte { return wideEnd(s, c, a, 0) }))
	add("no 64-bit end record where one has to be", ruleUnsafe, false, with(plain(), func(z *rawZip) { z.end = full }))
	wide := func(name string, rule Rule, strict bool, change func(*rawEntry)) {
		add(name, rule, strict, on(readme, change))
	}
	wide("a 64-bit length of a terabyte", ruleUnsafe, false, func(e *rawEntry) { e.size, e.extra = math.MaxUint32, field(wideField, numbers(1<<40)) })
	wide("a 64-bit packed length below zero", ruleUnsafe, false, func(e *rawEntry) {
		e.packed, e.flags, e.lflags, e.extra = math.MaxUint32, flagDescriptor, flagDescriptor, field(wideField, numbers(1<<63))
	})
	wide("a 64-bit place below zero", ruleUnsafe, false, func(e *rawEntry) { e.at, e.extra = math.MaxUint32, field(wideField, numbers(1<<63)) })
	wide("a 64-bit field cut short", ruleUnsafe, false, func(e *rawEntry) { e.size, e.extra = math.MaxUint32, field(wideField, []byte{1, 2, 3}) })
	wide("a 64-bit place that is missing", ruleUnsafe, false, func(e *rawEntry) { e.at = math.MaxUint32 })
	wide("64-bit sizes that nothing needs", ruleAmbiguous, true, func(e *rawEntry) {
		e.extra, e.size = field(wideField, numbers(uint64(e.size))), math.MaxUint32
	})
}

func spaceAttacks(add adder) {
	doubt := func(name string, change func(*rawZip)) { add(name, ruleAmbiguous, true, with(plain(), change)) }
	doubt("bytes before the archive", func(z *rawZip) { z.prefix = []byte("#!/bin/sh\nexit\n") })
	doubt("an archive before the archive", func(z *rawZip) { z.prefix = rawOf(plain().set(map[string]any{"id": "other"})).bytes() })
	whole := rawOf(plain()).bytes()
	add("bytes before the archive that shift it", ruleAmbiguous, true, append([]byte("#!/bin/sh\nexit\n"), whole...))
	add("an archive before the archive that shifts it", ruleAmbiguous, true, append(bytes.Clone(whole), whole...))
	doubt("bytes behind the archive", func(z *rawZip) { z.tail = []byte("tail") })
	doubt("a comment", func(z *rawZip) { z.comment = []byte("PK") })
	doubt("bytes between entries", func(z *rawZip) { z.entry(readme).before = []byte("gap") })
	doubt("an entry that no directory lists", func(z *rawZip) {
		e := entryOf("hidden.sh", []byte("x"))
		e.alone = true
		z.entries = append([]rawEntry{e}, z.entries...)
	})
	doubt("bytes behind the packed stream", func(z *rawZip) {
		e := z.entry(readme)
		e.body = append(e.body, "hidden"...)
		e.packed, e.lpacked = e.packed+6, e.lpacked+6
	})
	doubt("bytes before the directory", func(z *rawZip) { z.beforeList = []byte("gap") })
	doubt("several disks", func(z *rawZip) { z.end = func(b []byte) []byte { b[4] = 1; return b } })
	doubt("another count on this disk", func(z *rawZip) { z.end = func(b []byte) []byte { b[8]++; return b } })
	twins := plain().file("docs/a.md", "the same").file("docs/b.md", "the same")
	add("two entries of the same bytes", ruleAmbiguous, true, with(twins, func(z *rawZip) {
		e := z.entry("docs/b.md")
		e.absent, e.found = true, z.entry("docs/a.md").header()
	}))
	add("an entry inside of another", ruleAmbiguous, true, nested())
	doubt("an entry that claims the directory", func(z *rawZip) {
		e := &z.entries[len(z.entries)-1]
		e.packed += 20
	})
	add("a comment cut short", ruleUnsafe, false, with(plain(), func(z *rawZip) { z.end = func(b []byte) []byte { b[20] = 9; return b } }))
	doubt("bytes between directory and end", func(z *rawZip) { z.afterList = []byte("gap") })
	add("no end record", ruleUnsafe, false, rawOf(plain()).bytes()[:200])
	add("nothing", ruleUnsafe, false, nil)
	add("an end record alone, cut", ruleUnsafe, false, []byte("PK\x05\x06"))
}

// nested is an archive with a whole entry in the bytes of another one.
func nested() []byte {
	inner := entryOf("docs/inner.md", []byte("inside"))
	outer := append(inner.header(), inner.body...)
	b := plain().file("skills/extra/SKILL.md", string(outer)).file("docs/inner.md", "inside")
	return with(b, func(z *rawZip) {
		e := z.entry("skills/extra/SKILL.md")
		n := uint32(len(outer))
		e.method, e.body, e.packed, e.lpacked = methodStore, outer, n, n
		in := z.entry("docs/inner.md")
		in.absent, in.found = true, inner.header()
	})
}

func nameAttacks(add adder) {
	for _, name := range []string{
		"docs/a\nb.md", "docs/\x1b[2J.md", "docs/a\u202egnp.md", "docs/a\u200bb.md", "docs/con.md", "docs/COM1.txt.md", "docs/a:b.md", "docs/x./a.md", "docs/x /a.md",
		"docs/a?.md", "docs/::warning::.md",
	} {
		add(fmt.Sprintf("name %q", name), ruleFileName, true, plain().file(name, "x").zip())
	}
	add("a name that is not UTF-8", ruleUnlisted, false, plain().file("docs/\xff.md", "x").zip())
}

func listAttacks(add adder) {
	add("a file that is not listed", ruleUnlisted, false, with(plain(), func(z *rawZip) { z.entries = append(z.entries, entryOf("docs/more.md", []byte("x"))) }))
	add("a program that is not listed", ruleUnlisted, false, with(plain(), func(z *rawZip) { z.entries = append(z.entries, entryOf("install.sh", []byte("x"))) }))
	add("a listed file that is not there", ruleUnlisted, false, with(plain(), func(z *rawZip) { z.entries = z.entries[:len(z.entries)-1] }))
	add("one file for another", ruleUnlisted, false, with(plain(), func(z *rawZip) {
		z.entries = append(z.entries[:len(z.entries)-1], entryOf("docs/more.md", []byte("x")))
	}))
	add("another content", ruleDigest, false, with(plain(), func(z *rawZip) { *z.entry(readme) = entryOf(readme, []byte("# Readm3\n")) }))
	add("another length", ruleDigest, false, with(plain(), func(z *rawZip) { *z.entry(readme) = entryOf(readme, []byte("# Readme\n\n")) }))
	add("a manifest in a folder", ruleManifest, false, with(plain(), func(z *rawZip) {
		e := z.entry(manifestName)
		e.name, e.local = "pkg/plugin.json", "pkg/plugin.json"
	}))
	deep := strings.Repeat("[", 20000) + strings.Repeat("]", 20000)
	add("a deep manifest", ruleManifest, false, plain().set(map[string]any{"capabilities": nestedLists(200)}).zip())
	add("deep interface metadata", ruleContent, false, plain().file("ui/a.json", deep).zip())
	add("a program as an image", ruleContent, false, plain().file("ui/a.png", "\x7fELF").zip())
	add("a script behind an image", rulePolyglot, true, plain().file("ui/a.png", string(onePixel())+"#!/bin/sh\n").zip())
	add("a file that no skill claims", ruleUnclaimed, true, plain().file("skills/extra/SKILL.md", "\x7fELF").zip())
}

func nestedLists(depth int) any {
	var v any = "x"
	for range depth {
		v = []any{v}
	}
	return v
}

// TestAttacks: each is rejected, by the rule that names it; those that the format
// lets pass are told of, and a strict check rejects them.
func TestAttacks(t *testing.T) {
	all := attacks()
	if len(all) < 60 {
		t.Fatalf("%d attacks are too few", len(all))
	}
	t.Logf("%d attacks", len(all))
	fired := map[string]bool{}
	for _, a := range all {
		t.Run(a.name, func(t *testing.T) {
			p := Read(a.data)
			fired[a.rule.ID] = true
			if !a.strict {
				if p.Rejected == nil || p.Rejected.Rule != a.rule.ID {
					t.Errorf("rejected by %v, want %s", p.Rejected, a.rule.ID)
				}
				return
			}
			if p.Rejected != nil {
				t.Fatalf("the format's host accepts it, and it is rejected: %v", p.Rejected)
			}
			told := false
			for _, d := range p.Doubts {
				told = told || d.Rule == a.rule.ID
			}
			if !told {
				t.Errorf("told of %v, want %s", p.Doubts, a.rule.ID)
			}
			strict, err := Check(bytes.NewReader(a.data), Options{File: "a.zip", Strict: true})
			if err != nil || strict.Verdict != finding.Rejected || strict.Outcome != finding.Escalation {
				t.Errorf("a strict check says %q, %v", strict.Verdict, err)
			}
		})
	}
	for _, r := range []Rule{ruleUnsafe, ruleAmbiguous, ruleFileName, ruleHighRatio, ruleUnlisted, ruleDigest} {
		if !fired[r.ID] {
			t.Errorf("no attack fires %s", r.ID)
		}
	}
}
