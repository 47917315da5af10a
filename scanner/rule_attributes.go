package scanner

import "github.com/toolwarrant/toolwarrant/finding"

var ruleLockHidden = Rule{
	ID:     "lock/hidden",
	Title:  "An attribute hides a lock or a configuration from review",
	Why:    "A file that .gitattributes marks as generated or binary is folded away in a pull request: a reviewer approves what nobody showed.",
	Remedy: "Remove the line.",
	Level:  finding.Error,
	Bad:    Example{File: ".gitattributes", Manifest: ".toolwarrant/** linguist-generated"},
	Good:   Example{File: ".gitattributes", Manifest: "*.png binary"},
	check:  told,
}

var ruleLockConverted = Rule{
	ID:      "lock/converted",
	Title:   "An attribute makes a lock or a configuration other bytes on disk than in git",
	Why:     "A filter, an encoding or line-end conversion runs between what was reviewed and what a client reads.",
	Remedy:  "Remove the line.",
	Level:   finding.Error,
	Outcome: outcome(finding.Refused),
	Bad:     Example{File: ".gitattributes", Manifest: ".mcp.json filter=lfs"},
	Good:    Example{File: ".gitattributes", Manifest: "*.png filter=lfs"},
	check:   told,
}
