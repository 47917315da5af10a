package policy

import (
	"net/netip"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/toolwarrant/toolwarrant/finding"
)

func parsed(t *testing.T, doc string) Policy {
	t.Helper()
	p, found := Parse([]byte(doc), "p.yaml")
	if len(found) > 0 {
		t.Fatal(found)
	}
	return p
}

func TestFails(t *testing.T) {
	order := []finding.Outcome{finding.Clean, finding.Drift, finding.Undetermined, finding.Refused, finding.Escalation}
	for word, least := range map[string]int{"drift": 1, "undetermined": 2, "escalation": 4, "never": 5} {
		p := parsed(t, "fail-on: "+word)
		for i, o := range order {
			if got := p.Fails(o); got != (i >= least) {
				t.Errorf("fail-on %s: %s fails %v", word, o, got)
			}
		}
	}
}

func TestMayApprove(t *testing.T) {
	for _, tt := range []struct {
		doc, login string
		want       bool
	}{
		{"", "ada", true}, {"", "", false}, {"approvers: [Ada]", "ada", true}, {"approvers: [ada]", "eve", false}, {"approvers: [ada", "ada", false}, {"approvers: ['@']", "eve", false},
	} {
		p, _ := Parse([]byte(tt.doc), "")
		if got := p.MayApprove(tt.login); got != tt.want {
			t.Errorf("%q: %q may approve %v", tt.doc, tt.login, got)
		}
	}
}

func TestWaives(t *testing.T) {
	p := parsed(t, everything)
	for _, tt := range []struct {
		name, reason, date string
		want               bool
	}{
		{"github", "needs-auth", "2026-12-30", true},
		{"github", "needs-auth", "2026-12-31", true},
		{"github", "needs-auth", "2027-01-01", false},
		{"github", "needs-build", "2026-01-01", false},
		{"GitHub", "needs-auth", "2026-01-01", false},
		{"other", "needs-auth", "2026-01-01", false},
		{"github", "needs-auth", "", false},
		{"github", "needs-auth", "soon", false},
		{"github", "", "2026-01-01", false},
	} {
		if w, got := p.Waives(tt.name, tt.reason, tt.date); got != tt.want || got && w.Why == "" {
			t.Errorf("%+v: %v", tt, got)
		}
	}
}

func TestExcluded(t *testing.T) {
	p := parsed(t, "exclude: [{glob: 'testdata/**', reason: a}, {glob: '**/Fixtures/*.json', reason: b}, {glob: 'docs/{a,b}?.md', reason: c}]")
	for path, want := range map[string]string{
		"testdata/.mcp.json": "a", "testdata/x/y": "a", "TESTDATA/x": "a", "x/testdata/y": "", "testdata2/x": "",
		"fixtures/a.json": "b", "a/b/fixtures/a.json": "b", "a/fixtures/b/a.json": "", "docs/a1.md": "c", "docs/c1.md": "", ".mcp.json": "", "": "",
	} {
		e, ok := p.Excluded(path)
		if e.Reason != want || ok != (want != "") {
			t.Errorf("%q: excluded by %q, want %q", path, e.Reason, want)
		}
	}
}

func TestIgnored(t *testing.T) {
	const launch = "sha256:" + aDigest
	print := aDigest[:32]
	entry := func(rule, target string) string {
		return "ignore: [{rule: " + rule + ", target: '" + target + "', reason: x, expires: 2026-06-30}]"
	}
	about := func(rule string) finding.Finding {
		f := finding.New(rule, finding.Error, finding.At(".mcp.json", 1, 1), "x")
		f.Target, f.Fingerprint = "github", print
		return f
	}
	for _, tt := range []struct {
		name, doc string
		f         finding.Finding
		launch    string
		date      string
		want      bool
	}{
		{"by launch", entry("launch/shell", launch[:19]), about("launch/shell"), launch, "2026-06-30", true},
		{"by a whole digest", entry("launch/shell", launch), about("launch/shell"), launch, "2026-06-30", true},
		{"by fingerprint", entry("launch/shell", print[:12]), about("launch/shell"), "", "2026-06-30", true},
		{"with its name", entry("launch/shell", "github@"+launch[:19]), about("launch/shell"), launch, "2026-06-30", true},
		{"with another name", entry("launch/shell", "gitlab@"+launch[:19]), about("launch/shell"), launch, "2026-06-30", false},
		{"a day later", entry("launch/shell", launch[:19]), about("launch/shell"), launch, "2026-07-01", false},
		{"without a day", entry("launch/shell", launch[:19]), about("launch/shell"), launch, "", false},
		{"another rule", entry("launch/helper", launch[:19]), about("launch/shell"), launch, "2026-01-01", false},
		{"another launch", entry("launch/shell", launch[:19]), about("launch/shell"), "sha256:ff", "2026-01-01", false},
		{"no launch", entry("launch/shell", launch[:19]), about("launch/shell"), "", "2026-01-01", false},
		{"not read", entry("surface/vanished", launch[:19]), about("surface/vanished").As(finding.Undetermined), launch, "2026-01-01", false},
		{"not sealed", entry("launch/not-sealed", launch[:19]), about("launch/not-sealed").As(finding.Refused), launch, "2026-01-01", false},
		{"no policy", "", about("launch/shell"), launch, "2026-01-01", false},
	} {
		if _, got := parsed(t, tt.doc).Ignored(tt.f, tt.launch, tt.date); got != tt.want {
			t.Errorf("%s: ignored %v", tt.name, got)
		}
	}
}

func TestIgnorable(t *testing.T) {
	for rule, want := range map[string]bool{
		"launch/changed": false, "launch/changed-minor": false, "launch/local-code-changed": false, "lock/invalid": false, "lock/edited": false,
		"package/bytes-changed": false, "plugin/digest-mismatch": false, "plugin/publisher-revoked": false, "plugin/signature-invalid": false, "plugin/changed-minor": false, "plugin/skill-changed": true, "policy/gate-changed": false,
		"policy/denied": true, "surface/tool-added": true, "launch/floating": true, "text/concealment": true,
	} {
		if Ignorable(rule) != want {
			t.Errorf("%s: ignorable %v", rule, !want)
		}
	}
}

func TestExpiredAndUnused(t *testing.T) {
	p := parsed(t, everything)
	rules := func(list []finding.Finding) (out []string) {
		for _, f := range list {
			out = append(out, f.Rule+" "+f.Location.String())
		}
		return out
	}
	for _, tt := range []struct {
		date            string
		expired, unused []string
	}{
		{"2026-06-30", nil, []string{"policy/unused p.yaml:49:5"}},
		{"2026-07-01", []string{"policy/expired p.yaml:45:5", "policy/expired p.yaml:49:5"}, nil},
		{"2027-01-01", []string{"policy/expired p.yaml:31:5", "policy/expired p.yaml:45:5", "policy/expired p.yaml:49:5"}, nil},
	} {
		if d := cmp.Diff(tt.expired, rules(p.Expired(tt.date))); d != "" {
			t.Errorf("%s: expired: %s", tt.date, d)
		}
		if d := cmp.Diff(tt.unused, rules(p.Unused(map[finding.Location]bool{p.Ignore[0].At: true}, tt.date))); d != "" {
			t.Errorf("%s: unused: %s", tt.date, d)
		}
	}
}

func TestDenied(t *testing.T) {
	p := parsed(t, everything)
	at := finding.At(".mcp.json", 3, 5)
	for _, tt := range []struct {
		asked Asked
		want  int
	}{
		{Asked{Capabilities: []string{"exec"}}, 0},
		{Asked{Capabilities: []string{"exec", "spend", "control"}}, 2},
		{Asked{Ecosystem: "npm", Package: "@evil/x"}, 1},
		{Asked{Ecosystem: "npm", Package: "@EVIL/x"}, 1},
		{Asked{Ecosystem: "pypi", Package: "@evil/x"}, 0},
		{Asked{Package: "@evil/x"}, 1},
		{Asked{Ecosystem: "pypi", Package: "left-pad"}, 1},
		{Asked{Ecosystem: "npm", Package: "left-pad-2"}, 0},
		{Asked{Ecosystem: "oci", Package: "ghcr.io/a/b"}, 1},
		{Asked{Hosts: []string{"a.evil.example:443", "a.b.EVIL.example.", "evil.example:443", "evil.example"}}, 4},
		{Asked{Hosts: []string{"evil.example:80", "notevil.example", "10.1.2.3:81"}}, 0},
		{Asked{Hosts: []string{"10.1.2.3:80", "[::1]:80", "0:0:0:0:0:0:0:1"}}, 3},
	} {
		tt.asked.Name, tt.asked.At = "x", at
		found := p.Denied(tt.asked)
		if len(found) != tt.want {
			t.Errorf("%+v: %v", tt.asked, found)
		}
		for _, f := range found {
			if f.Rule != "policy/denied" || f.Location != at || len(f.Related) != 1 || f.Related[0].Line != 12 {
				t.Errorf("%+v", f)
			}
		}
	}
}

func TestServerLists(t *testing.T) {
	s := parsed(t, everything).Servers["github"]
	for host, want := range map[string]bool{"api.github.com": true, "API.github.com.": true, "raw.githubusercontent.com": true, "githubusercontent.com": false, "github.com": false} {
		if s.ListsHost(host, 443) != want {
			t.Errorf("%s: %v", host, !want)
		}
	}
	if s.ListsHost("api.github.com", 80) {
		t.Error("a listed port covers another")
	}
	if !s.ListsHost("api.github.com", 0) || s.ListsHost("github.com", 0) {
		t.Error("a name that was only looked up is not covered by its host, or by another's")
	}
	for file, want := range map[string]bool{"~/.config/gh/hosts.yml": true, "/etc/ssl/cert.pem": true, "/etc/ssl/a/b": false, "~/.aws/credentials": false} {
		if s.ListsFile(file) != want {
			t.Errorf("%s: %v", file, !want)
		}
	}
}

func TestPermits(t *testing.T) {
	n := parsed(t, everything).Network
	for _, tt := range []struct {
		host, addr string
		port       uint16
		want       bool
	}{
		{"proxy.internal", "10.9.9.9", 3128, true},
		{"PROXY.internal.", "192.168.9.9", 3128, true},
		{"proxy.internal", "192.168.9.9", 80, false},
		{"x", "10.255.0.1", 443, true},
		{"x", "::ffff:10.255.0.1", 443, true},
		{"x", "10.255.0.1", 80, false},
		{"x", "11.0.0.1", 443, false},
		{"x", "fdff::1", 443, true},
		{"x", "192.168.1.5", 80, true},
		{"x", "192.168.1.6", 80, false},
		{"10.0.0.1.example", "172.16.0.1", 443, false},
	} {
		if got := n.Permits(tt.host, netip.MustParseAddr(tt.addr), tt.port); got != tt.want {
			t.Errorf("%+v: %v", tt, got)
		}
	}
}

func TestTighten(t *testing.T) {
	for _, tt := range []struct {
		name, base string
		given      map[string]string
		rules      string
		same       string // a document that gives the same policy
	}{
		{"nothing", "fail-on: escalation", map[string]string{"start": ""}, "", "fail-on: escalation"},
		{"stricter", "fail-on: never", map[string]string{"fail-on": "drift", "start": "never", "require-pin": "exact"}, "", "{fail-on: drift, start: never, require-pin: exact}"},
		{"the same", "bumps: live", map[string]string{"bumps": "live"}, "", "bumps: live"},
		{"looser", "fail-on: drift", map[string]string{"fail-on": "never", "fail-scope": "all"}, "policy/input-ignored", "{fail-on: drift, fail-scope: all}"},
		{"unknown word", "fail-on: drift", map[string]string{"fail-on": "nevr"}, "policy/invalid", "fail-on: drift"},
		{"unknown name", "approvers: [ada]", map[string]string{"approvers": "eve"}, "policy/invalid", "approvers: [ada]"},
	} {
		p, found := Tighten(parsed(t, tt.base), tt.given)
		var rules []string
		for _, f := range found {
			rules = append(rules, f.Rule)
		}
		if strings.Join(rules, " ") != tt.rules || p.Broken() != (tt.rules == "policy/invalid") {
			t.Errorf("%s: %v, broken %v", tt.name, found, p.Broken())
		}
		if d := p.Differences(parsed(t, tt.same)); len(d) > 0 {
			t.Errorf("%s: differs in %s", tt.name, d[0].Member)
		}
	}
}

// TestTightenNeverLoosens tries every word of every input on every word of the
// policy.
func TestTightenNeverLoosens(t *testing.T) {
	for _, in := range inputs {
		for _, from := range in.words {
			for _, to := range in.words {
				base := parsed(t, in.name+": "+from)
				got, _ := Tighten(base, map[string]string{in.name: to})
				if in.value(&got) > in.value(&base) {
					t.Errorf("%s: %s became %s", in.name, from, to)
				}
			}
		}
	}
}

func TestGateChanged(t *testing.T) {
	base, head := parsed(t, "start: never\nfail-on: drift\n# a\nexclude: [{glob: a, reason: b}]"), parsed(t, "# b\nexclude:\n- {reason: b, glob: a}\nfail-on: never\n")
	var got []string
	for _, f := range GateChanged(base, head) {
		got = append(got, f.Rule+" "+f.Location.String())
	}
	if d := cmp.Diff([]string{"policy/gate-changed p.yaml:4:1", "policy/gate-changed p.yaml:1:1"}, got); d != "" {
		t.Error(d)
	}
	if found := GateChanged(base, parsed(t, "start: never\nfail-on: drift\nexclude: [{glob: a, reason: b}]\n# another comment")); len(found) > 0 {
		t.Errorf("comments change the gate: %v", found)
	}
}

func TestValidDate(t *testing.T) {
	for s, want := range map[string]bool{
		"2026-01-31": true, "2024-02-29": true, "2000-02-29": true, "1900-02-29": false, "2026-02-29": false, "2026-04-31": false,
		"2026-00-01": false, "2026-13-01": false, "2026-01-00": false, "2026-1-1": false, "": false, "2026-01-01 ": false, "２026-01-01": false,
	} {
		if ValidDate(s) != want {
			t.Errorf("%q: %v", s, !want)
		}
	}
}

func TestNearest(t *testing.T) {
	words := []string{"start", "fail-on", "fail-scope", "on-drift"}
	for typed, want := range map[string]string{"strat": "start", "failOn": "fail-on", "fail_scope": "fail-scope", "ondrift": "on-drift", "x": "", "network": "", strings.Repeat("a", 100): ""} {
		if got := nearest(typed, words); got != want {
			t.Errorf("%q: %q, want %q", typed, got, want)
		}
	}
}
