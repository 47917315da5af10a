package plugin

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"slices"
)

// rawEntry is one entry of a ZIP, each header of which may say what it likes.
type rawEntry struct {
	name, local    string // local is the name in its own header
	body           []byte // as it lies there
	method         uint16
	flags, lflags  uint16
	crc, lcrc      uint32
	packed, size   uint32
	lpacked, lsize uint32
	creator        uint16
	attributes     uint32
	extra, lextra  []byte
	before, after  []byte // around the entry
	disk           uint16
	at             int // where its header is said to be; below zero: where it is
	absent         bool
	found          []byte // an absent one: where these bytes stand, it is said to be
	alone          bool   // it has a place in the archive and none in the directory
}

// rawZip is a whole archive.
type rawZip struct {
	entries               []rawEntry
	prefix, tail, comment []byte
	beforeList, afterList []byte
	end                   func(end []byte) []byte // changes the end record
	wide                  func(at, size, count int) []byte
}

// rawOf is the archive of a plugin, with nothing odd.
func rawOf(b *built) *rawZip {
	z := &rawZip{}
	for _, p := range b.entries() {
		z.entries = append(z.entries, entryOf(p.name, p.content))
	}
	return z
}

func entryOf(name string, content []byte) rawEntry {
	body := deflated(content)
	sum, n, m := crc32.ChecksumIEEE(content), uint32(len(body)), uint32(len(content))
	return rawEntry{name: name, local: name, body: body, method: methodDeflate, crc: sum, lcrc: sum, packed: n, lpacked: n, size: m, lsize: m,
		creator: 3 << 8, attributes: (unixFile | 0o644) << 16, at: -1}
}

// entry finds one by name.
func (z *rawZip) entry(name string) *rawEntry {
	return &z.entries[slices.IndexFunc(z.entries, func(e rawEntry) bool { return e.name == name })]
}

func (z *rawZip) bytes() []byte {
	out := slices.Clone(z.prefix)
	places := make([]int, len(z.entries))
	for i, e := range z.entries {
		places[i] = len(out) + len(e.before)
		if !e.absent {
			out = append(append(out, e.before...), e.header()...)
			out = append(append(out, e.body...), e.after...)
		}
	}
	var list []byte
	count := 0
	for i, e := range z.entries {
		switch {
		case e.alone:
			continue
		case e.found != nil:
			places[i] = bytes.Index(out, e.found)
		case e.at >= 0:
			places[i] = e.at
		}
		list = append(list, e.listed(places[i])...)
		count++
	}
	out = append(out, z.beforeList...)
	at := len(out)
	out = append(append(out, list...), z.afterList...)
	if z.wide != nil {
		out = append(out, z.wide(at, len(list), count)...)
	}
	le := binary.LittleEndian
	end := le.AppendUint32(nil, endMark)
	end = append(end, 0, 0, 0, 0)
	end = le.AppendUint16(le.AppendUint16(end, uint16(count)), uint16(count))
	end = le.AppendUint32(le.AppendUint32(end, uint32(len(list))), uint32(at))
	end = append(le.AppendUint16(end, uint16(len(z.comment))), z.comment...)
	if z.end != nil {
		end = z.end(end)
	}
	return append(append(out, end...), z.tail...)
}

func (e rawEntry) header() []byte {
	le := binary.LittleEndian
	h := le.AppendUint32(nil, localMark)
	h = le.AppendUint16(h, 20)
	h = le.AppendUint16(le.AppendUint16(h, e.lflags), e.method)
	h = append(h, 0, 0, 0, 0)
	h = le.AppendUint32(le.AppendUint32(le.AppendUint32(h, e.lcrc), e.lpacked), e.lsize)
	h = le.AppendUint16(le.AppendUint16(h, uint16(len(e.local))), uint16(len(e.lextra)))
	return append(append(h, e.local...), e.lextra...)
}

func (e rawEntry) listed(at int) []byte {
	le := binary.LittleEndian
	h := le.AppendUint32(nil, centralMark)
	h = le.AppendUint16(le.AppendUint16(h, e.creator), 20)
	h = le.AppendUint16(le.AppendUint16(h, e.flags), e.method)
	h = append(h, 0, 0, 0, 0)
	h = le.AppendUint32(le.AppendUint32(le.AppendUint32(h, e.crc), e.packed), e.size)
	h = le.AppendUint16(le.AppendUint16(h, uint16(len(e.name))), uint16(len(e.extra)))
	h = append(h, 0, 0)
	h = le.AppendUint16(h, e.disk)
	h = append(h, 0, 0)
	h = le.AppendUint32(le.AppendUint32(h, e.attributes), uint32(at))
	return append(append(h, e.name...), e.extra...)
}

// field is an extra field.
func field(id uint16, data []byte) []byte {
	le := binary.LittleEndian
	return append(le.AppendUint16(le.AppendUint16(nil, id), uint16(len(data))), data...)
}

// numbers are 64-bit values as they stand in a ZIP.
func numbers(values ...uint64) []byte {
	var out []byte
	for _, v := range values {
		out = binary.LittleEndian.AppendUint64(out, v)
	}
	return out
}

// descriptor is what lies behind an entry that was written as a stream.
func descriptor(crc, packed, size uint32, marked bool) []byte {
	le := binary.LittleEndian
	var out []byte
	if marked {
		out = le.AppendUint32(out, descriptorMark)
	}
	return le.AppendUint32(le.AppendUint32(le.AppendUint32(out, crc), packed), size)
}
