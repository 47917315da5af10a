package report_test

import (
	"fmt"
	"strings"

	"github.com/toolwarrant/toolwarrant/finding"
)

// plugins are checked archives: one with everything, one that says nothing of
// itself, one that is hostile, one that is rejected, and two that nobody read.
func plugins() map[string]finding.Plugin {
	hex := strings.TrimPrefix(digest, "sha256:")
	accepted := finding.Plugin{
		Schema: finding.PluginSchema, File: "notes.zip", Verdict: finding.Accepted, Outcome: finding.Clean, ArchiveSHA256: hex, ArchiveBytes: 2479,
		PackageFingerprint: hex, Signature: finding.PluginSignature{Present: true, Valid: true, PublisherFingerprint: hex},
		ID: "notes", Version: "1.2.3", Name: "Notes", Publisher: "example.publisher", Files: 6, Findings: []finding.Finding{},
		Inventory: []finding.PluginItem{
			{Kind: "mcp-server", Place: "plugin.json#/mcp_servers/0", Text: []string{"/usr/local/bin/notes", "--root", "/srv"}, Digest: digest},
			{Kind: "mcp-remote", Place: "plugin.json#/mcp_servers/1", Text: []string{"https://mcp.example/api", "credential notes_1"}, Digest: digest},
			{Kind: "hook", Place: "plugin.json#/hooks/0", Text: []string{"deny at pre_tool of replace_file", "Notes are read alone."}, Digest: digest},
			{Kind: "skill", Place: "skills/notes/SKILL.md", Text: []string{"Reads notes.", "read_file"}, Digest: digest},
			{Kind: "skill-command", Place: "skills/notes/SKILL.md", Text: []string{"git status"}, Digest: digest},
		},
	}
	trusted := accepted
	trusted.Signature.Trusted = true
	empty := accepted
	empty.Inventory, empty.Signature, empty.Pinned = []finding.PluginItem{}, finding.PluginSignature{}, true
	hostile := accepted
	hostile.ID, hostile.Name, hostile.Publisher = "a\u202eb\x1b[2J", "::error::x\n##[group]", "\u200b"
	hostile.Inventory = []finding.PluginItem{{Kind: "skill", Place: "skills/\n::warning::/SKILL.md", Text: []string{"\"quoted\" \x07 ##[x]"}, Digest: digest}}
	for i := range 14 {
		f := finding.New("plugin/hidden-characters", finding.Warning, finding.At("notes.zip", 0, 0), fmt.Sprintf("plugin.json#/description: text %d holds characters that do not show", i))
		hostile.Findings = append(hostile.Findings, f.As(finding.Clean))
	}
	rejected := finding.Plugin{Schema: finding.PluginSchema, File: "notes.zip", Verdict: finding.Rejected, Outcome: finding.Escalation, ExitCode: 4,
		ArchiveSHA256: hex, ArchiveBytes: 99, Reason: "../evil.md: its path does not stay inside of a folder", Inventory: []finding.PluginItem{}}
	f := finding.New("plugin/archive-unsafe", finding.Error, finding.At("notes.zip", 0, 0), rejected.Reason)
	f.Hint = "Do not install it."
	rejected.Findings = []finding.Finding{f}
	unread, device := finding.UnreadPlugin("https://plugins.example/notes.zip", finding.Undetermined, "the host broke off in the middle of the archive: try again, and check the network and the proxy"), finding.UnreadPlugin("/dev/zero", finding.Refused, "it is no plain file")
	unread.ExitCode, device.ExitCode = 5, 6
	return map[string]finding.Plugin{"accepted": accepted, "trusted": trusted, "empty": empty, "hostile": hostile, "rejected": rejected, "unread": unread, "refused": device}
}
