package manifest

import (
	"slices"
	"strings"
)

// claude reads .claude/settings.json of Claude Code.
func (inv *Inventory) claude(root node) {
	for _, m := range root.members {
		pointer := under("", m.name)
		when, helps := claudeHelper(m)
		switch {
		case m.name == "hooks":
			inv.hooks(pointer, m)
		case m.name == "env":
			inv.env(pointer, m)
		case m.name == "permissions":
			inv.claudePermissions(pointer, m.value)
		case m.name == "disableAllHooks" && yes(m.value):
			inv.word(pointer, m, ItemDenial, noHook)
		case m.name == "enableAllProjectMcpServers" && yes(m.value):
			inv.word(pointer, m, ItemApproval, "every server of .mcp.json starts unasked once the folder is trusted")
		case m.name == "enabledMcpjsonServers":
			inv.each(pointer, m, ItemApproval, m.name, "the server of .mcp.json starts unasked once the folder is trusted")
		case helps:
			inv.helper(pointer, m, when)
		}
	}
}

// noHook is what a switch does that turns hooks off.
const noHook = "keeps every hook from running"

// claudeHelpers are settings that hold a command, and when it runs.
var claudeHelpers = map[string]string{
	"statusLine":          "whenever the status line is drawn",
	"subagentStatusLine":  "whenever the status line of a subagent is drawn",
	"fileSuggestion":      "when a file name is completed",
	"apiKeyHelper":        "when a request needs a credential",
	"proxyAuthHelper":     "when a proxy needs a credential",
	"awsAuthRefresh":      "when a credential of the cloud has expired",
	"awsCredentialExport": "when a request needs a credential of the cloud",
	"gcpAuthRefresh":      "when a credential of the cloud has expired",
	"otelHeadersHelper":   "when telemetry is sent",
}

// claudeHelper knows the settings above, and takes what looks like another one for
// one: a name that ends like theirs, or an object with a command.
func claudeHelper(m member) (when string, ok bool) {
	if when, ok = claudeHelpers[m.name]; ok {
		return when, true
	}
	_, command := m.value.get("command")
	named := strings.HasSuffix(m.name, "Helper") || strings.HasSuffix(m.name, "AuthRefresh") || strings.HasSuffix(m.name, "CredentialExport")
	return "when the host needs it", command || named
}

// askless are the modes in which Claude Code does things unasked.
var askless = []string{"acceptEdits", "bypassPermissions", "dontAsk", "auto"}

func (inv *Inventory) claudePermissions(pointer string, n node) {
	for _, m := range n.members {
		at := under(pointer, m.name)
		switch {
		case m.name == "allow":
			inv.each(at, m, ItemPermission, m.name, "is done unasked")
		case m.name == "additionalDirectories":
			inv.each(at, m, ItemPermission, m.name, "is a folder to work in")
		case m.name == "deny":
			inv.each(at, m, ItemDenial, m.name, "is refused")
		case m.name == "ask":
			inv.each(at, m, ItemDenial, m.name, "is asked about")
		case m.name == "defaultMode" && slices.Contains(askless, m.value.text):
			inv.word(at, m, ItemPermission, "from the first prompt on")
		}
	}
}
