package policy

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/toolwarrant/toolwarrant/finding"
	"github.com/toolwarrant/toolwarrant/internal/surface"
)

// everyDefault spells the defaults out, as the documentation does.
const everyDefault = `start: approved          # approved | never
fail-on: undetermined
anchor-branches: []
fail-scope: touched
approval: review
approvers: []
bumps: review
require-pin: none
network: {allow: []}
on-drift: issue
deny: {capabilities: [], packages: [], hosts: []}
exclude: []
servers: {}
publishers: {trusted: [], revoked: []}
plugins: []
ignore: []
`

const (
	aDigest = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
	aCommit = "0123456789abcdef0123456789abcdef01234567"
)

// everything uses every member.
const everything = `start: never
fail-on: drift
anchor-branches: [release/1.x, "next"]
fail-scope: all
approval: codeowners
approvers: [ada, grace-h, corp_user]
bumps: live
require-pin: exact
network:
  allow: ["proxy.internal:3128", "10.0.0.0/8:443", "[fd00::/8]:443", "192.168.1.5:80", "[::1]:8080"]
on-drift: pull-request
deny:
  capabilities: [spend, control]
  packages: ["npm:@evil/*", "left-pad", "oci:ghcr.io/**"]
  hosts: ["*.evil.example", "10.1.2.3:80", "::1", "evil.example:443"]
exclude:
  - glob: testdata/**
    reason: fixtures
  - {glob: "examples/*.{json,toml}", reason: "shown, not used"}
servers:
  github:
    env: [GITHUB_TOKEN]
    hosts: ["api.github.com:443", "*.githubusercontent.com"]
    files: ["~/.config/gh/hosts.yml", "/etc/ssl/*"]
    network: true
    timeout: 1m30s
    memory: 2GiB
    cwd: tools/github
    local: same-repository
    scripts: false
    waive:
      reason: needs-auth
      why: |
        Nobody may hold the token here.
        The vendor has no test account.
      until: 2026-12-31
  "日本 😀": {}
publishers:
  trusted: [` + aDigest + `]
  revoked: ["1123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"]
plugins:
  - {name: a/b, url: "https://plugins.example/a.zip", sha256: ` + aDigest + `}
  - {name: c, git: "https://git.example/c.git", commit: ` + aCommit + `, path: plugins/c}
ignore:
  - rule: launch/shell
    target: sha256:0123456789ab
    reason: the script is ours
    expires: "2026-06-30"
  - {rule: text/hidden-characters, target: github@0123456789abcdef, reason: flags of countries, expires: 2026-06-30}
`

// good are documents that the reader and the schema take.
var good = []struct{ name, doc string }{
	{"empty", "{}"},
	{"every default", everyDefault},
	{"everything", everything},
	{"JSON", `{"start": "never", "servers": {"a": {"waive": {"reason": "needs-auth", "why": "x", "until": "2024-02-29"}}}}`},
	{"a timeout in hours", "servers: {a: {timeout: 1h}}"},
	{"the root as a folder", "servers: {a: {cwd: .}}"},
	{"a name that looks like a number", "servers: {\"123\": {network: True}}"},
	{"a denied host with a dash", "deny: {hosts: [a-b.example, _srv.example]}"},
	{"a glob for all", "exclude: [{glob: '**', reason: moved away}]"},
	{"a scoped package", "deny: {packages: ['@scope/pkg', 'git:github.com/x/*']}"},
}

// bad are documents that the reader refuses, each for one thing.
var bad = []struct {
	name, doc    string
	at           string // line:column of the first finding
	says         string // in its message or hint
	passesSchema bool
}{
	{"not a mapping", "- start", "1:1", "a list where a mapping", false},
	{"a word alone", "never", "1:1", "a text where a mapping", false},
	{"null", "~", "1:1", "nothing where a mapping", false},
	{"unknown key", "start: never\nfail_on: drift", "2:1", "did you mean fail-on?", false},
	{"unknown key, other case", "FailOn: drift", "1:1", "did you mean fail-on?", false},
	{"unknown key, unlike any", "zzzzzz: drift", "1:1", "allowed here: start, fail-on", false},
	{"duplicate key", "start: never\nstart: approved", "2:1", "stands twice", true},
	{"a key that is a number", "1: never", "1:1", "put it in quotes", false},
	{"a key that is a list", "? [a]\n: b", "1:3", "a list where a text", false},
	{"unknown word", "start: nevr", "1:8", "did you mean never?", false},
	{"a word in capitals", "start: Never", "1:8", "did you mean never?", false},
	{"a number for a word", "fail-on: 3", "1:10", "a number where a text", false},
	{"nothing for a word", "fail-on:", "1:9", "nothing where a text", false},
	{"true for a word", "bumps: true", "1:8", "true or false where a text", false},
	{"a list for a word", "approval: [review]", "1:11", "a list where a text", false},
	{"the default of local", "servers: {a: {local: ''}}", "1:22", "is empty", false},
	{"a text for a list", "approvers: ada", "1:12", "a text where a list", false},
	{"nothing for a list", "exclude:", "1:9", "nothing where a list", false},
	{"nothing for servers", "servers:", "1:9", "nothing where a mapping", false},
	{"a team as approver", "approvers: ['@org/team']", "1:13", "a login", false},
	{"a bot as approver", "approvers: ['x[bot]']", "1:13", "a login", false},
	{"an empty approver", "approvers: ['']", "1:13", "is empty", false},
	{"a number as approver", "approvers: [123]", "1:13", "put it in quotes", false},
	{"a full ref", "anchor-branches: [refs/heads/x]", "1:19", "without refs/heads/", false},
	{"a pattern of branches", "anchor-branches: ['release/*']", "1:19", "patterns are not taken", false},
	{"a branch that climbs", "anchor-branches: [a..b]", "1:19", "a branch's name", false},
	{"a branch of ours", "anchor-branches: [toolwarrant/update]", "1:19", "does not write", false},
	{"a network without a port", "network: {allow: [proxy.internal]}", "1:19", "host:port", false},
	{"a network with bits set", "network: {allow: ['10.1.0.0/8:443']}", "1:19", "bits are zero", true},
	{"a network of any host", "network: {allow: ['*.internal:443']}", "1:19", "host:port", false},
	{"a port too high", "network: {allow: ['a:65536']}", "1:19", "host:port", true},
	{"an unknown network key", "network: {alow: []}", "1:11", "did you mean allow?", false},
	{"unknown capability", "deny: {capabilities: [fs.raed]}", "1:23", "did you mean fs.read?", false},
	{"a denied version", "deny: {packages: ['left-pad@1.0.0']}", "1:19", "without a version", false},
	{"a broken pattern", "deny: {packages: ['a[b']}", "1:19", "a package's name", true},
	{"a denied address", "deny: {hosts: ['https://evil.example']}", "1:16", "a host or host:port", false},
	{"an address not in full", "deny: {hosts: ['10.1']}", "1:16", "a host or host:port", true},
	{"exclude without a reason", "exclude:\n  - glob: a/**", "2:5", "has no reason", false},
	{"exclude with an empty reason", "exclude: [{glob: a/**, reason: ' '}]", "1:32", "reason is empty", false},
	{"exclude with an unknown key", "exclude: [{glob: a, reason: b, until: c}]", "1:32", "unknown key", false},
	{"exclude a folder", "exclude: [{glob: a/, reason: b}]", "1:18", `"folder/**"`, false},
	{"exclude outside", "exclude: [{glob: ../a, reason: b}]", "1:18", "without ..", false},
	{"exclude from the root", "exclude: [{glob: /a, reason: b}]", "1:18", "from the repository's root", false},
	{"exclude with a backslash", `exclude: [{glob: 'a\b', reason: b}]`, "1:18", "backslashes", false},
	{"an open bracket", "exclude: [{glob: 'a[b', reason: b}]", "1:18", "a pattern of", true},
	{"too many stars", "exclude: [{glob: '" + strings.Repeat("*a", 20) + "', reason: b}]", "1:18", "at most", true},
	{"an entry that is a text", "exclude: [a/**]", "1:11", "a text where a mapping", false},
	{"a variable with a value", "servers: {a: {env: ['A=b']}}", "1:21", "without a value", false},
	{"a server that is nothing", "servers:\n  a:", "2:5", "nothing where a mapping", false},
	{"a server without a name", "servers: {'': {}}", "1:11", "without a name", false},
	{"a server twice", "servers: {a: {}, a: {}}", "1:18", "stands twice", true},
	{"unknown member of a server", "servers:\n  a:\n    waiv: {}", "3:5", "did you mean waive?", false},
	{"network as a mapping", "servers: {a: {network: {}}}", "1:24", "true or false belongs", false},
	{"network as a text", "servers: {a: {network: 'true'}}", "1:24", "a text where true or false", false},
	{"a timeout without a unit", "servers: {a: {timeout: 90}}", "1:24", "a number where a text", false},
	{"a timeout in milliseconds", "servers: {a: {timeout: 90ms}}", "1:24", "from 1s to 1h", false},
	{"a timeout of nothing", "servers: {a: {timeout: 0s}}", "1:24", "from 1s to 1h", true},
	{"a timeout of a day", "servers: {a: {timeout: 24h}}", "1:24", "from 1s to 1h", true},
	{"memory in other units", "servers: {a: {memory: 2GB}}", "1:23", "512MiB", false},
	{"memory without end", "servers: {a: {memory: 999999GiB}}", "1:23", "64GiB", true},
	{"a folder outside", "servers: {a: {cwd: ../b}}", "1:20", "without ..", false},
	{"an absolute folder", "servers: {a: {cwd: /b}}", "1:20", "from the repository's root", false},
	{"a decoy of no home", "servers: {a: {files: [.aws/credentials]}}", "1:23", "~/", false},
	{"an unknown local", "servers: {a: {local: always}}", "1:22", "same-repository", false},
	{"a waiver without a why", "servers: {a: {waive: {reason: needs-auth, until: 2026-01-01}}}", "1:22", "has no why", false},
	{"a waiver without an end", "servers: {a: {waive: {reason: needs-auth, why: x}}}", "1:22", "has no until", false},
	{"a waiver with an empty why", "servers: {a: {waive: {reason: needs-auth, why: '', until: 2026-01-01}}}", "1:48", "why is empty", false},
	{"a waiver for anything", "servers: {a: {waive: {reason: timeout, why: x, until: 2026-01-01}}}", "1:31", "needs-auth", false},
	{"a day that is none", "servers: {a: {waive: {reason: needs-auth, why: x, until: 2026-02-29}}}", "1:58", "yyyy-mm-dd", true},
	{"a day of other form", "servers: {a: {waive: {reason: needs-auth, why: x, until: 31.12.2026}}}", "1:58", "yyyy-mm-dd", false},
	{"a time of a day", "servers: {a: {waive: {reason: needs-auth, why: x, until: 2026-01-01T00:00:00Z}}}", "1:58", "yyyy-mm-dd", false},
	{"a publisher's name", "publishers: {trusted: [acme]}", "1:24", "64 lower-case hex", false},
	{"a publisher in both", "publishers: {trusted: [" + aDigest + "], revoked: [" + aDigest + "]}", "1:13", "both trusted and revoked", true},
	{"a plugin without a source", "plugins: [{name: a}]", "1:11", "one source", false},
	{"a plugin with two", "plugins: [{name: a, url: 'https://a.example/a', sha256: " + aDigest + ", git: 'https://a.example/a', commit: " + aCommit + ", path: a}]", "1:11", "one source", false},
	{"a plugin over http", "plugins: [{name: a, url: 'http://a.example/a', sha256: " + aDigest + "}]", "1:26", "https", false},
	{"a plugin with a password", "plugins: [{name: a, url: 'https://u:p@a.example/a', sha256: " + aDigest + "}]", "1:26", "without user name", false},
	{"a plugin at a branch", "plugins: [{name: a, git: 'https://a.example/a', commit: main, path: a}]", "1:57", "full commit id", false},
	{"two plugins of one name", "plugins: [{name: a, url: 'https://a.example/a', sha256: " + aDigest + "}, {name: a, url: 'https://a.example/b', sha256: " + aDigest + "}]", "1:124", "one name", true},
	{"ignore a changed launch", "ignore: [{rule: launch/changed, target: 'sha256:0123456789ab', reason: x, expires: 2026-01-01}]", "1:17", "cannot", false},
	{"ignore its minor", "ignore: [{rule: launch/changed-minor, target: 'sha256:0123456789ab', reason: x, expires: 2026-01-01}]", "1:17", "cannot", false},
	{"ignore a lock", "ignore: [{rule: lock/invalid, target: 'sha256:0123456789ab', reason: x, expires: 2026-01-01}]", "1:17", "cannot", false},
	{"ignore all rules", "ignore: [{rule: '*', target: 'sha256:0123456789ab', reason: x, expires: 2026-01-01}]", "1:17", "a rule's id", false},
	{"ignore a name", "ignore: [{rule: launch/shell, target: github, reason: x, expires: 2026-01-01}]", "1:39", "launch digest", false},
	{"ignore a short digest", "ignore: [{rule: launch/shell, target: 'sha256:0123', reason: x, expires: 2026-01-01}]", "1:39", "12 hex", false},
	{"ignore for ever", "ignore: [{rule: launch/shell, target: 'sha256:0123456789ab', reason: x}]", "1:10", "has no expires", false},
	{"a hidden character by escape", `exclude: [{glob: "a\u202eb", reason: b}]`, "1:18", "U+202E", true},
	{"a glob of two lines", "exclude: [{glob: \"a\\nb\", reason: b}]", "1:18", "more than one line", true},
	{"after CJK and emoji", "exclude: [{reason: '日本 😀', glob: a/}]", "1:35", `"folder/**"`, false},
	{"a key after emoji", "{start: never, servers: {😀😀: {}, b: {x: 1}}}", "1:40", "unknown key", false},
}

func TestGood(t *testing.T) {
	for _, tt := range good {
		if p, found := Parse([]byte(tt.doc), "p.yaml"); len(found) > 0 || p.Broken() {
			t.Errorf("%s: %v", tt.name, found)
		}
	}
}

func TestBad(t *testing.T) {
	for _, tt := range bad {
		t.Run(tt.name, func(t *testing.T) {
			p, found := Parse([]byte(tt.doc), "p.yaml")
			if !p.Broken() || len(found) != 1 {
				t.Fatalf("broken %v, findings %v", p.Broken(), found)
			}
			f := found[0]
			if f.Rule != "policy/invalid" || f.Outcome != finding.Escalation || f.Location.String() != "p.yaml:"+tt.at || !strings.Contains(f.Message+f.Hint, tt.says) {
				t.Errorf("%s: %s (%s), want %s %q", f.Location, f.Message, f.Hint, tt.at, tt.says)
			}
			if loose := looser(p); loose != "" {
				t.Errorf("looser than the default: %s", loose)
			}
		})
	}
}

// looser names a member in which p accepts more than the default.
func looser(p Policy) string {
	d := Default()
	for name, loose := range map[string]bool{
		"start": p.Start > d.Start, "fail-on": p.FailOn > d.FailOn, "fail-scope": p.FailScope > d.FailScope, "approval": p.Approval > d.Approval,
		"bumps": p.Bumps > d.Bumps, "require-pin": p.RequirePin > d.RequirePin, "anchor-branches": len(p.AnchorBranches) > 0,
		"network": len(p.Network.Allow) > 0, "exclude": len(p.Exclude) > 0, "servers": len(p.Servers) > 0, "trusted": len(p.Publishers.Trusted) > 0,
		"plugins": len(p.Plugins) > 0, "ignore": len(p.Ignore) > 0, "approvers": p.MayApprove("anybody"),
	} {
		if loose {
			return name
		}
	}
	return ""
}

func TestSyntaxErrors(t *testing.T) {
	for _, tt := range []struct{ doc, at, says string }{
		{"start: never\n\tfail-on: drift\n", "2:2", "tab"},
		{"# c\nstart: never\nservers:\n  a: {\n    network: true\n", "4:3", "not closed"},
		{"start: never\nfail-on: drift: x\n", "2:1", "colon"},
		{"start: never\nfail-on\nbumps: live\n", "2:1", "colon"},
		{"start: never\napprovers:\n  - a\n b: c\n", "4:2", "indentation"},
		{"servers:\n  a:\n    env: [\n      A,\n      B,\n    ]\n  b: {}}\n", "7:3", "indentation"},
		{"start: \"never\n", "1:1", "not closed"},
		{"start: \"\\q\"\n", "1:1", "escape"},
		{"start: @never\n", "1:1", "cannot stand here"},
	} {
		p, found := Parse([]byte(tt.doc), "p.yaml")
		if !p.Broken() || len(found) != 1 || found[0].Location.String() != "p.yaml:"+tt.at || !strings.Contains(found[0].Message, tt.says) {
			t.Errorf("%q: %v, want %s %q", tt.doc, found, tt.at, tt.says)
		}
	}
}

func TestDefaults(t *testing.T) {
	want := Default()
	for _, doc := range []string{"", "# nothing\n", everyDefault} {
		got, found := Parse([]byte(doc), "")
		if len(found) > 0 {
			t.Fatal(found)
		}
		if d := got.Differences(want); len(d) > 0 {
			t.Errorf("%q differs from the defaults: %s %s", doc, d[0].Member, d[0].New)
		}
	}
	if len(GateChanged(want, want)) > 0 {
		t.Error("a policy differs from itself")
	}
}

func TestEverything(t *testing.T) {
	p, found := Parse([]byte(everything), "p.yaml")
	if len(found) > 0 {
		t.Fatal(found)
	}
	at := func(line, column int) finding.Location { return finding.At("p.yaml", line, column) }
	want := map[string]Server{"github": {
		Env: []string{"GITHUB_TOKEN"}, Hosts: []string{"api.github.com:443", "*.githubusercontent.com"}, Files: []string{"~/.config/gh/hosts.yml", "/etc/ssl/*"},
		Network: true, Timeout: 90, Memory: 2 << 30, Cwd: "tools/github", Local: LocalSameRepository, At: at(21, 3),
		Waive: &Waiver{"needs-auth", "Nobody may hold the token here.\nThe vendor has no test account.", "2026-12-31", at(31, 5)},
	}, "日本 😀": {At: at(37, 3)}}
	if d := cmp.Diff(want, p.Servers); d != "" {
		t.Error(d)
	}
	wantIgnore := []Ignore{
		{"launch/shell", "sha256:0123456789ab", "the script is ours", "2026-06-30", at(45, 5)},
		{"text/hidden-characters", "github@0123456789abcdef", "flags of countries", "2026-06-30", at(49, 5)},
	}
	if d := cmp.Diff(wantIgnore, p.Ignore); d != "" {
		t.Error(d)
	}
	wantPlugins := []Plugin{{Name: "a/b", URL: "https://plugins.example/a.zip", SHA256: aDigest}, {Name: "c", Git: "https://git.example/c.git", Commit: aCommit, Path: "plugins/c"}}
	if d := cmp.Diff(wantPlugins, p.Plugins, cmpopts.IgnoreFields(Plugin{}, "At")); d != "" {
		t.Error(d)
	}
	var allowed []string
	for _, a := range p.Network.Allow {
		allowed = append(allowed, a.String())
	}
	if d := cmp.Diff([]string{"proxy.internal:3128", "10.0.0.0/8:443", "[fd00::/8]:443", "192.168.1.5/32:80", "[::1/128]:8080"}, allowed); d != "" {
		t.Error(d)
	}
	words := []string{p.Start.String(), p.FailOn.String(), p.FailScope.String(), p.Approval.String(), p.Bumps.String(), p.RequirePin.String(), p.OnDrift.String()}
	if d := cmp.Diff([]string{"never", "drift", "all", "codeowners", "live", "exact", "pull-request"}, words); d != "" {
		t.Error(d)
	}
	if got := len(p.Differences(Default())); got != 16 {
		t.Errorf("%d members differ from the defaults, want all 16", got)
	}
}

// TestZero: what nobody filled in accepts nothing.
func TestZero(t *testing.T) {
	var p Policy
	if loose := looser(p); !p.Broken() || loose != "" || p.Start != StartNever || !p.Fails(finding.Drift) {
		t.Errorf("the zero policy is loose in %q", loose)
	}
	if p, _ := Parse([]byte("start: [\n"), ""); p.Start != StartNever || !p.Fails(finding.Drift) || p.MayApprove("ada") {
		t.Error("a policy that was not read lets something start, pass or be approved")
	}
}

// TestBrokenKeepsWhatTightens: an error does not take back what the rest of
// the file forbids.
func TestBrokenKeepsWhatTightens(t *testing.T) {
	p, found := Parse([]byte("start: never\nfail-on: never\nbumps: live\ndeny: {capabilities: [exec, exce]}\nexclude: [{glob: '**', reason: x}]\nrequire-pin: exact\n"), "")
	if len(found) != 1 || p.Start != StartNever || p.FailOn != FailUndetermined || p.Bumps != BumpsReview || p.RequirePin != PinExact ||
		len(p.Exclude) != 0 || !slices.Equal(p.Deny.Capabilities, []string{"exec"}) {
		t.Errorf("%v %+v", found, p)
	}
}

// TestCapabilities: the words are those that surfaces have.
func TestCapabilities(t *testing.T) {
	known := []surface.Capability{
		surface.Exec, surface.FSRead, surface.FSWrite, surface.Net, surface.ServiceRead, surface.ServiceWrite, surface.Destructive,
		surface.Credentials, surface.Send, surface.Spend, surface.Control, surface.Pure, surface.Unknown,
	}
	var want []string
	for _, c := range known {
		want = append(want, string(c))
	}
	if d := cmp.Diff(want, capabilities); d != "" {
		t.Error(d)
	}
}

// TestKeysAreQuoted: a key cannot move a cursor; a value is not shown at all.
func TestKeysAreQuoted(t *testing.T) {
	_, found := Parse([]byte(`{"a\u001b[31mb\u202e": never, start: "s3cr3t-value"}`), "p.yaml")
	if len(found) != 2 || strings.ContainsAny(found[0].Message, "\x1b\u202e") || strings.Contains(found[1].Message+found[1].Hint, "s3cr3t") {
		t.Errorf("%+v", found)
	}
}

func FuzzParse(f *testing.F) {
	for _, tt := range good {
		f.Add([]byte(tt.doc))
	}
	for _, tt := range bad {
		f.Add([]byte(tt.doc))
	}
	f.Add([]byte("start: \"never\n"))
	f.Add([]byte("a: &a [*a]\n---\n%X\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		p, found := Parse(data, "p.yaml")
		for _, x := range found {
			if x.Location.Line < 1 || x.Location.Column < 1 || x.Rule != "policy/invalid" {
				t.Fatalf("%+v", x)
			}
		}
		if p.Broken() != (len(found) > 0) {
			t.Fatalf("broken %v with %d findings", p.Broken(), len(found))
		}
		if loose := looser(p); p.Broken() && loose != "" {
			t.Fatalf("broken, and looser than the default in %s", loose)
		}
		p.Differences(Default())
		p.Excluded("a/b")
		p.Expired("2026-01-01")
	})
}
