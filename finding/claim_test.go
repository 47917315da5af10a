package finding_test

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/toolwarrant/toolwarrant/finding"
)

func TestClaimString(t *testing.T) {
	for text, want := range map[string]string{
		"":                          "",
		"plain words, 日本語, é":       "plain words, 日本語, é",
		"two\nlines\tand a tab":     `two\nlines\tand a tab`,
		"\r\x1b[31mred\a":           `\u{d}\u{1b}[31mred\u{7}`,
		"\x00\x7f\u0085":            `\u{0}\u{7f}\u{85}`,
		"left\u202eright\u2066":     `left\u{202e}right\u{2066}`,
		"zero\u200bwidth\ufeff":     `zero\u{200b}width\u{feff}`,
		"tag\U000e0041":             `tag\u{e0041}`,
		"line\u2028paragraph\u2029": `line\u{2028}paragraph\u{2029}`,
		"no\u00a0break\u3000wide":   `no\u{a0}break\u{3000}wide`,
		"broken\xff\xc3":            `broken\u{fffd}\u{fffd}`,
		"a ##[error]b ###[c]":       `a #\u{23}[error]b ##\u{23}[c]`,
		"private\ue000":             `private\u{e000}`,
	} {
		if got := finding.Claim(text).String(); got != want {
			t.Errorf("%q is shown as %q, want %q", text, got, want)
		}
	}
}

func TestClaimShort(t *testing.T) {
	for _, c := range []struct {
		text string
		n    int
		want string
	}{
		{"abc", 3, "abc"},
		{"abcd", 3, "ab…"},
		{"日本語", 2, "日…"},
		{"abc", 1, "…"},
		{"", 1, ""},
		{"a\nb", 3, `a\…`},
	} {
		if got := finding.Claim(c.text).Short(c.n); got != c.want {
			t.Errorf("%q in %d characters is %q, want %q", c.text, c.n, got, c.want)
		}
	}
}

func TestClaimQuote(t *testing.T) {
	long := strings.Repeat("x", 2*finding.ClaimWidth)
	for text, want := range map[string]string{
		`say "hi"`:  `"say \"hi\""`,
		`ends in \`: `"ends in \\"`,
		`\" end`:    `"\\\" end"`,
		"a\nb":      `"a\nb"`,
		long:        `"` + long[:finding.ClaimWidth-1] + `…"`,
	} {
		if got := finding.Claim(text).Quote(); got != want {
			t.Errorf("%q is quoted as %s, want %s", text, got, want)
		}
	}
}

func TestLocationString(t *testing.T) {
	for want, l := range map[string]finding.Location{
		"a.json:3:5":          finding.At("a.json", 3, 5),
		"a.json":              {File: "a.json"},
		`a\n::error.json:1:1`: finding.At("a\n::error.json", 1, 1),
		`np\u{1b}x`:           finding.Argument("np\x1bx"),
	} {
		if got := l.String(); got != want {
			t.Errorf("%+v is shown as %q, want %q", l, got, want)
		}
	}
}

// FuzzClaim: whatever was written, what is shown is one line of characters that
// show, no longer than allowed, and is shown the same when it comes round again.
func FuzzClaim(f *testing.F) {
	for _, seed := range []string{
		"plain", "a\nb\r\n\t", "\x1b[2J\x1b]0;title\a", "\u202egnp.exe", "\U000e0041\U000e007f", "\xff\xfe", "\u2028::error::x", "##[error]", "##\x00[",
		`\u{1b}`, `"quoted"`, strings.Repeat("é", 400), "\u00a0\u3000", "👩‍👩‍👧", "e\u0301", "\u0600\ufff9",
	} {
		f.Add(seed, 300)
		f.Add(seed, 1)
	}
	f.Fuzz(func(t *testing.T, text string, n int) {
		c := finding.Claim(text)
		shown := c.String()
		safe(t, shown)
		if again := finding.Claim(shown).String(); again != shown {
			t.Errorf("shown again it is %q, not %q", again, shown)
		}
		n = max(1, n%1000)
		short := c.Short(n)
		safe(t, short)
		if got := utf8.RuneCountInString(short); got > n {
			t.Errorf("%d characters where %d are allowed", got, n)
		}
		if again := finding.Claim(short).Short(n); again != short {
			t.Errorf("cut again it is %q, not %q", again, short)
		}
		quote := c.Quote()
		safe(t, quote)
		if strings.Count(strings.NewReplacer(`\\`, "", `\"`, "").Replace(quote), `"`) != 2 {
			t.Errorf("the quote %s can be closed from within", quote)
		}
	})
}

// safe wants text that moves no cursor, starts no line and shows what it is.
func safe(t *testing.T, text string) {
	t.Helper()
	if strings.Contains(text, "##[") {
		t.Errorf("%q holds a command of a runner", text)
	}
	if !utf8.ValidString(text) {
		t.Errorf("%q is not UTF-8", text)
	}
	for _, r := range text {
		if unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp, unicode.Co, unicode.Cs) || r != ' ' && unicode.IsSpace(r) {
			t.Errorf("%q holds %U", text, r)
		}
	}
}

// TestShortReadsTheBeginning: what is cut off makes no difference to what is shown,
// nor does a sign that is broken up where the text is cut.
func TestShortReadsTheBeginning(t *testing.T) {
	for _, text := range []string{"", "a", "##[##[##[", "a##[b", "ü\n\t\x00##[\u202e", strings.Repeat("#", 9) + "["} {
		for n := 1; n < 12; n++ {
			want := []rune(finding.Claim(text).String())
			if len(want) > n {
				want = append(want[:n-1:n-1], '…')
			}
			if got := finding.Claim(text).Short(n); got != string(want) {
				t.Errorf("%q in %d characters is %q, want %q", text, n, got, string(want))
			}
		}
	}
}
