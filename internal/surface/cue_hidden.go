package surface

import (
	"strings"
	"unicode"

	"github.com/toolwarrant/toolwarrant/internal/canon"
)

// Characters that a reader does not see and a model does. Every rule names the
// honest use that it lets pass.

// hiddenCues finds them in one pass over the runes.
func hiddenCues(s string) []cue {
	h := hidden{runes: []rune(s)}
	for i := 0; i < len(h.runes); {
		i += max(1, h.at(i))
	}
	return h.out
}

type hidden struct {
	runes []rune
	out   []cue
}

// at looks at rune i and returns how many runes it took.
func (h *hidden) at(i int) int {
	switch r := h.runes[i]; {
	case isTag(r):
		return h.tags(i)
	case 0x202A <= r && r <= 0x202E, 0x2066 <= r && r <= 0x2069:
		return h.found(i, "turns the direction of text", func(r rune) bool { return r == h.runes[i] })
	case isSelector(r):
		return h.selectors(i)
	case r == zwj && !h.joins(i), r == zwnj && !h.inScript(i), isInvisible(r) && !(r == 0xFEFF && i == 0):
		return h.found(i, "takes no width", func(r rune) bool { return r == zwj || r == zwnj || isInvisible(r) })
	case unicode.Is(unicode.Cc, r) && r != '\n' && r != '\t' && r != '\r':
		return h.found(i, "control characters", func(r rune) bool { return unicode.Is(unicode.Cc, r) && r != '\n' })
	case unicode.IsSpace(r) || r == 0x2800 || r == 0x3164:
		return h.padding(i)
	}
	return 1
}

const (
	zwj  = 0x200D
	zwnj = 0x200C
)

// found records a run of like characters with what stands before it.
func (h *hidden) found(i int, kind string, like func(rune) bool) int {
	n := 1
	for i+n < len(h.runes) && like(h.runes[i+n]) {
		n++
	}
	from, to := max(0, i-10), min(len(h.runes), i+n+10)
	run := string(h.runes[i : i+n])
	h.out = append(h.out, newCue(HiddenCharacters, kind, visible(string(h.runes[from:to])), kind+run))
	return n
}

// visible is the text with escapes for what does not show.
func visible(s string) string {
	q := canon.Quote(s)
	return q[1 : len(q)-1]
}

func isTag(r rune) bool { return 0xE0000 <= r && r <= 0xE007F }

// flags are the only tag sequences that are recommended for general
// interchange (UTS #51, ED-14c; RGI_Emoji_Tag_Sequence): England, Scotland and
// Wales. A looser rule would let any text pass behind a flag.
var flags = set("gbeng gbsct gbwls")

// tags reads a run of tag characters, which spell ASCII invisibly.
func (h *hidden) tags(i int) int {
	n := 0
	var b strings.Builder
	for i+n < len(h.runes) && isTag(h.runes[i+n]) {
		if c := h.runes[i+n] - 0xE0000; 0x20 <= c && c < 0x7F {
			b.WriteByte(byte(c))
		}
		n++
	}
	spelt := b.String()
	ended := h.runes[i+n-1] == 0xE007F
	if i > 0 && h.runes[i-1] == 0x1F3F4 && ended && flags[spelt] && n == len(spelt)+1 {
		return n
	}
	h.out = append(h.out, newCue(HiddenCharacters, "tag characters", spelt, "tags"+string(h.runes[i:i+n])))
	return n
}

func isSelector(r rune) bool {
	return 0xFE00 <= r && r <= 0xFE0F || 0xE0100 <= r && r <= 0xE01EF
}

// selectors lets one variation selector pass: U+FE00 to U+FE0F after anything
// that shows, the supplement after an ideograph. A run of them carries bytes.
func (h *hidden) selectors(i int) int {
	r := h.runes[i]
	alone := i+1 == len(h.runes) || !isSelector(h.runes[i+1])
	if alone && i > 0 && (r <= 0xFE0F && canon.Shows(h.runes[i-1]) || r > 0xFFFF && unicode.Is(unicode.Han, h.runes[i-1])) {
		return 1
	}
	return h.found(i, "variation selectors", isSelector)
}

func isInvisible(r rune) bool {
	switch {
	case r == 0x200B, 0x2060 <= r && r <= 0x2064, 0x206A <= r && r <= 0x206F, r == 0xFEFF, r == 0x180E, r == 0x00AD,
		r == 0x034F, r == 0x115F, r == 0x1160, r == 0x17B4, r == 0x17B5, r == 0xFFA0, 0xFFF9 <= r && r <= 0xFFFB,
		0x1D173 <= r && r <= 0x1D17A, 0x1BCA0 <= r && r <= 0x1BCA3:
		return true
	}
	return false
}

// joiningScripts use U+200C and U+200D to shape letters.
var joiningScripts = []*unicode.RangeTable{unicode.Arabic, unicode.Syriac, unicode.Mongolian, unicode.Nko, unicode.Devanagari,
	unicode.Bengali, unicode.Gurmukhi, unicode.Gujarati, unicode.Oriya, unicode.Tamil, unicode.Telugu, unicode.Kannada,
	unicode.Malayalam, unicode.Sinhala, unicode.Khmer, unicode.Myanmar, unicode.Thaana, unicode.Tibetan}

// inScript reports whether the letter before rune i is of such a script.
func (h *hidden) inScript(i int) bool {
	return i > 0 && unicode.In(h.runes[i-1], joiningScripts...)
}

// joins reports whether a joiner stands between two emoji, or shapes a letter.
func (h *hidden) joins(i int) bool {
	if h.inScript(i) {
		return true
	}
	return i > 0 && i+1 < len(h.runes) && emojiEnd(h.runes[i-1]) && emoji(h.runes[i+1])
}

// emoji covers the blocks from which joined sequences are built.
func emoji(r rune) bool {
	return 0x1F000 <= r && r <= 0x1FAFF || 0x2190 <= r && r <= 0x27BF || 0x2B00 <= r && r <= 0x2BFF
}

// emojiEnd also takes the presentation selector that may follow an emoji.
func emojiEnd(r rune) bool { return emoji(r) || r == 0xFE0F }

// Padding pushes text out of sight: far more blank lines, or blanks in a line,
// than any layout needs. Tables stay below.
const (
	maxBlankLines = 16
	maxBlanks     = 160
)

// padding reads a run of blanks. One that ends the text hides nothing.
func (h *hidden) padding(i int) int {
	n, lines := 0, 0
	for i+n < len(h.runes) && (unicode.IsSpace(h.runes[i+n]) || h.runes[i+n] == 0x2800 || h.runes[i+n] == 0x3164) {
		if h.runes[i+n] == '\n' {
			lines++
		}
		n++
	}
	if i+n < len(h.runes) && (lines > maxBlankLines || n-lines > maxBlanks) {
		to := min(len(h.runes), i+n+40)
		h.out = append(h.out, newCue(HiddenCharacters, "text behind long padding", visible(string(h.runes[i+n:to])), "padding"))
	}
	return n
}
