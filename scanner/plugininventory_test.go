package scanner

import (
	"testing"

	"github.com/toolwarrant/toolwarrant/finding"
	"github.com/toolwarrant/toolwarrant/lockfile"
)

// TestPluginInventory: a report lists what the declared version holds, with the
// digests of its lock, and says what was not enabled.
func TestPluginInventory(t *testing.T) {
	signed := pack(t, "1.0.0", "example", 1, nil)
	lock := handMade(locked(t, lockfile.PluginEnabled, false, signed), func(p *lockfile.Plugin) { p.Versions[0].Only = []string{"skills"} })
	s := side{signed, []string{keyOf(1)}, nil, lock}
	_, _, target := judgedChange(t, Options{Head: s.tree(t), Plugins: hosted{notesAddress: signed}, Anchor: Anchor{Kind: "head", FS: s.tree(t)}})
	if len(target.Inventory) != 1 {
		t.Fatalf("%+v", target.Inventory)
	}
	got, want := target.Inventory[0], lock.Versions[0].Inventory[0]
	if got.Kind != "hook" || got.Place != want.Place || got.Digest != want.Digest || got.When != "at its event, while the plugin is enabled (not enabled here)" {
		t.Errorf("%+v", got)
	}
	if reportPlugin(PluginTarget{Name: "a", Lock: &PluginLock{Plugin: *lock}}, verified{found: finding.Clean}).Inventory != nil {
		t.Error("an inventory of a version that nobody declares")
	}
}
