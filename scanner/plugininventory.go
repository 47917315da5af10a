package scanner

import (
	"slices"
	"strings"

	"github.com/toolwarrant/toolwarrant/finding"
	"github.com/toolwarrant/toolwarrant/lockfile"
)

// pluginWhen is when an item of a plugin counts, by its kind.
var pluginWhen = map[string]string{
	"mcp-server": "when a host enables the plugin and starts its servers", "mcp-remote": "when a host enables the plugin and connects to its servers",
	"hook": "at its event, while the plugin is enabled", lockfile.KindSkill: "when a model reads it", "skill-command": "when a host loads the skill",
}

// pluginInventory is what the declared version holds, as its lock tells it. An archive
// has one line; which kinds somebody enabled is told beside when an item counts.
func pluginInventory(v *lockfile.PluginVersion) []finding.InventoryItem {
	if v == nil {
		return nil
	}
	var out []finding.InventoryItem
	for _, i := range v.Inventory {
		item := finding.InventoryItem{Kind: i.Kind, Place: i.Place, Line: 1, Text: append([]string{}, i.Text...), When: pluginWhen[i.Kind], Digest: i.Digest}
		if kind := contributions[i.Kind]; v.State == lockfile.PluginEnabled && len(v.Only) > 0 && !slices.Contains(v.Only, kind) {
			item.When = strings.TrimSpace(item.When + " (not enabled here)")
		}
		out = append(out, item)
	}
	return out
}
