package report

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"regexp"
	"strings"
)

// Marker is the first line of a comment, which no reader sees. Anybody can write
// one: whose comment it stands in has to be looked at too.
type Marker struct {
	Key    string // of the folder and the category: which comment this is
	Head   string // the commit that was judged, in hex; empty where none was given
	Digest string // of all that follows the marker
}

// MarkerKey is the key of the comments about one folder and category.
func MarkerKey(path, category string) string {
	return shortSum(path + "\x00" + category)
}

func markerOf(o CommentOptions, body string) Marker {
	m := Marker{Key: MarkerKey(o.Path, o.Category), Digest: shortSum(body)}
	if commitID.MatchString(o.Head) {
		m.Head = o.Head
	}
	return m
}

// markerRoom is more than a marker takes.
const markerRoom = 256

func (m Marker) String() string {
	return fmt.Sprintf("<!-- toolwarrant:1 key=%s head=%s digest=%s -->", m.Key, m.Head, m.Digest)
}

var (
	commitID   = regexp.MustCompile(`^([0-9a-f]{40}|[0-9a-f]{64})$`)
	markerLine = regexp.MustCompile(`^<!-- toolwarrant:1 key=([0-9a-f]{32}) head=([0-9a-f]{40}|[0-9a-f]{64}|) digest=([0-9a-f]{32}) -->$`)
)

// ParseMarker reads the marker at the start of a comment; ok is false where none
// stands there. GitHub gives lines back that end in CR LF.
func ParseMarker(comment string) (m Marker, ok bool) {
	line, _, _ := strings.Cut(comment, "\n")
	parts := markerLine.FindStringSubmatch(strings.TrimSuffix(line, "\r"))
	if parts == nil {
		return m, false
	}
	return Marker{Key: parts[1], Head: parts[2], Digest: parts[3]}, true
}

func shortSum(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:16])
}
