package scanner

import (
	"fmt"

	"github.com/toolwarrant/toolwarrant/finding"
	"github.com/toolwarrant/toolwarrant/lockfile"
)

var ruleOtherChanged = Rule{
	ID:     "surface/other-changed",
	Title:  "Something else differs",
	Why:    "Nothing that a server declares goes unseen: hosts may use members that no rule knows.",
	Remedy: "Look at the named JSON path, then seal the server again.",
	Level:  finding.Warning,
	Bad: Example{
		Old: `{"tools": [{"name": "add", "inputSchema": {"type": "object"}}]}`,
		New: `{"tools": [{"name": "add", "_meta": {"priority": 1}, "inputSchema": {"type": "object"}}]}`,
	},
	Good: Example{Old: oneTool, New: oneTool},
	check: each(func(s Subject, c lockfile.Change) (string, bool) {
		other := c.Event == lockfile.OtherChanged || c.Event == lockfile.UnservedChanged
		if !other || c.List != "tools" && c.List != "" {
			return "", false
		}
		return fmt.Sprintf("%s changed%s%s", about(c), values(c), s.cueWords(c)), true
	}),
}

var ruleServerCapability = Rule{
	ID:     "surface/server-capability",
	Title:  "The server declares other capabilities",
	Why:    "A server capability decides what a host asks a server for, and what the server may send.",
	Remedy: "Seal the server again if the change is meant.",
	Level:  finding.Warning,
	Bad:    Example{Old: `{"capabilities": {"tools": {}}}`, New: `{"capabilities": {"tools": {}, "logging": {}}}`},
	Good:   Example{Old: `{"capabilities": {"tools": {}}}`, New: `{"capabilities": {"tools": {"listChanged": true}}}`},
	check: each(func(_ Subject, c lockfile.Change) (string, bool) {
		switch c.Event {
		case lockfile.CapabilityServer:
			return fmt.Sprintf("the server gained the capability %s", shown(c.New)), true
		case lockfile.CapabilityLost:
			return fmt.Sprintf("the server lost the capability %s", shown(c.Old)), true
		}
		return "", false
	}),
}

var ruleServerInfo = Rule{
	ID:     "surface/server-info",
	Title:  "The server gives itself another name or version",
	Why:    "It is the server's own word and proves nothing; a package of version 2026.8.31 was measured to call itself 0.2.0.",
	Remedy: "None needed.",
	Level:  finding.Note,
	Bad:    Example{Old: `{"serverInfo": {"name": "a", "version": "1"}}`, New: `{"serverInfo": {"name": "a", "version": "2"}}`},
	Good:   Example{Old: `{"serverInfo": {"name": "a", "version": "1"}}`, New: `{"serverInfo": {"name": "a", "version": "1"}}`},
	check: each(func(_ Subject, c lockfile.Change) (string, bool) {
		if c.Event != lockfile.ServerInfoChanged {
			return "", false
		}
		return fmt.Sprintf("%s was %s, is %s", c.Path, shown(c.Old), shown(c.New)), true
	}),
}
