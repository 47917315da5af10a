package sarif_test

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"net/url"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// The part of a log that GitHub looks at.
type (
	log struct {
		Schema  string `json:"$schema"`
		Version string
		Runs    []run
	}
	run struct {
		Tool struct {
			Driver struct {
				Name, Version string
				Rules         []rule
			}
		}
		Results           []result
		ColumnKind        string
		AutomationDetails struct{ ID string }
		Invocations       []struct {
			ExecutionSuccessful *bool
			ExitCode            *int
		}
	}
	rule struct {
		ID, Name                          string
		ShortDescription, FullDescription text
		Help                              text
		DefaultConfiguration              struct{ Level string }
		Properties                        struct {
			Tags     []string
			Severity string `json:"security-severity"`
		}
	}
	text   struct{ Text, Markdown string }
	result struct {
		RuleID              string
		RuleIndex           *int
		Level               string
		Message             text
		Locations           []location
		RelatedLocations    []location
		PartialFingerprints map[string]string
		Suppressions        []any
		Properties          map[string]any
	}
	location struct {
		ID               int
		Message          text
		PhysicalLocation struct {
			ArtifactLocation struct{ URI string }
			Region           struct{ StartLine, StartColumn, EndLine, EndColumn int }
		}
	}
)

func decode(t testing.TB, data []byte) log {
	t.Helper()
	var l log
	if err := json.Unmarshal(data, &l); err != nil {
		t.Fatal(err)
	}
	return l
}

// linter collects what GitHub would refuse, cut or show wrongly: its limits and
// its required members, as its documentation of SARIF support lists them.
type linter struct{ found []string }

func (l *linter) want(ok bool, format string, args ...any) {
	if !ok {
		l.found = append(l.found, fmt.Sprintf(format, args...))
	}
}

func lint(t testing.TB, data []byte) []string {
	t.Helper()
	l := &linter{}
	var zipped bytes.Buffer
	z := gzip.NewWriter(&zipped)
	_, _ = z.Write(data)
	_ = z.Close()
	l.want(zipped.Len() < 10_000_000, "%d bytes when compressed", zipped.Len())
	var whole any
	if err := json.Unmarshal(data, &whole); err != nil {
		t.Fatal(err)
	}
	l.noNull("$", whole)
	doc := decode(t, data)
	l.want(doc.Version == "2.1.0" && doc.Schema != "", "version %q, schema %q", doc.Version, doc.Schema)
	l.want(len(doc.Runs) == 1, "%d runs", len(doc.Runs))
	for _, r := range doc.Runs {
		l.run(r)
	}
	return l.found
}

// noNull: the writer behind ours makes members that it does not know null.
func (l *linter) noNull(at string, v any) {
	switch v := v.(type) {
	case nil:
		l.want(false, "%s is null", at)
	case []any:
		for i, x := range v {
			l.noNull(fmt.Sprintf("%s[%d]", at, i), x)
		}
	case map[string]any:
		for name, x := range v {
			l.noNull(at+"."+name, x)
		}
	}
}

func (l *linter) run(r run) {
	d := r.Tool.Driver
	l.want(d.Name != "", "the tool has no name")
	l.want(r.ColumnKind == "utf16CodeUnits", "columnKind %q", r.ColumnKind)
	l.want(regexp.MustCompile(`^toolwarrant/(.+/)?$`).MatchString(r.AutomationDetails.ID), "automationDetails.id %q", r.AutomationDetails.ID)
	l.want(len(r.Invocations) == 1 && r.Invocations[0].ExecutionSuccessful != nil && r.Invocations[0].ExitCode != nil, "the invocation is not complete")
	l.want(r.Results != nil, "results are missing")
	l.want(len(r.Results) <= 5000 && len(d.Rules) <= 25000, "%d results, %d rules", len(r.Results), len(d.Rules))
	ids := map[string]bool{}
	for _, x := range d.Rules {
		l.want(!ids[x.ID], "rule %s stands twice", x.ID)
		ids[x.ID] = true
		l.rule(x)
	}
	alerts := map[string]bool{}
	for i, x := range r.Results {
		l.result(fmt.Sprintf("result %d (%s)", i, x.RuleID), x, d.Rules)
		key := x.RuleID + x.PartialFingerprints["primaryLocationLineHash"]
		l.want(!alerts[key], "result %d (%s) is the same alert as another", i, x.RuleID)
		alerts[key] = true
	}
}

func (l *linter) rule(r rule) {
	l.want(r.ID != "" && r.Name != "" && r.ID != r.Name && len(r.Name) <= 255, "rule %q has the name %q", r.ID, r.Name)
	for what, text := range map[string]string{"shortDescription": r.ShortDescription.Text, "fullDescription": r.FullDescription.Text, "help": r.Help.Text} {
		l.want(text != "" && len(text) <= 1024, "rule %s: %s has %d characters", r.ID, what, len(text))
	}
	l.want(r.Help.Markdown != "", "rule %s has no help in markdown", r.ID)
	l.want(slices.Contains([]string{"error", "warning", "note"}, r.DefaultConfiguration.Level), "rule %s: level %q", r.ID, r.DefaultConfiguration.Level)
	n, err := strconv.ParseFloat(r.Properties.Severity, 64)
	l.want(err == nil && n > 0 && n <= 10, "rule %s: security-severity %q", r.ID, r.Properties.Severity)
	l.want(slices.Contains(r.Properties.Tags, "security") && len(r.Properties.Tags) <= 10, "rule %s: tags %q", r.ID, r.Properties.Tags)
}

func (l *linter) result(name string, r result, rules []rule) {
	l.want(r.RuleIndex != nil && *r.RuleIndex < len(rules) && rules[*r.RuleIndex].ID == r.RuleID, "%s: ruleIndex does not fit", name)
	l.want(slices.Contains([]string{"error", "warning", "note"}, r.Level), "%s: level %q", name, r.Level)
	l.want(strings.TrimSpace(r.Message.Text) != "" && r.Message.Markdown == "", "%s: message %q", name, r.Message)
	l.want(len(r.Locations) == 1, "%s: %d locations", name, len(r.Locations))
	l.want(r.PartialFingerprints["primaryLocationLineHash"] != "" && len(r.PartialFingerprints) == 1, "%s: fingerprints %v", name, r.PartialFingerprints)
	l.want(r.Suppressions == nil, "%s is suppressed, which GitHub shows as open", name)
	for _, x := range slices.Concat(r.Locations, r.RelatedLocations) {
		l.location(name, x)
	}
	l.links(name, r)
}

// links wants a link to each related place, and none to anything else.
func (l *linter) links(name string, r result) {
	linked := map[string]bool{}
	for _, m := range regexp.MustCompile(`(?:^|[^\\])\[[^\]\\]*\]\(([^)]*)\)`).FindAllStringSubmatch(r.Message.Text, -1) {
		linked[m[1]] = true
	}
	for i, x := range r.RelatedLocations {
		l.want(x.ID == i+1 && x.Message.Text != "" && linked[strconv.Itoa(x.ID)], "%s: related place %d is not linked", name, i)
		delete(linked, strconv.Itoa(x.ID))
	}
	l.want(len(linked) == 0, "%s links to %v", name, linked)
	l.want(!strings.Contains(r.Message.Text, "://"), "%s: an address is a link", name)
}

func (l *linter) location(name string, x location) {
	at := x.PhysicalLocation
	u, err := url.Parse(at.ArtifactLocation.URI)
	ok := err == nil && u.Scheme == "" && u.Host == "" && u.RawQuery == "" && u.Fragment == "" && u.Path != "" && u.Path[0] != '/' && path.Clean(u.Path) == u.Path && !strings.HasPrefix(u.Path, "../")
	l.want(ok && regexp.MustCompile(`^[A-Za-z0-9._~!$&'()*+,;=@%/-]+$`).MatchString(at.ArtifactLocation.URI), "%s: uri %q", name, at.ArtifactLocation.URI)
	r := at.Region
	l.want(r.StartLine > 0 && r.StartColumn > 0 && r.EndLine == r.StartLine && r.EndColumn > r.StartColumn, "%s: region %v", name, r)
}
