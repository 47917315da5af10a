package report_test

import (
	"bytes"
	"encoding/xml"
	"errors"
	"flag"
	"io"
	"path/filepath"
	"strings"
	"testing"
	"unicode"

	"github.com/google/go-cmp/cmp"

	"github.com/toolwarrant/toolwarrant/finding"
	"github.com/toolwarrant/toolwarrant/internal/report"
)

var update = flag.Bool("update", false, "rewrite the expected files")

var formats = map[string]func(io.Writer, finding.Report) error{
	"junit": report.JUnit, "markdown": report.Markdown,
	"text": func(w io.Writer, r finding.Report) error { return report.Text(w, r, report.Style{Verbose: true}) },
	"json": func(w io.Writer, r finding.Report) error { return report.JSON(w, r) },
}

func rendered(t testing.TB, format string, r finding.Report) string {
	t.Helper()
	var b bytes.Buffer
	if err := formats[format](&b, r); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestFormatGoldens(t *testing.T) {
	for format, ext := range map[string]string{"junit": "xml", "markdown": "md"} {
		for name, r := range reports() {
			t.Run(format+"/"+name, func(t *testing.T) {
				got := rendered(t, format, r)
				golden(t, filepath.Join("formats", name+"."+ext), got)
			})
		}
	}
}

// TestSavedReport: a report that was saved and read again renders to the same
// bytes in every format.
func TestSavedReport(t *testing.T) {
	for name, r := range reports() {
		saved := rendered(t, "json", r)
		again, err := finding.ParseReport([]byte(saved))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for format := range formats {
			if diff := cmp.Diff(rendered(t, format, r), rendered(t, format, again)); diff != "" {
				t.Errorf("%s as %s (-original +saved):\n%s", name, format, diff)
			}
		}
	}
}

func TestJUnitCounts(t *testing.T) {
	var got struct {
		Tests    int `xml:"tests,attr"`
		Failures int `xml:"failures,attr"`
		Errors   int `xml:"errors,attr"`
		Skipped  int `xml:"skipped,attr"`
	}
	if err := xml.Unmarshal([]byte(rendered(t, "junit", reports()["everything"])), &got); err != nil {
		t.Fatal(err)
	}
	// Failures: notes, stray, titled, the invalid lock. Errors: slow and the
	// unreadable file. Skipped: waived, inactive, not started.
	if got.Tests != 11 || got.Failures != 4 || got.Errors != 2 || got.Skipped != 3 {
		t.Errorf("counts %+v", got)
	}
	unjudged := sample(finding.Undetermined, 5, []finding.Target{target("x", 1, "")})
	if err := xml.Unmarshal([]byte(rendered(t, "junit", unjudged)), &got); err != nil || got.Errors != 1 {
		t.Errorf("a target without a status passed: %+v, %v", got, err)
	}
}

// full is a writer on which nothing fits.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, errFull }

var errFull = errors.New("full")

func TestFormatWriterFails(t *testing.T) {
	for format, render := range formats {
		if err := render(full{}, reports()["everything"]); !errors.Is(err, errFull) {
			t.Errorf("%s: error %v", format, err)
		}
	}
}

// speaking is a report in which foreign text stands wherever it can.
func speaking(text string) finding.Report {
	at := finding.At("f"+text, 3, 5)
	t := target("n"+text, 3, finding.Escalated)
	t.Location, t.Reason = at, "r"+text
	f := about(t, "surface/description-changed", finding.Error, "m"+text)
	f.Hint, f.Change = "h"+text, &finding.ChangeItem{Event: "description-changed", Level: finding.Error, Old: "o" + text, New: "w" + text}
	waived := t
	waived.Status = finding.Waived
	r := sample(finding.Escalation, 4, []finding.Target{t, waived}, f, finding.New("lock/invalid", finding.Error, finding.At("l"+text, 1, 1), "m"+text))
	r.Next = "x" + text
	return r
}

// FuzzMarkdown: foreign text stays in code. With the code taken out by
// CommonMark's rule for code spans, the rest is the same for every text, and so
// is the number of cells.
func FuzzMarkdown(f *testing.F) {
	for _, s := range []string{"`", "``` ` ``", "|", `\|`, `\`, "\n# x", "[a](https://b.example)", "@all #1 <b> &amp; ![x](y)", "a`", "`a", " ` ", "\u202e\u200b", "\r", "`\\`|"} {
		f.Add(s)
	}
	want, cells := skeleton(f, rendered(f, "markdown", speaking("")))
	f.Fuzz(func(t *testing.T, text string) {
		out := rendered(t, "markdown", speaking(text))
		got, n := skeleton(t, out)
		if got != want || n != cells {
			t.Fatalf("foreign text is outside code: %d cells, want %d\n%s\nin\n%s", n, cells, cmp.Diff(want, got), out)
		}
		for _, r := range out {
			if r != '\n' && !unicode.IsGraphic(r) {
				t.Fatalf("%U does not show", r)
			}
		}
	})
}

// skeleton is markdown without its code spans, and how many pipes its table has,
// those in code included: a table is cut into cells before code is seen.
func skeleton(t testing.TB, doc string) (string, int) {
	t.Helper()
	var b strings.Builder
	pipes := 0
	for _, line := range strings.Split(doc, "\n") {
		if strings.HasPrefix(line, "|") {
			pipes += strings.Count(line, "|")
		}
		b.WriteString(withoutCode(line) + "\n")
	}
	return b.String(), pipes
}

// withoutCode drops every run of backticks, what follows it, and the next run of
// the same length (CommonMark 0.31, 6.1).
func withoutCode(line string) string {
	var b strings.Builder
	for line != "" {
		i := strings.IndexByte(line, '`')
		if i < 0 {
			return b.String() + line
		}
		b.WriteString(line[:i])
		line = line[i:]
		n := len(line) - len(strings.TrimLeft(line, "`"))
		end := closing(line[n:], n)
		if end < 0 {
			b.WriteString(line[:n])
			line = line[n:]
			continue
		}
		b.WriteString("CODE")
		line = line[n+end:]
	}
	return b.String()
}

// closing is the offset behind the first run of exactly n backticks.
func closing(s string, n int) int {
	for i := 0; i < len(s); i++ {
		if s[i] != '`' {
			continue
		}
		run := len(s[i:]) - len(strings.TrimLeft(s[i:], "`"))
		if run == n {
			return i + run
		}
		i += run - 1
	}
	return -1
}

// FuzzJUnit: foreign text is text, never an element, and shows.
func FuzzJUnit(f *testing.F) {
	for _, s := range []string{"<x/>", "]]>", "&lt;", `"`, "\x00", "\xff", "\u202e", "\n::error::x", "\ufffe"} {
		f.Add(s)
	}
	want := elements(f, rendered(f, "junit", speaking("")))
	f.Fuzz(func(t *testing.T, text string) {
		if diff := cmp.Diff(want, elements(t, rendered(t, "junit", speaking(text)))); diff != "" {
			t.Fatal(diff)
		}
	})
}

// elements are the names of the elements and attributes of a document, in which
// every character must show.
func elements(t testing.TB, doc string) []string {
	t.Helper()
	var out []string
	dec := xml.NewDecoder(strings.NewReader(doc))
	for {
		tok, err := dec.Token()
		if errors.Is(err, io.EOF) {
			return out
		}
		if err != nil {
			t.Fatalf("%v\n%s", err, doc)
		}
		switch tok := tok.(type) {
		case xml.StartElement:
			out = append(out, tok.Name.Local)
			for _, a := range tok.Attr {
				out = append(out, "@"+a.Name.Local)
				wantVisible(t, a.Value)
			}
		case xml.CharData:
			wantVisible(t, string(tok))
		}
	}
}

func wantVisible(t testing.TB, text string) {
	t.Helper()
	for _, r := range text {
		if r != '\n' && !unicode.IsGraphic(r) {
			t.Fatalf("%U does not show in %q", r, text)
		}
	}
}
