package manifest

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
)

func everyFile(string) bool { return true }

// inventoryOf reads the one file that a tree has an inventory of, as lines.
func inventoryOf(t *testing.T, tree fstest.MapFS, path string) []string {
	t.Helper()
	files, _ := Find(tree)
	for _, f := range files {
		if f.Steers == "" || f.Path != path {
			continue
		}
		var out []string
		for _, i := range ReadInventory(tree, f, everyFile).Items {
			if i.Kind != ItemText {
				out = append(out, fmt.Sprintf("%s %d:%d %s | %s", i.Kind, i.At.Line, i.At.Column, strings.Join(i.Text, "; "), i.When))
			}
		}
		return out
	}
	t.Fatalf("%s has no inventory", path)
	return nil
}

func TestInventory(t *testing.T) {
	for _, c := range []struct {
		path, text string
		want       []string
	}{
		{".claude/settings.json", `{"hooks": {"PreToolUse": [{"matcher": "Bash", "hooks": [
{"type": "command", "command": "./a.sh", "timeout": 3, "async": true},
{"type": "http", "url": "https://log.example/x", "headers": {"A": "b"}},
{"type": "prompt", "prompt": "Be kind"}]}], "Stop": "./odd.sh"}, "disableAllHooks": false}`, []string{
			`hook 2:32 ./a.sh; async true | at PreToolUse of "Bash"`,
			`hook 3:1 url https://log.example/x; headers A=b | at PreToolUse of "Bash"`,
			`hook 4:1 prompt Be kind | at PreToolUse of "Bash"`,
			`hook 4:53 ./odd.sh | at Stop`,
		}},
		{"sub/.claude/settings.local.json", `{"statusLine": {"type": "command", "command": "./s.sh", "padding": 0}, "apiKeyHelper": "./k.sh", "newHelper": "./n.sh", "someThing": {"command": "./t.sh"}, "model": "m"}`, []string{
			`helper 1:47 ./s.sh | whenever the status line is drawn`,
			`helper 1:88 ./k.sh | when a request needs a credential`,
			`helper 1:111 ./n.sh | when the host needs it`,
			`helper 1:146 ./t.sh | when the host needs it`,
		}},
		{".claude/settings.json", `{"enableAllProjectMcpServers": true, "enabledMcpjsonServers": ["a"], "env": {"NODE_OPTIONS": "--require ./x.js", "FOO": "1"},
"permissions": {"allow": ["Bash(git:*)"], "deny": ["Read(.env)"], "ask": ["Write"], "defaultMode": "bypassPermissions"}}`, []string{
			`approval 1:32 enableAllProjectMcpServers true | every server of .mcp.json starts unasked once the folder is trusted`,
			`approval 1:64 a | the server of .mcp.json starts unasked once the folder is trusted`,
			`denial 2:52 Read(.env) | is refused`,
			`denial 2:75 Write | is asked about`,
			`environment 1:94 NODE_OPTIONS=--require ./x.js | in every program that the host starts`,
			`permission 2:27 Bash(git:*) | is done unasked`,
			`permission 2:100 defaultMode bypassPermissions | from the first prompt on`,
		}},
		{".claude/settings.json", `{"enableAllProjectMcpServers": false, "permissions": {"defaultMode": "plan"}}`, nil},
		{".claude/settings.json", `{"env": {"HTTPS_PROXY": "https://u:s3cr3tpass@p.example"}, "apiKeyHelper": "echo sk-ant-api03-aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"}`, []string{
			`environment 1:25 HTTPS_PROXY=https://***@p.example | in every program that the host starts`,
			`helper 1:76 echo *** | when a request needs a credential`,
		}},
		{".claude/settings.json", `{"hooks": [1]}`, []string{`not-analysed 1:11 hooks are a list, not an object of events | `}},
		{".claude/settings.json", `[]`, []string{`not-analysed 1:1 the file holds a list, not an object | `}},
		{".claude/settings.json", ``, nil},
		{".cursor/hooks.json", `{"version": 1, "hooks": {"stop": [{"command": "./c.sh", "loop_limit": 3}]}}`, []string{`hook 1:47 ./c.sh; loop_limit 3 | at stop`}},
		{".codex/config.toml", "notify = [\"n\", \"x y\"]\napproval_policy = \"never\"\nsandbox_mode = \"danger-full-access\"\n[[hooks.Stop]]\nmatcher = \"*\"\n[[hooks.Stop.hooks]]\ntype = \"command\"\ncommand = \"./h.sh\"\ncommand_windows = \"h.cmd\"\n[hooks.state.x]\ntrusted_hash = \"1\"\n[mcp_servers.a]\ndefault_tools_approval_mode = \"approve\"\n", []string{
			`approval 13:31 default_tools_approval_mode approve | every tool of the server runs unasked`,
			`helper 1:1 n x y | when a turn ends`,
			`hook 8:11 ./h.sh; command_windows h.cmd | at Stop`,
			`permission 2:19 approval_policy never | nothing is asked about`,
			`permission 3:16 sandbox_mode danger-full-access | commands run without a sandbox`,
		}},
		{".codex/hooks.json", `{"hooks": {"SessionStart": [{"hooks": [{"type": "command", "command": "python3 s.py"}]}]}}`, []string{`hook 1:71 python3 s.py | at SessionStart`}},
		{".github/hooks/any.json", `{"version": 1, "hooks": {"preToolUse": [{"type": "command", "bash": "./b.sh", "powershell": "./b.ps1", "cwd": "x"}]}}`, []string{`hook 1:41 bash ./b.sh; powershell ./b.ps1; cwd x | at preToolUse`}},
		{".gemini/settings.json", `{"tools": {"callCommand": "c", "allowed": ["run_shell_command"], "autoAccept": true, "exclude": ["w"]}, "toolDiscoveryCommand": "d", "mcp": {"serverCommand": "s"}, "mcpServers": {"a": {"trust": true}},
"hooks": {"enabled": true, "disabled": ["x"], "BeforeTool": [{"matcher": "w", "hooks": [{"type": "command", "command": "g"}]}]}, "general": {"defaultApprovalMode": "auto_edit"}}`, []string{
			`approval 1:195 a | every tool of the server runs unasked`,
			`denial 1:98 w | is refused`,
			`denial 2:41 x | is a hook that does not run`,
			`helper 1:27 c | when a tool that was so listed is called`,
			`helper 1:129 d | when the host starts, to list tools`,
			`helper 1:159 s | when the host starts, as a server`,
			`hook 2:120 g | at BeforeTool of "w"`,
			`permission 1:44 run_shell_command | is done unasked`,
			`permission 1:80 autoAccept true | tools that only read run unasked`,
			`permission 2:165 defaultApprovalMode auto_edit | from the first prompt on`,
		}},
		{"skills/a/SKILL.md", "---\r\nname: a\r\nallowed-tools: Bash(git add:*), Read Grep\r\nhooks:\r\n  Stop:\r\n    - hooks:\r\n        - type: command\r\n          command: ./e.sh\r\n---\r\nSee !`date`.\r\n\r\n```!\nls\nid\n```\n", []string{
			`allowed-tool 3:16 Bash(git add:*) | is used unasked while the skill is followed`,
			`allowed-tool 3:16 Read | is used unasked while the skill is followed`,
			`allowed-tool 3:16 Grep | is used unasked while the skill is followed`,
			`hook 8:20 ./e.sh | at Stop`,
			`skill-command 10:7 date | when the skill is loaded`,
			`skill-command 13:1 ls; id | when the skill is loaded`,
		}},
		{"SKILL.md", "no front matter, code `!x` and a! `y`\n", nil},
		{"s/SKILL.md", "---\nname: s\ndescription: Use when: it's on\nallowed-tools: Read\n---\n", []string{`allowed-tool 4:16 Read | is used unasked while the skill is followed`}},
		{"s/skill.md", "---\nallowed-tools: *\n---\n", []string{`not-analysed 1:1 front matter: not valid YAML | `}},
		{"s/SKILL.md", "---\na: &a [Bash]\nallowed-tools: *a\ndisallowed-tools: [Write]\n---\n", []string{
			`denial 4:20 Write | is refused while the skill is followed`, `not-analysed 3:16 an alias of YAML, which is not followed | `,
		}},
		{"s/SKILL.md", "a\x00b", []string{`not-analysed 1:1 binary, or text in another encoding than UTF-8 | `}},
	} {
		t.Run(c.path, func(t *testing.T) {
			got := inventoryOf(t, fstest.MapFS{c.path: {Data: []byte(c.text)}}, c.path)
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("%s\n(-want +got)\n%s", c.text, diff)
			}
		})
	}
}

// TestBesideSkill: what cannot be looked into is said to be so, whatever its name.
func TestBesideSkill(t *testing.T) {
	tree := fstest.MapFS{"k/SKILL.md": {Data: []byte("x")}}
	for name, text := range map[string]string{
		"run.sh": "echo", "tool": "#!/usr/bin/env python3", "notes.md": "words", "logo.png": "\x89PNG\r\n\x1a\n\x00", "evil.png": "\x7fELF\x00", "evil.py": "\x89PNG\r\n\x1a\n\x00",
		"x.pyc": "plain words", "x.zip": "PK\x03\x04", "x.dat": "PK\x03\x04", "latin.sh": "echo \xe9", "lfs.sh": lfsPointer + "oid sha256:1\n", "nested/SKILL.md": "y", "nested/own.sh": "echo",
	} {
		tree["k/"+name] = &fstest.MapFile{Data: []byte(text)}
	}
	tree["k/mode"] = &fstest.MapFile{Data: []byte("x"), Mode: 0o755}
	tree["k/nowhere"] = &fstest.MapFile{Data: []byte("gone"), Mode: fs.ModeSymlink}
	tree["k/up"] = &fstest.MapFile{Data: []byte(".."), Mode: fs.ModeSymlink}
	tree["k/alike.sh"] = &fstest.MapFile{Data: []byte("run.sh"), Mode: fs.ModeSymlink}
	want := map[string]string{
		"run.sh": ItemScript, "tool": ItemScript, "mode": ItemScript, "alike.sh": ItemScript, "notes.md": ItemAsset, "logo.png": ItemAsset,
	}
	for _, name := range []string{"evil.png", "evil.py", "x.pyc", "x.zip", "x.dat", "latin.sh", "lfs.sh", "nowhere", "up"} {
		want[name] = ItemUnread
	}
	got := map[string]string{}
	for _, i := range ReadInventory(tree, Found{Path: "k/SKILL.md", Steers: Skill}, everyFile).Items {
		if i.Kind == ItemText {
			continue
		}
		got[strings.TrimPrefix(i.Place, "k/")] = i.Kind
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// TestLostLinks: a link that leads nowhere where hosts look is an inventory that says
// so, and one elsewhere is nothing.
func TestLostLinks(t *testing.T) {
	tree := fstest.MapFS{}
	for _, name := range []string{".claude", "a/.claude/settings.json", "b/SKILL.md", "c/skills/x", ".github/hooks", "d/hooks", "e/x"} {
		tree[name] = &fstest.MapFile{Data: []byte("nowhere"), Mode: fs.ModeSymlink}
	}
	files, problems := Find(tree)
	var got []string
	for _, f := range files {
		inv := ReadInventory(tree, f, everyFile)
		if !inv.Unread || len(inv.Items) != 1 || inv.Items[0].Kind != ItemUnread {
			t.Errorf("%s: %+v", f.Path, inv)
		}
		got = append(got, f.Steers+" "+f.Path)
	}
	want := []string{"project .claude", "project .github/hooks", "project a/.claude/settings.json", "skill b/SKILL.md", "skill c/skills/x"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if len(problems) > 0 {
		t.Errorf("%v", problems)
	}
}

// FuzzInventory wants no panic on any bytes, a place inside of the file and words for
// every item, and the same answer twice.
func FuzzInventory(f *testing.F) {
	paths := []string{"s/SKILL.md"}
	for _, s := range settingsFiles {
		paths = append(paths, strings.ReplaceAll(strings.Join(s.claim, "/"), "*", "a"))
	}
	for n := range paths {
		for _, s := range []string{
			"", "{", `{"hooks":{"a":[{"hooks":[{"hooks":[{"command":["x",1]}]}]}],"b":{"url":null}},"env":{"PATH":"\ud83d\ude00"}}`, `{"permissions":{"allow":[1,"Bash("],"deny":"x"}}`,
			"---\n---\n!`a`", "---\nallowed-tools: [a, *b]\nhooks: {a: [x, 1]}\n", "\ufeff---\nname: \U0001F600\n---\n```!\nx", "[[hooks.a]]\nhooks = [1]\nnotify = 1", `{"tools":{"discoveryCommand":{"a":1}},"mcpServers":{"":{"trust":true}}}`,
		} {
			f.Add([]byte(s), n)
		}
	}
	f.Fuzz(func(t *testing.T, data []byte, which int) {
		if which < 0 || which >= len(paths) {
			return
		}
		path := paths[which]
		found := Found{Path: path, Steers: Project}
		if which == 0 {
			found.Steers = Skill
		}
		read := func() Inventory { return ReadInventory(fstest.MapFS{path: {Data: data}}, found, everyFile) }
		one, two := read(), read()
		if !slices.EqualFunc(one.Items, two.Items, func(a, b Item) bool { return a.Same(b) && a.At == b.At }) {
			t.Fatal("two readings differ")
		}
		for _, i := range one.Items {
			if i.At.File != path || !inside(data, i.At) || i.Digest == "" || i.Kind != ItemText && len(i.Text) == 0 {
				t.Fatalf("%+v is not in the file, or says nothing", i)
			}
		}
	})
}

// TestHooksOfTheWild: every command of hooks that people publish is listed, in
// whatever form.
func TestHooksOfTheWild(t *testing.T) {
	files, err := filepath.Glob("../../../shared/corpus/plugins/*hooks.json")
	if err != nil || len(files) == 0 {
		t.Skip("the corpus is not here")
	}
	command := regexp.MustCompile(`"(?:command|bash|powershell|prompt)"\s*:\s*"[^"]`)
	for _, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		const path = ".codex/hooks.json"
		inv := ReadInventory(fstest.MapFS{path: {Data: data}}, Found{Path: path, Steers: Project}, everyFile)
		listed := 0
		for _, i := range inv.Items {
			if i.Kind != ItemHook {
				t.Errorf("%s: %s %v", filepath.Base(name), i.Kind, i.Text)
			}
			listed += strings.Count(strings.Join(i.Text, "\n"), "\n") + 1
		}
		if want := len(command.FindAll(data, -1)); listed < want {
			t.Errorf("%s: %d lines of %d commands", filepath.Base(name), listed, want)
		}
	}
}
