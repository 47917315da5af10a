package canon

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"unicode"
)

func TestRefusals(t *testing.T) {
	deep := strings.Repeat("[", 65) + strings.Repeat("]", 65)
	tests := []struct {
		name, in string
		reason   Reason
		offset   int
	}{
		{"duplicate member", `{"a":1,"a":2}`, Duplicate, 7},
		{"duplicate under another spelling", `{"a":1,"\u0061":2}`, Duplicate, 7},
		{"duplicate inside", `[{"x":{"a":1,"a":2}}]`, Duplicate, 13},
		{"invalid UTF-8", "[\"\xff\"]", InvalidUTF8, 2},
		{"high surrogate alone", `["\ud83d"]`, LoneSurrogate, 2},
		{"low surrogate alone", `["\ude00"]`, LoneSurrogate, 2},
		{"two high surrogates", `["\ud83d\ud83d"]`, LoneSurrogate, 2},
		{"too deep", deep, TooDeep, 64},
		{"beyond 2^53", `[9007199254740993]`, Number, 1},
		{"more digits than a double", `[0.12345678901234567890]`, Number, 1},
		{"too large", `[1e400]`, Number, 1},
		{"too small", `[1e-400]`, Number, 1},
		{"comment", `{/* a */}`, Syntax, 1},
		{"trailing comma", `[1,]`, Syntax, 3},
		{"cut", `{"a":`, Syntax, 5},
		{"empty", ``, Syntax, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := Canonical([]byte(tt.in))
			var e *Error
			if !errors.As(err, &e) || e.Reason != tt.reason || e.Offset != tt.offset {
				t.Errorf("got %+v, want %s at %d", err, tt.reason, tt.offset)
			}
		})
	}
}

func TestCanonical(t *testing.T) {
	for in, want := range map[string]string{
		`{"b":1,"a":[true,null]}`:         `{"a":[true,null],"b":1}`,
		`[1.0, 100e-2, 1E0, 0.1e1]`:       `[1,1,1,1]`,
		`[-0, 0.0, 0e9]`:                  `[0,0,0]`,
		`[9007199254740992, 1e21, 1e-7]`:  `[9007199254740992,1e+21,1e-7]`,
		`"\ud83d\ude00 \u00e9"`:           `"😀 é"`,
		`["\u2028", "<&>"]`:               "[\"\u2028\",\"<&>\"]",
		`"scalar"`:                        `"scalar"`,
		` 12 `:                            `12`,
		`{"\ufb33":1,"\ud83d\ude02":2}`:   "{\"😂\":2,\"\ufb33\":1}",
		`["\\ud83d", "\\\ud83d\ude00 x"]`: `["\\ud83d","\\😀 x"]`,
	} {
		got, err := Canonical([]byte(in))
		if err != nil || string(got) != want {
			t.Errorf("Canonical(%s) = %s, %v; want %s", in, got, err, want)
		}
	}
}

func TestGuardDepthIgnoresText(t *testing.T) {
	in := `{"a": "` + strings.Repeat("[", 1000) + `" /* [[[ */ } // [[[`
	if err := Guard([]byte(in), 1); err != nil {
		t.Error(err)
	}
	million := bytes.Repeat([]byte("["), 1e6)
	var e *Error
	if err := Guard(million, MaxDepth); !errors.As(err, &e) || e.Reason != TooDeep {
		t.Errorf("a million brackets: %v", err)
	}
}

func TestMembers(t *testing.T) {
	got, err := Members([]byte(`{"x": {"a":1,"a":2}, "y": [1e400]}`))
	if err != nil || len(got) != 2 || string(got[0].Value) != `{"a":1,"a":2}` {
		t.Errorf("got %v, %v: a member's own faults are not its parent's", got, err)
	}
	if _, err := Members([]byte(`{"x":1,"x":2}`)); err == nil {
		t.Error("a duplicate of the object itself passed")
	}
	if _, err := Members([]byte(`[]`)); err == nil {
		t.Error("an array passed for an object")
	}
	if e, err := Elements([]byte(`[1, {"a":1}]`)); err != nil || len(e) != 2 || string(e[1]) != `{"a":1}` {
		t.Errorf("Elements: %s, %v", e, err)
	}
}

func TestAt(t *testing.T) {
	data := []byte("\xef\xbb\xbf{\"日本\": \"😀\", x\r\ny\n")
	l := Index(data)
	for _, tt := range []struct {
		at           string
		line, column int
	}{{"{", 1, 1}, {"😀", 1, 9}, {", x", 1, 12}, {"y", 2, 1}} {
		line, column := l.At(bytes.Index(data, []byte(tt.at)))
		if line != tt.line || column != tt.column {
			t.Errorf("%q is at %d:%d, want %d:%d", tt.at, line, column, tt.line, tt.column)
		}
	}
	if line, column := l.At(len(data) + 9); line != 3 || column != 1 {
		t.Errorf("past the end: %d:%d", line, column)
	}
}

// TestFrozenTable holds the table against the library's as long as both speak
// of one Unicode version.
func TestFrozenTable(t *testing.T) {
	if unicode.Version != "15.0.0" {
		t.Skipf("this Go has Unicode %s; the table stays at 15.0 on linux and everywhere", unicode.Version)
	}
	for r := rune(0); r <= unicode.MaxRune; r++ {
		want := unicode.In(r, unicode.L, unicode.M, unicode.N, unicode.P, unicode.S, unicode.Zs)
		if Shows(r) != want {
			t.Fatalf("Shows(%U) = %v", r, !want)
		}
	}
}

func TestIndent(t *testing.T) {
	in := "{\"a\":[],\"b\":{},\"c\":[1,{\"d\":\"x\u202e\u200b\\n\U000e0041<é\"}]}"
	want := `{
  "a": [],
  "b": {},
  "c": [
    1,
    {
      "d": "x\u202e\u200b\n\udb40\udc41<é"
    }
  ]
}
`
	got, err := Indent([]byte(in))
	if err != nil || string(got) != want {
		t.Errorf("got %s, %v", got, err)
	}
}

func TestDigest(t *testing.T) {
	// printf 'toolwarrant.tool.1\0{}' | sha256sum
	const want = "sha256:bf700d70b82829c2593bf55de934fbc27f8aba4c5fea5f0bb2783fa30674d137"
	if got := Digest(Tool, []byte("{}")); got != want {
		t.Errorf("got %s", got)
	}
	if Digest(Prompt, []byte("{}")) == want {
		t.Error("two domains give one digest")
	}
}

// FuzzCanonical: no input panics, and what is canonical stays as it is.
func FuzzCanonical(f *testing.F) {
	for _, s := range []string{`{"a":[1,2.50,"x\u0000"],"b":null}`, `[1e400]`, `{"a":1,"a":1}`, "\"\xff\"", `[[[[]]]]`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		once, err := Canonical(data)
		if err != nil {
			return
		}
		if !json.Valid(data) {
			t.Fatalf("%q is not JSON and has a canonical form", data)
		}
		twice, err := Canonical(once)
		if err != nil || !bytes.Equal(once, twice) {
			t.Fatalf("not a fixed point: %q, then %q, %v", once, twice, err)
		}
		laid, err := Indent(once)
		if err != nil {
			t.Fatal(err)
		}
		back, err := Canonical(laid)
		if err != nil || !bytes.Equal(once, back) {
			t.Fatalf("layout changed the value: %q, then %q, %v", once, back, err)
		}
	})
}
