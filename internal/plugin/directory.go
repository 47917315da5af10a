package plugin

import (
	"bytes"
	"encoding/binary"
	"math"
)

// Records of a ZIP and their fixed lengths (APPNOTE.TXT 4.3).
const (
	localMark      = 0x04034b50
	centralMark    = 0x02014b50
	descriptorMark = 0x08074b50
	endMark        = 0x06054b50
	end64Mark      = 0x06064b50
	locatorMark    = 0x07064b50

	localLength   = 30
	centralLength = 46
	endLength     = 22
	end64Length   = 56
	locatorLength = 20
)

// endWindow is how far before the last byte the end record is looked for: its
// comment may have 65,535 bytes.
const endWindow = 65 << 10

var little = binary.LittleEndian

// ending is where and how a ZIP says that its directory lies.
type ending struct {
	at      int64 // of the end record
	record  int64 // of the record that counts: the end record, or its 64-bit form
	after   int64 // behind the end record and its comment
	count   uint64
	size    uint64
	offset  uint64
	base    int64 // what all offsets count from
	comment int
	disks   bool // it speaks of more than one disk
	wide    bool // the 64-bit form counts
}

// findEnding looks for the last end record, as readers do.
func findEnding(data []byte) (ending, *Problem) {
	from := max(0, len(data)-endWindow)
	last := len(data) - endLength
	for at := last; at >= from; at-- {
		if little.Uint32(data[at:]) == endMark {
			return readEnding(data, at)
		}
	}
	return ending{}, wrong(ruleUnsafe, "", "it is not a ZIP: there is no end record")
}

func readEnding(data []byte, at int) (ending, *Problem) {
	b := data[at:]
	e := ending{at: int64(at), record: int64(at), comment: int(little.Uint16(b[20:]))}
	e.disks = little.Uint32(b[4:]) != 0 || little.Uint16(b[8:]) != little.Uint16(b[10:])
	e.count, e.size, e.offset = uint64(little.Uint16(b[10:])), uint64(little.Uint32(b[12:])), uint64(little.Uint32(b[16:]))
	e.after = e.at + endLength + int64(e.comment)
	if e.after > int64(len(data)) {
		return e, wrong(ruleUnsafe, "", "the comment behind the end record is cut short")
	}
	if p := e.widen(data); p != nil {
		return e, p
	}
	return e, e.locate(data)
}

// widen reads the 64-bit end record where a field of the other is full. That
// one field of 32 bits is held against 16 is how the format's host reads it.
func (e *ending) widen(data []byte) *Problem {
	if e.count != 0xffff && e.size != 0xffff && e.offset != 0xffffffff {
		return nil
	}
	locator := e.at - locatorLength
	if locator < 0 {
		return nil
	}
	b := data[locator:]
	at := int64(little.Uint64(b[8:]))
	if little.Uint32(b) != locatorMark || little.Uint32(b[4:]) != 0 || little.Uint32(b[16:]) != 1 || at < 0 {
		return nil
	}
	if at > int64(len(data))-end64Length || little.Uint32(data[at:]) != end64Mark {
		return wrong(ruleUnsafe, "", "the locator of the 64-bit end record leads to none")
	}
	b = data[at:]
	e.record, e.wide = at, true
	e.disks = e.disks || little.Uint64(b[16:]) != 0 || little.Uint64(b[24:]) != little.Uint64(b[32:])
	e.count, e.size, e.offset = little.Uint64(b[32:]), little.Uint64(b[40:]), little.Uint64(b[48:])
	return nil
}

// locate finds what offsets count from. Bytes before the archive shift them all,
// unless a directory entry stands where the record says.
func (e *ending) locate(data []byte) *Problem {
	if e.size > math.MaxInt64 || e.offset > math.MaxInt64 {
		return wrong(ruleUnsafe, "", "the end record places the directory outside of the archive")
	}
	start := e.record - int64(e.size)
	if start < 0 || start >= int64(len(data)) {
		return wrong(ruleUnsafe, "", "the end record places the directory outside of the archive")
	}
	e.base = start - int64(e.offset)
	if e.base > 0 {
		if _, _, state := readCentral(data, int64(e.offset)); state == headerRead {
			e.base = 0
		}
	}
	return nil
}

// start is where the directory begins.
func (e ending) start() int64 { return e.base + int64(e.offset) }

// headerState is how the reading of a directory entry ended.
type headerState uint8

const (
	headerRead headerState = iota
	headerEnds             // no entry stands here: the directory is over
	headerGone             // the archive is over
)

// entry is one entry of the directory.
type entry struct {
	name            string
	creator, flags  uint16
	method          uint16
	crc             uint32
	packed, content uint64 // bytes
	short           [2]uint32
	attributes      uint32
	at              int64 // of the local header
	extra           []byte
	disk            uint16
	wide            bool // a 64-bit field counts
}

// readCentral reads the directory entry at an offset, and tells where the next
// one begins.
func readCentral(data []byte, at int64) (entry, int64, headerState) {
	b := data[at:]
	switch {
	case len(b) == 0:
		return entry{}, 0, headerGone
	case len(b) < centralLength || little.Uint32(b) != centralMark:
		return entry{}, 0, headerEnds
	}
	e := entry{
		creator: little.Uint16(b[4:]), flags: little.Uint16(b[8:]), method: little.Uint16(b[10:]), crc: little.Uint32(b[16:]),
		short: [2]uint32{little.Uint32(b[20:]), little.Uint32(b[24:])}, disk: little.Uint16(b[34:]),
		attributes: little.Uint32(b[38:]), at: int64(little.Uint32(b[42:])),
	}
	e.packed, e.content = uint64(e.short[0]), uint64(e.short[1])
	name, extra, comment := int(little.Uint16(b[28:])), int(little.Uint16(b[30:])), int(little.Uint16(b[32:]))
	whole := centralLength + name + extra + comment
	if len(b) < whole {
		if len(b) == centralLength {
			return e, 0, headerGone
		}
		return e, 0, headerEnds
	}
	b = b[centralLength:]
	e.name, e.extra = string(b[:name]), bytes.Clone(b[name:name+extra])
	if !e.widen() {
		return e, 0, headerEnds
	}
	return e, at + int64(whole), headerRead
}

// extraFields calls visit for each field of a header's extra part. What is
// malformed ends it.
func extraFields(extra []byte, visit func(id uint16, field []byte) bool) bool {
	for len(extra) >= 4 {
		id, n := little.Uint16(extra), int(little.Uint16(extra[2:]))
		if extra = extra[4:]; len(extra) < n {
			break
		}
		if !visit(id, extra[:n]) {
			return false
		}
		extra = extra[n:]
	}
	return true
}

// The extra fields that matter here (APPNOTE.TXT 4.5.3, 4.6.9).
const (
	wideField        = 0x0001
	unicodePathField = 0x7075
)

// widen takes those values from 64-bit fields whose own ones are full. It
// reports whether what has to be there is.
func (e *entry) widen() bool {
	content, packed, at := e.short[1] == math.MaxUint32, e.short[0] == math.MaxUint32, e.at == math.MaxUint32
	ok := extraFields(e.extra, func(id uint16, field []byte) bool {
		if id != wideField {
			return true
		}
		take := func(need *bool, to func(uint64)) bool {
			if !*need {
				return true
			}
			if *need = false; len(field) < 8 {
				return false
			}
			to(little.Uint64(field))
			field, e.wide = field[8:], true
			return true
		}
		return take(&content, func(v uint64) { e.content = v }) && take(&packed, func(v uint64) { e.packed = v }) &&
			take(&at, func(v uint64) { e.at = int64(v) })
	})
	return ok && !packed && !at // a full content size may be meant as it stands
}
