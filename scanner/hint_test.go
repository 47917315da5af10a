package scanner

import (
	"strings"
	"testing"

	"github.com/toolwarrant/toolwarrant/internal/inspect"
)

// TestHintNamesTheVariable: a server that ends and says which variable it misses is
// told with that name and the two ways on; error codes are no variables.
func TestHintNamesTheVariable(t *testing.T) {
	for words, want := range map[string][]string{
		"Error: FAKE_API_KEY is required":              {"FAKE_API_KEY", "--env NAME=VALUE", "servers.NAME.env"},
		"set SLACK_BOT_TOKEN and SLACK_TEAM_ID please": {"SLACK_BOT_TOKEN, SLACK_TEAM_ID", "--env NAME=VALUE", "servers.NAME.env"},
		"ERR_MODULE_NOT_FOUND":                         nil,
		"it is broken":                                 nil,
	} {
		got := reading{result: inspect.Result{Stage: "initialize", Reason: inspect.Died, LastWords: words}}.hint()
		if want == nil && got != "" {
			t.Errorf("%s: %q", words, got)
		}
		for _, w := range want {
			if !strings.Contains(got, w) {
				t.Errorf("%s: %q does not say %q", words, got, w)
			}
		}
	}
}
