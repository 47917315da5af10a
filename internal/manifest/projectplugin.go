package manifest

// plugin reads what plugin.json of a plugin for Claude Code, Codex or Cursor itself
// makes a host run. Files that it names by a path are not followed: each such path is
// an item that was not analysed, unless it names hooks/hooks.json, which is read alone.
func (inv *Inventory) plugin(root node) {
	for _, m := range root.members {
		pointer := under("", m.name)
		switch m.name {
		case "hooks":
			inv.pluginHooks(pointer, m)
		case "mcpServers":
			inv.programs(pointer, m, "when the plugin is on, as a server")
		case "lspServers":
			inv.programs(pointer, m, "when the plugin is on, as a language server")
		case "monitors":
			inv.programs(pointer, m, "from the start of a session on")
		case "experimental":
			if e, ok := m.value.get("monitors"); ok {
				inv.programs(under(pointer, e.name), e, "from the start of a session on")
			}
		}
	}
}

// pluginHooks lists hooks that stand in the manifest.
func (inv *Inventory) pluginHooks(pointer string, m member) {
	switch {
	case m.value.kind == object:
		if h, ok := m.value.get("hooks"); ok && h.value.kind == object {
			pointer, m = under(pointer, h.name), h
		}
		inv.hooks(pointer, m)
	case m.value.kind == text && (m.value.text == "./hooks/hooks.json" || m.value.text == "hooks/hooks.json"):
	case m.value.kind != null:
		inv.unread(pointer, m.value.at, "hooks in files that the manifest names", canonical(m.value, nil))
	}
}

// programs lists what a map or a list of servers or monitors starts.
func (inv *Inventory) programs(pointer string, m member, when string) {
	switch m.value.kind {
	case object:
		for _, s := range m.value.members {
			inv.program(under(pointer, s.name), s, when)
		}
	case null:
	default:
		inv.unread(pointer, m.value.at, "what runs stands in files that the manifest names, or in a list", canonical(m.value, nil))
	}
}

// program lists one server or monitor.
func (inv *Inventory) program(pointer string, s member, when string) {
	if s.value.kind != object {
		inv.unread(pointer, s.value.at, "a program is "+s.value.kind.String()+", not an object", canonical(s.value, nil))
		return
	}
	inv.helper(pointer, s, when)
}

// geminiExtension reads gemini-extension.json of an extension for Gemini CLI.
func (inv *Inventory) geminiExtension(root node) {
	for _, m := range root.members {
		pointer := under("", m.name)
		switch m.name {
		case "mcpServers":
			inv.programs(pointer, m, "when the extension is on, as a server")
		case "excludeTools":
			inv.each(pointer, m, ItemDenial, "exclude", "is refused")
		}
	}
}
