package plugin

import "github.com/toolwarrant/toolwarrant/finding"

// Rule is one thing that this package says of an archive, with its reason.
type Rule struct {
	ID        string
	Title     string // one line, without a full stop
	Why       string // what an attacker or an accident does with it
	Remedy    string
	Level     finding.Level
	Bad, Good string // an archive in words
}

// Rules lists every rule: first those of the format, which reject, then ours.
func Rules() []Rule {
	return []Rule{
		ruleUnsafe, ruleManifest, ruleUnlisted, ruleDigest, ruleContent, ruleSignature, ruleRevoked, ruleCommitStray,
		ruleAmbiguous, ruleFileName, ruleHighRatio, ruleManifestAmbiguous, ruleHidden, ruleSecretArgument, rulePrivateTarget, ruleWeakKey, rulePolyglot, ruleUnclaimed, ruleCommitUnplaced,
	}
}

func find(id string) (Rule, bool) {
	for _, r := range Rules() {
		if r.ID == id {
			return r, true
		}
	}
	return Rule{}, false
}

// Explanations are the rules for people and programs.
func Explanations() []finding.Explanation {
	var out []finding.Explanation
	for _, r := range Rules() {
		counts := finding.Escalation.String()
		if r.Level != finding.Error {
			counts = finding.Clean.String()
		}
		out = append(out, finding.Explanation{
			ID: r.ID, Level: r.Level, Outcome: counts, Title: r.Title, Why: r.Why, Remedy: r.Remedy,
			Bad: finding.Sample{Text: r.Bad}, Good: finding.Sample{Text: r.Good},
		})
	}
	return out
}

var ruleUnsafe = Rule{
	ID:     "plugin/archive-unsafe",
	Title:  "A plugin archive that must not be opened",
	Why:    "A path that climbs, a link, an executable, an entry that is there twice, or one that claims more than the format allows writes, runs or fills what nobody agreed to.",
	Remedy: "Do not install it. Its publisher builds it again, as plain files with relative paths, within the limits of the format.",
	Level:  finding.Error,
	Bad:    "an archive with an entry docs/../../evil.md",
	Good:   "an archive of plugin.json and the files that it lists",
}

var ruleManifest = Rule{
	ID:     "plugin/manifest-invalid",
	Title:  "A plugin.json that the format does not allow",
	Why:    "What the format does not know has no meaning that anybody reviewed: an unknown member, a kind of contribution that is not declared, a server that is given a credential as an argument.",
	Remedy: "Do not install it. Its publisher corrects the place that the message names.",
	Level:  finding.Error,
	Bad:    "a plugin.json with a member install_script",
	Good:   "a plugin.json with the members of plugin.v1 alone",
}

var ruleUnlisted = Rule{
	ID:     "plugin/unlisted-file",
	Title:  "Files and their list in plugin.json differ",
	Why:    "The fingerprint and the signature cover the listed files. What is there beside them was reviewed and signed by nobody.",
	Remedy: "Do not install it. Its publisher lists every file, and leaves out what is not listed.",
	Level:  finding.Error,
	Bad:    "an archive with docs/more.md, which plugin.json does not list",
	Good:   "an archive with exactly the listed files",
}

var ruleDigest = Rule{
	ID:     "plugin/digest-mismatch",
	Title:  "Bytes that are not the pinned ones",
	Why:    "The archive is not the one that was pinned, or a file in it is not the one that plugin.json lists: somebody changed it after the fact.",
	Remedy: "Do not install it. Ask its publisher which digest is right, over another channel than the archive came by.",
	Level:  finding.Error,
	Bad:    "an archive with another SHA-256 than --sha256 says",
	Good:   "an archive with the pinned SHA-256, whose files have the listed ones",
}

var ruleContent = Rule{
	ID:     "plugin/content-invalid",
	Title:  "A file that is not what its place says",
	Why:    "Skills, documents, images and user interface metadata have forms of their own. A file in another form may be a program that waits to be run.",
	Remedy: "Do not install it. Its publisher corrects the file that the message names.",
	Level:  finding.Error,
	Bad:    "ui/icon.png that does not start as a PNG does",
	Good:   "ui/icon.png that is one",
}

var ruleSignature = Rule{
	ID:     "plugin/signature-invalid",
	Title:  "A signature that is there and wrong",
	Why:    "The package was changed after it was signed, or signed by somebody else. A broken signature is never taken for none.",
	Remedy: "Do not install it. Ask its publisher for an archive whose signature holds.",
	Level:  finding.Error,
	Bad:    "SIGNATURE.json over another fingerprint than the package has",
	Good:   "a package whose signature verifies, or one without a signature",
}

var ruleRevoked = Rule{
	ID:     "plugin/publisher-revoked",
	Title:  "A plugin signed by a publisher whose key was revoked",
	Why:    "The signature holds, and that is worth nothing: whoever has the key may be somebody else than its publisher.",
	Remedy: "Do not install it. Ask its publisher for an archive that is signed by their new key.",
	Level:  finding.Error,
	Bad:    "a package signed by a key in publishers.revoked of the policy",
	Good:   "a package signed by another key",
}

var ruleCommitStray = Rule{
	ID:     "plugin/commit-stray",
	Title:  "A commit that no branch or tag of the repository leads to",
	Why:    "Hosts that keep a repository and its forks in one store serve the commits of all of them under the name of each. Anybody can push to a fork: the address names the owner, the commit may be a stranger's.",
	Remedy: "Do not install it. Pin a commit of a branch or tag; one that was replaced by force is no longer what its owner stands for.",
	Level:  finding.Error,
	Bad:    "an archive at a commit that was pushed to a fork of the repository",
	Good:   "an archive at the commit of a release's tag",
}

var ruleCommitUnplaced = Rule{
	ID:     "plugin/commit-unplaced",
	Title:  "A commit of which nobody could tell whether it is the repository's own",
	Why:    "The repository does not serve its history without its files, or has too much of it. Whether one of its branches or tags leads to the commit, or it was pushed to a fork, stays open.",
	Remedy: "Pin the commit that a tag or the end of a branch stands for, or look it up; `--strict` rejects this archive.",
	Level:  finding.Warning,
	Bad:    "an archive at an old commit of a server that knows no filters",
	Good:   "an archive at the commit of a release's tag",
}

var ruleAmbiguous = Rule{
	ID:     "plugin/archive-ambiguous",
	Title:  "An archive that two readers may see differently",
	Why:    "Bytes before, between or behind the entries, headers that disagree, marks that mean nothing here: this reader passes over them as the format says, another one may find other files there than were reviewed.",
	Remedy: "Ask for an archive that was packed anew; `--strict` rejects this one.",
	Level:  finding.Warning,
	Bad:    "an archive with 64 bytes behind its end record",
	Good:   "an archive that is its entries, its directory and its end record",
}

var ruleFileName = Rule{
	ID:     "plugin/file-name",
	Title:  "A file name that another system reads differently",
	Why:    "Names that differ in case alone, or in how an accent is spelt, are one file on many systems: the second one unpacked replaces the first, which was reviewed.",
	Remedy: "Ask for names of plain ASCII that differ in more than case; `--strict` rejects this archive.",
	Level:  finding.Warning,
	Bad:    "an archive with docs/readme.md and docs/README.md",
	Good:   "an archive with docs/readme.md alone",
}

var ruleHighRatio = Rule{
	ID:     "plugin/high-ratio",
	Title:  "An entry that inflates to more than 200 times its size",
	Why:    "Honest text and images do not. It costs whoever opens it memory and time.",
	Remedy: "Look at what the file is for; `--strict` rejects this archive.",
	Level:  finding.Warning,
	Bad:    "docs/big.md of 7 MiB that is packed into 7 KiB",
	Good:   "docs/big.md of 20 KiB that is packed into 7 KiB",
}

var ruleManifestAmbiguous = Rule{
	ID:     "plugin/manifest-ambiguous",
	Title:  "JSON that two readers may read differently",
	Why:    "The format's host takes the last of two members with one name, members in any case, and broken UTF-8. A reviewer, or another program, reads the first one, or none.",
	Remedy: "Ask for a document where each member is there once, as the format spells it; `--strict` rejects this archive.",
	Level:  finding.Warning,
	Bad:    `a plugin.json with "id" twice`,
	Good:   `a plugin.json with "id" once`,
}

var ruleHidden = Rule{
	ID:     "plugin/hidden-characters",
	Title:  "Text with characters that do not show",
	Why:    "Characters that turn the direction of writing, have no width or are no text make a name look like another one, and carry words to a model that no person sees.",
	Remedy: "Ask for a plugin without them; `--strict` rejects this archive.",
	Level:  finding.Warning,
	Bad:    "an id with a right-to-left override in it",
	Good:   "an id of characters that show",
}

var ruleSecretArgument = Rule{
	ID:     "plugin/secret-argument",
	Title:  "A server is given a credential as an argument",
	Why:    "The format refuses the common names of such arguments and passes all others. An argument is seen by every process of the machine, and an archive by everybody who has it.",
	Remedy: "Ask for a server that takes its credential from the host's store; if the value is real, its owner revokes it.",
	Level:  finding.Warning,
	Bad:    "a server with the argument --github-token=…",
	Good:   "a server without such an argument",
}

var rulePrivateTarget = Rule{
	ID:     "plugin/private-target",
	Title:  "A server that leads into the network of its user",
	Why:    "A plugin comes from outside. A server of its own on this machine or in this network lets it reach what the outside cannot.",
	Remedy: "Install it only where you run that server yourself; `--strict` rejects this archive.",
	Level:  finding.Warning,
	Bad:    "a server at https://127.0.0.1:8443/mcp",
	Good:   "a server at https://mcp.example/api",
}

var ruleWeakKey = Rule{
	ID:     "plugin/weak-key",
	Title:  "A signature by a key that anybody can sign with",
	Why:    "A few points of the curve are no keys: signatures by them can be made without a secret, for every package. Who trusts such a key trusts everybody.",
	Remedy: "Do not trust the key; ask its publisher for a signature by a key of their own. `--strict` rejects this archive.",
	Level:  finding.Warning,
	Bad:    "SIGNATURE.json whose public key is 32 bytes of zero",
	Good:   "SIGNATURE.json whose public key belongs to a secret",
}

var rulePolyglot = Rule{
	ID:     "plugin/polyglot",
	Title:  "A file that only starts as an image",
	Why:    "The format looks at the first bytes of an image. What follows may be a script or an archive that another step runs or opens.",
	Remedy: "Ask for an image that is whole and nothing else; `--strict` rejects this archive.",
	Level:  finding.Warning,
	Bad:    "ui/icon.png whose first 8 bytes are followed by a shell script",
	Good:   "ui/icon.png that ends with its last chunk",
}

var ruleUnclaimed = Rule{
	ID:     "plugin/unclaimed-file",
	Title:  "A file below skills that no skill claims",
	Why:    "It is listed and signed, and nobody looks into it: the format judges the two files that a skill names, and no other there.",
	Remedy: "Ask for an archive without it; `--strict` rejects this one.",
	Level:  finding.Warning,
	Bad:    "skills/extra/SKILL.md in a plugin without a skill of that name",
	Good:   "skills/helper/SKILL.md in a plugin with the skill helper",
}
