package lockfile

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
)

// maxName is the most bytes of an encoded name; see [FileName].
const maxName = 80

// FileName is the label of a target's lock file, without its suffix: a-z 0-9 .
// _ - stand for themselves, every other byte of the name is %HH, and so are
// leading and trailing dots and the first letter of a Windows device name. A
// longer one than 80 bytes is cut and completed by "~~" and 16 hex of its
// SHA-256. Different names give different file names on every file system,
// those that fold case or normalise Unicode included.
func FileName(name string) string {
	var b strings.Builder
	device := isDevice(name)
	body := strings.Trim(name, ".")
	lead := strings.Index(name, body)
	for i := 0; i < len(name); i++ {
		plain := isPlain(name[i]) && (i > 0 || !device)
		if name[i] == '.' {
			plain = i >= lead && i < lead+len(body)
		}
		if plain {
			b.WriteByte(name[i])
		} else {
			fmt.Fprintf(&b, "%%%02X", name[i])
		}
	}
	return shorten(b.String(), name)
}

// FileNameAt is the label of a second launch under one name, which adds the
// file that declares it.
func FileNameAt(name, file string) string {
	whole := FileName(name) + "~" + FileName(file)
	return shorten(whole, name+"\x00"+file)
}

func shorten(encoded, identity string) string {
	if len(encoded) <= maxName {
		return encoded
	}
	sum := sha256.Sum256([]byte(identity))
	tail := "~~" + hex.EncodeToString(sum[:8])
	cut := encoded[:maxName-len(tail)]
	if i := strings.LastIndexByte(cut, '%'); i > len(cut)-3 {
		cut = cut[:i]
	}
	return cut + tail
}

func isPlain(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c == '_' || c == '-' || c == '.'
}

var devices = []string{"con", "prn", "aux", "nul", "conin$", "conout$"}

// isDevice reports whether Windows takes the name, up to its first dot, for a
// device.
func isDevice(name string) bool {
	base, _, _ := strings.Cut(strings.ToLower(name), ".")
	if len(base) == 4 && (base[:3] == "com" || base[:3] == "lpt") {
		return base[3] >= '0' && base[3] <= '9'
	}
	return slices.Contains(devices, base)
}
