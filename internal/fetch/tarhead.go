package fetch

import (
	"bytes"
	"io"
	"strconv"

	"github.com/toolwarrant/toolwarrant/internal/pattern"
)

// blockLen is the unit of a tar archive (POSIX.1-2017, pax, "ustar Interchange
// Format").
const blockLen = 512

// headers reads an archive for another reader and looks at each header on the
// way: what two readers of archives take differently is refused, so that the
// files which are verified are those that npm would write. Extended headers are
// consumed by the library; here they are seen.
type headers struct {
	r      io.Reader
	refuse func(reason string) error
	block  []byte
	skip   int64 // of a body, with what fills its last block
	flag   byte  // of the last header
	size   int64 // that it says
}

func (h *headers) Read(b []byte) (int, error) {
	n, err := h.r.Read(b)
	for part := b[:n]; len(part) > 0; {
		k := min(int64(len(part)), h.skip)
		if h.skip -= k; k == 0 {
			k = int64(min(len(part), blockLen-len(h.block)))
			h.block = append(h.block, part[:k]...)
		}
		part = part[k:]
		if len(h.block) < blockLen {
			continue
		}
		if reason := h.header(); reason != "" {
			return 0, h.refuse(reason)
		}
		h.block = h.block[:0]
	}
	return n, err
}

// header judges a whole block and says what is wrong with it.
func (h *headers) header() string {
	if len(bytes.Trim(h.block, "\x00")) == 0 {
		return "" // two are the end, for npm too
	}
	size, ok := number(h.block[124:136])
	sum, whole := number(h.block[148:156])
	last := h.flag
	h.flag, h.size = h.block[156], size
	switch {
	case !ok || !whole || sum != h.sum() || !h.plain():
		return "has a header that is not read alike by all"
	case !bytes.Contains([]byte("\x0005gx"), []byte{h.flag}):
		return "holds something else than files and folders"
	case last == 'x' && (h.flag == 'x' || h.flag == 'g'):
		return "has two extended headers for one file"
	}
	if h.flag != '5' { // a folder has no body, whatever its size
		h.skip = (size + blockLen - 1) / blockLen * blockLen
	}
	return ""
}

var octal = pattern.Of(`^ *([0-7]*)[ \x00]*$`)

// number reads a field of octal digits; nothing is zero.
func number(field []byte) (int64, bool) {
	m := octal.FindSubmatch(field)
	if m == nil {
		return 0, false
	}
	if len(m[1]) == 0 {
		return 0, true
	}
	n, err := strconv.ParseInt(string(m[1]), 8, 64)
	return n, err == nil
}

// sum is the header's checksum, over bytes without a sign and with spaces in its
// own place.
func (h *headers) sum() (sum int64) {
	for i, c := range h.block {
		if i >= 148 && i < 156 {
			c = ' '
		}
		sum += int64(c)
	}
	return sum
}

// plain reports whether the name ends at its first zero, and has a first part
// only in the form that has one.
func (h *headers) plain() bool {
	name, first := h.block[:100], h.block[345:500]
	if first[130] == 0 { // npm's own form has two times behind it
		first = first[:130]
	}
	if string(h.block[257:265]) != "ustar\x0000" && len(bytes.Trim(first, "\x00")) > 0 {
		return false
	}
	return !bytes.ContainsRune(bytes.TrimRight(name, "\x00"), 0) && !bytes.ContainsRune(bytes.TrimRight(first, "\x00"), 0)
}
