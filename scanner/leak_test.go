package scanner

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/toolwarrant/toolwarrant/internal/inspect"
	"github.com/toolwarrant/toolwarrant/internal/sandbox"
	"github.com/toolwarrant/toolwarrant/internal/surface"
)

// TestRepeats: a value is found in every form that is promised, wherever it stands.
func TestRepeats(t *testing.T) {
	const value = "s3cr3t/+ value?&"
	reversed := []rune(value)
	slices.Reverse(reversed)
	forms := map[string]string{
		"itself": value, "reversed": string(reversed), "hex": hex.EncodeToString([]byte(value)),
		"HEX": strings.ToUpper(hex.EncodeToString([]byte(value))), "query": url.QueryEscape(value), "path": url.PathEscape(value),
	}
	for n := range 4 {
		word := strings.Repeat("k", n) + value + strings.Repeat("k", 3-n)
		forms[fmt.Sprint("base64 behind ", n)] = base64.StdEncoding.EncodeToString([]byte(word))
		forms[fmt.Sprint("base64url behind ", n)] = base64.RawURLEncoding.EncodeToString([]byte(word))
	}
	for name, form := range forms {
		raw, err := json.Marshal(map[string]string{"name": "x", "description": "before" + form + "after"})
		if err != nil {
			t.Fatal(err)
		}
		s := surface.Surface{Lists: map[surface.Kind]surface.List{surface.Tools: {State: surface.Read, Items: []surface.Item{{Key: "x", Raw: raw}}}}}
		if !repeats(s, []string{value}) {
			t.Errorf("%s is not found", name)
		}
		if repeats(s, []string{"another value"}) {
			t.Errorf("%s: another value is found", name)
		}
		r := inspect.Result{LastWords: form, Seen: sandbox.Observed{Hosts: []string{strings.ToLower(form) + ".example.com:443", "example.com:443"}}}
		if name == "hex" {
			r = withhold(r, []string{value})
			if r.LastWords == form || !slices.Equal(r.Seen.Hosts, []string{"***", "example.com:443"}) {
				t.Errorf("%s: %+v", name, r)
			}
		}
	}
}
