package manifest

import "strings"

// gemini reads .gemini/settings.json of Gemini CLI: its settings by sections, and
// those that stood at the root in its first format.
func (inv *Inventory) gemini(root node) {
	for _, m := range root.members {
		pointer := under("", m.name)
		switch m.name {
		case "hooks":
			inv.hooks(pointer, m)
			inv.geminiSwitches(pointer, m.value)
		case "hooksConfig":
			inv.geminiSwitches(pointer, m.value)
		case "mcpServers":
			inv.geminiServers(pointer, m.value)
		case "tools", "mcp", "general":
			for _, s := range m.value.members {
				inv.geminiSetting(under(pointer, s.name), m.name+"."+s.name, s)
			}
		default:
			inv.geminiSetting(pointer, m.name, m)
		}
	}
}

// geminiSwitches lists what turns hooks off, all or some by name.
func (inv *Inventory) geminiSwitches(pointer string, n node) {
	for _, m := range n.members {
		switch {
		case m.name == "enabled" && no(m.value):
			inv.word(under(pointer, m.name), m, ItemDenial, noHook)
		case m.name == "disabled":
			inv.each(under(pointer, m.name), m, ItemDenial, "disabled", "is a hook that does not run")
		}
	}
}

func (inv *Inventory) geminiSetting(pointer, name string, m member) {
	switch name {
	case "tools.discoveryCommand", "toolDiscoveryCommand":
		inv.helper(pointer, m, "when the host starts, to list tools")
	case "tools.callCommand", "toolCallCommand":
		inv.helper(pointer, m, "when a tool that was so listed is called")
	case "mcp.serverCommand", "mcpServerCommand":
		inv.helper(pointer, m, "when the host starts, as a server")
	case "tools.allowed", "allowedTools":
		inv.each(pointer, m, ItemPermission, "allowed", "is done unasked")
	case "tools.exclude", "excludeTools":
		inv.each(pointer, m, ItemDenial, "exclude", "is refused")
	case "tools.autoAccept", "autoAccept":
		if yes(m.value) {
			inv.word(pointer, m, ItemPermission, "tools that only read run unasked")
		}
	case "general.defaultApprovalMode", "defaultApprovalMode":
		if mode := strings.ToLower(m.value.text); mode == "yolo" || mode == "auto_edit" {
			inv.word(pointer, m, ItemPermission, "from the first prompt on")
		}
	}
}

// geminiServers lists servers that are trusted; what such a word means is told
// where the server is read.
func (inv *Inventory) geminiServers(pointer string, servers node) {
	for _, s := range servers.members {
		for _, m := range s.value.members {
			if m.name == "trust" && yes(m.value) {
				at := under(under(pointer, s.name), m.name)
				inv.add(Item{Kind: ItemApproval, Place: placeOf(inv.Path, at), At: m.value.at, Group: at, Text: []string{s.name},
					When: "every tool of the server runs unasked", Told: true}, s.name)
			}
		}
	}
}
