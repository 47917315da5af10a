package inspect

import (
	"encoding/json"
	"testing"

	"github.com/toolwarrant/toolwarrant/internal/sandbox"
)

type rawItem = json.RawMessage

// block holds the first free slot until the test ends.
func block(t *testing.T) {
	t.Helper()
	s, err := sandbox.Claim()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Release)
}
