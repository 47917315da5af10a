package plugin

import (
	"bytes"
	"compress/flate"
	"hash/crc32"
	"io"
)

// inflater is one decompressor for all entries.
type inflater struct {
	in  *bytes.Reader
	out io.ReadCloser
}

func newInflater() *inflater {
	in := bytes.NewReader(nil)
	return &inflater{in: in, out: flate.NewReader(in)}
}

// inflate fills content and wants the stream to end there. It tells how many
// packed bytes the stream left over.
func (f *inflater) inflate(packed, content []byte) (left int, ok bool) {
	f.in.Reset(packed)
	if err := f.out.(flate.Resetter).Reset(f.in, nil); err != nil {
		return 0, false
	}
	if _, err := io.ReadFull(f.out, content); err != nil {
		return 0, false
	}
	var more [1]byte
	n, err := io.ReadFull(f.out, more[:])
	return f.in.Len(), n == 0 && err == io.EOF
}

// span is where an entry lies in the archive: its local header, its bytes, and
// what follows them.
type span struct {
	entry    entry
	from, to int64
}

// The flags of an entry (APPNOTE.TXT 4.4.4).
const (
	flagEncrypted  = 1 << 0
	flagDescriptor = 1 << 3
	flagStrong     = 1 << 6
	flagUTF8       = 1 << 11
	flagMasked     = 1 << 13
)

// The methods of packing that the format reads.
const (
	methodStore   = 0
	methodDeflate = 8
)

// read returns the content of an entry. What the directory says counts; of the
// local header only its length does.
func (c *container) read(e entry, in *inflater) ([]byte, *Problem) {
	if e.content > uint64(maxContent-c.total) {
		return nil, wrong(ruleUnsafe, e.name, "with it the archive holds more than %d bytes", maxContent)
	}
	if e.at < 0 || e.at > int64(len(c.data))-localLength || little.Uint32(c.data[e.at:]) != localMark {
		return nil, wrong(ruleUnsafe, e.name, "its header is not where the directory says")
	}
	local := c.data[e.at:]
	body := e.at + localLength + int64(little.Uint16(local[26:])) + int64(little.Uint16(local[28:]))
	packed := c.data[min(body, int64(len(c.data))):]
	if e.packed < uint64(len(packed)) {
		packed = packed[:e.packed]
	} else if e.packed > uint64(len(packed)) {
		c.doubts.add(ruleAmbiguous, e.name, "it claims more packed bytes than the archive has")
	}
	content, left, p := unpack(e, packed, in)
	if p != nil {
		return nil, p
	}
	if left > 0 {
		c.doubts.add(ruleAmbiguous, e.name, "%d bytes lie behind the end of its packed stream", left)
	}
	if len(content) > highRatio*max(1, len(packed)) {
		c.doubts.add(ruleHighRatio, e.name, "%d bytes inflate to %d", len(packed), len(content))
	}
	after, p := c.verify(e, body+int64(e.packed), crc32.ChecksumIEEE(content))
	c.spans = append(c.spans, span{e, e.at, after})
	return content, p
}

// unpack returns the content of an entry and how many packed bytes are left.
func unpack(e entry, packed []byte, in *inflater) ([]byte, int, *Problem) {
	switch e.method {
	case methodStore:
		if uint64(len(packed)) != e.content {
			return nil, 0, wrong(ruleUnsafe, e.name, "it has another length than the directory says")
		}
		return packed, 0, nil
	case methodDeflate:
		content := make([]byte, e.content)
		left, ok := in.inflate(packed, content)
		if !ok {
			return nil, 0, wrong(ruleUnsafe, e.name, "its packed bytes are damaged, or inflate to another length than the directory says")
		}
		return content, left, nil
	}
	return nil, 0, wrong(ruleUnsafe, e.name, "it is packed by method %d; the format knows 0 and 8", e.method)
}

// verify checks the checksum of an entry, and tells where the entry ends. Without
// a descriptor a checksum of zero is taken for none.
func (c *container) verify(e entry, at int64, sum uint32) (int64, *Problem) {
	switch {
	case e.flags&flagDescriptor != 0:
		return c.descriptor(e, at, sum)
	case e.crc == 0 && sum != 0:
		c.doubts.add(ruleAmbiguous, e.name, "it has no checksum")
	case sum != e.crc:
		return at, wrong(ruleUnsafe, e.name, "its checksum is wrong")
	}
	return at, nil
}

// descriptor reads the record behind an entry that was written as a stream
// (APPNOTE.TXT 4.3.9): perhaps a mark, the checksum, and the lengths of 32 or 64
// bits, which the format does not look at. Both checksums must be right.
func (c *container) descriptor(e entry, at int64, sum uint32) (int64, *Problem) {
	if at < 0 || at > int64(len(c.data)) {
		return at, wrong(ruleUnsafe, e.name, "the descriptor behind it is missing")
	}
	b, length := c.data[at:], int64(12)
	if len(b) >= 4 && little.Uint32(b) == descriptorMark {
		b, length = b[4:], 16
	}
	switch {
	case len(b) < 12:
		return at, wrong(ruleUnsafe, e.name, "the descriptor behind it is missing")
	case little.Uint32(b) != e.crc || sum != e.crc:
		return at, wrong(ruleUnsafe, e.name, "its checksum is wrong")
	case uint64(little.Uint32(b[4:])) == e.packed && uint64(little.Uint32(b[8:])) == e.content:
	case len(b) >= 20 && little.Uint64(b[4:]) == e.packed && little.Uint64(b[12:]) == e.content:
		length += 8
	default:
		c.doubts.add(ruleAmbiguous, e.name, "the descriptor behind it speaks of other lengths than the directory")
	}
	return at + length, nil
}
