package sandbox

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// Users of confined programs, where we may become any: far beyond those that
// systems give to people and services. The folder of the slots chooses a
// stretch, so that runs with other folders have other users, and the slot one
// user in it, which is its own while it is locked.
const (
	firstUID  = 1_000_000_000
	stretches = 100_000
	stretch   = 10_000
)

// uid is the user of programs in this slot.
func (s *Slot) uid() int {
	sum := sha256.Sum256([]byte(filepath.Dir(s.path)))
	wide := firstUID + int(binary.BigEndian.Uint32(sum[:])%stretches)*stretch
	text, _ := os.ReadFile("/proc/self/uid_map")
	return poolStart(string(text), wide) + s.n
}

// poolStart is wide, or where this user namespace does not have such users, the
// last stretch of the longest range that it has.
func poolStart(uidMap string, wide int) int {
	best, length := wide, 0
	for line := range strings.Lines(uidMap) {
		var first, outside, count int
		if n, _ := fmt.Sscan(line, &first, &outside, &count); n != 3 {
			continue
		}
		if first <= wide && wide+stretch <= first+count {
			return wide
		}
		if count > length {
			best, length = max(first, first+count-stretch), count
		}
	}
	return best
}
