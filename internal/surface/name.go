package surface

// splitName cuts an identifier at "_", "-", ".", "/", blanks and where the
// case changes, in lower case: getHTTPStatus is get, http, status.
func splitName(name string) text {
	name = name[:min(len(name), maxName)]
	t := text{raw: name, words: make([]word, 0, 4)}
	low := lower(name)
	start := -1
	flush := func(end int) {
		if start >= 0 {
			t.words = append(t.words, word{text: low[start:end], from: start, to: end})
		}
		start = -1
	}
	for i := 0; i < len(name); i++ {
		if !wordByte(low[i]) && low[i] != symbols || low[i] == '_' {
			flush(i)
			continue
		}
		if start >= 0 && humps(name, i) {
			flush(i)
		}
		if start < 0 {
			start = i
		}
	}
	flush(len(name))
	mark(t.words)
	return t
}

// maxName bounds what is read of one identifier, in bytes.
const maxName = 1 << 10

// humps reports whether a new word begins at i: aB, or the B in ABc.
func humps(s string, i int) bool {
	if !upper(s[i]) {
		return false
	}
	return !upper(s[i-1]) || i+1 < len(s) && !upper(s[i+1]) && 'a' <= s[i+1] && s[i+1] <= 'z'
}

func upper(c byte) bool { return 'A' <= c && c <= 'Z' }
