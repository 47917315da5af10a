package manifest

// cursor reads .cursor/hooks.json: {"version": 1, "hooks": {event: [handler]}}.
func (inv *Inventory) cursor(root node) { inv.rootHooks(root) }

// copilot reads .github/hooks/*.json of GitHub Copilot, which has the same form with
// one command for each shell.
func (inv *Inventory) copilot(root node) { inv.rootHooks(root) }

// codexHooks reads .codex/hooks.json.
func (inv *Inventory) codexHooks(root node) { inv.rootHooks(root) }

func (inv *Inventory) rootHooks(root node) {
	for _, m := range root.members {
		if m.name == "hooks" {
			inv.hooks(under("", m.name), m)
		}
	}
}
