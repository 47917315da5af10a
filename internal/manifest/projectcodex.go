package manifest

// codex reads .codex/config.toml. Its hooks have the form of Claude Code's; what it
// keeps of their approval ([hooks.state]) it does not take from a project.
func (inv *Inventory) codex(root node) {
	for _, m := range root.members {
		pointer := under("", m.name)
		switch {
		case m.name == "hooks":
			inv.hooks(pointer, m)
		case m.name == "notify":
			inv.helper(pointer, m, "when a turn ends")
		case m.name == "approval_policy" && m.value.text == "never":
			inv.word(pointer, m, ItemPermission, "nothing is asked about")
		case m.name == "sandbox_mode" && m.value.text == "danger-full-access":
			inv.word(pointer, m, ItemPermission, "commands run without a sandbox")
		case m.name == "shell_environment_policy":
			if set, ok := m.value.get("set"); ok {
				inv.env(under(pointer, "set"), set)
			}
		case m.name == "features":
			for _, s := range m.value.members {
				if (s.name == "hooks" || s.name == "codex_hooks") && no(s.value) {
					inv.word(under(pointer, s.name), s, ItemDenial, noHook)
				}
			}
		case m.name == "mcp_servers":
			inv.codexServers(pointer, m.value)
		}
	}
}

// codexServers lists servers whose tools run unasked.
func (inv *Inventory) codexServers(pointer string, servers node) {
	for _, s := range servers.members {
		if mode, ok := s.value.get("default_tools_approval_mode"); ok && mode.value.text == "approve" {
			inv.word(under(under(pointer, s.name), mode.name), mode, ItemApproval, "every tool of the server runs unasked")
		}
	}
}
