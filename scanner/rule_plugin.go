package scanner

import (
	"fmt"
	"slices"

	"github.com/toolwarrant/toolwarrant/finding"
	"github.com/toolwarrant/toolwarrant/lockfile"
)

var rulePluginNotSealed = Rule{
	ID:      "plugin/not-sealed",
	Title:   "A declared plugin has no lock",
	Why:     "Nobody has recorded what this plugin brings along. A host that installs it follows its skills and its hooks all the same.",
	Remedy:  "Run `toolwarrant seal NAME`, read what it shows, and commit the lock.",
	Level:   finding.Error,
	Outcome: outcome(finding.Refused),
	Bad:     Example{State: pluginNotSealed},
	Good:    Example{State: compared},
	check:   inState(pluginNotSealed, plain("is declared, and no lock covers it: nothing was fetched")),
}

var rulePluginNotApproved = Rule{
	ID:      "plugin/not-approved",
	Title:   "A declared plugin is locked and not approved",
	Why:     "A lock may hold versions that somebody looked at and did not take, or that were replaced. To declare one of them is not to approve it.",
	Remedy:  "Declare the approved version, or look at this one and run `toolwarrant review NAME approve`.",
	Level:   finding.Error,
	Outcome: outcome(finding.Refused),
	Bad:     Example{State: pluginNotApproved, Reason: "its version is staged"},
	Good:    Example{State: compared},
	check: inState(pluginNotApproved, func(s Subject) string {
		return fmt.Sprintf("%s is %s: nothing was fetched", finding.Claim(s.Name).Quote(), s.Reason)
	}),
}

var rulePluginUntrusted = Rule{
	ID:      "plugin/untrusted",
	Title:   "A plugin that nobody trusted has signed",
	Why:     "Whoever can replace the archive and the pin can write anything into it. A signature of a key that somebody chose to trust is what says who built it.",
	Remedy:  "Trust its publisher's key with `toolwarrant plugin trust`, or take it as it is with `toolwarrant review NAME approve --confirm-untrusted`.",
	Level:   finding.Error,
	Outcome: outcome(finding.Refused),
	Bad:     Example{State: pluginUntrusted, Reason: "not signed"},
	Good:    Example{State: compared},
	check: inState(pluginUntrusted, func(s Subject) string {
		return fmt.Sprintf("%s is %s, and nobody has confirmed it: nothing was fetched", finding.Claim(s.Name).Quote(), s.Reason)
	}),
}

var rulePluginBarred = Rule{
	ID:     "plugin/barred",
	Title:  "A disabled or revoked plugin is declared",
	Why:    "Somebody decided that this version must not be used, and a host that reads the declaration would load it.",
	Remedy: "Remove the declaration, or declare another version.",
	Level:  finding.Error,
	Bad:    Example{State: pluginBarred},
	Good:   Example{State: compared},
	check:  inState(pluginBarred, plain("is declared, and its version is disabled or revoked: it was not fetched")),
}

var rulePluginNew = Rule{
	ID:     "plugin/new",
	Title:  "A new plugin is to be approved",
	Why:    "Approving its lock lets hosts follow skills and hooks that nobody followed before.",
	Remedy: "Read its inventory and its skills in the lock, then approve or reject the change.",
	Level:  finding.Error,
	Bad:    Example{State: pluginNew},
	Good:   Example{State: compared},
	check:  inState(pluginNew, plain("is new: it was not both declared and approved before")),
}

var rulePluginNotDeclared = Rule{
	ID:     "plugin/not-declared",
	Title:  "A lock of a plugin that nothing declares",
	Why:    "The plugin was removed or renamed and its approval stayed. An approval nobody uses is one that somebody may use later.",
	Remedy: "Delete the lock, or declare the plugin again.",
	Level:  finding.Warning,
	Bad:    Example{State: pluginNotDeclared},
	Good:   Example{State: compared},
	check:  inState(pluginNotDeclared, plain("has a lock, and no policy declares it")),
}

var rulePluginGone = Rule{
	ID:     "plugin/removed",
	Title:  "A plugin's lock was removed",
	Why:    "Where its declaration goes too, an approval ends and nothing is gained; where the declaration stays, a scan refuses it.",
	Remedy: "None needed.",
	Level:  finding.Note,
	Bad:    Example{State: pluginGone},
	Good:   Example{State: compared},
	check:  inState(pluginGone, plain("is no longer locked")),
}

// Versions of the examples.
const (
	oldPlugin    = `{"source": "https://plugins.example/notes.zip", "pin": "sha256:01", "archive": "sha256:01", "package": "sha256:0a", "version": "1.0.0", "signature": {"state": "valid", "publisher": "k1", "name": "example"}}`
	nextPlugin   = `{"source": "https://plugins.example/notes.zip", "pin": "sha256:02", "archive": "sha256:02", "package": "sha256:0b", "version": "1.1.0", "signature": {"state": "valid", "publisher": "k1", "name": "example"}}`
	strippedOne  = `{"source": "https://plugins.example/notes.zip", "pin": "sha256:03", "archive": "sha256:03", "package": "sha256:0a", "version": "1.0.0", "signature": {"state": "none", "name": "example"}}`
	renamedOne   = `{"source": "https://plugins.example/notes.zip", "pin": "sha256:04", "archive": "sha256:04", "package": "sha256:0c", "version": "1.1.0", "signature": {"state": "valid", "publisher": "k1", "name": "another"}}`
	otherPackage = `{"source": "https://plugins.example/notes.zip", "pin": "sha256:01", "archive": "sha256:01", "package": "sha256:0d", "version": "1.0.0", "signature": {"state": "valid", "publisher": "k1", "name": "example"}}`
	confirmedOne = `{"source": "https://plugins.example/notes.zip", "pin": "sha256:01", "archive": "sha256:01", "package": "sha256:0a", "version": "1.0.0", "signature": {"state": "valid", "publisher": "k1", "name": "example"}, "confirmUntrusted": true}`
	hookOne      = `{"inventory": [{"kind": "hook", "place": "plugin.json#/hooks/0", "text": ["id notes", "record at pre_tool"]}]}`
	hookOther    = `{"inventory": [{"kind": "hook", "place": "plugin.json#/hooks/0", "text": ["id notes", "narrow at pre_tool, removes path"]}]}`
	skillOne     = `{"skills": [{"name": "notes", "text": ["Read the notes."], "capabilities": ["fs.read"]}]}`
	skillOther   = `{"skills": [{"name": "notes", "text": ["Read the notes and the mail."], "capabilities": ["fs.read"]}]}`
)

func versions(old, new string) Example {
	return Example{State: compared, Plugins: [2]string{old, new}}
}

func readVersions(old, new string) Example {
	return Example{State: compared, Plugins: [2]string{old, new}, ReadLive: true}
}

var rulePluginChanged = Rule{
	ID:     "plugin/changed",
	Title:  "Another plugin is declared than was approved",
	Why:    "Hosts know a plugin by its name. A declaration that keeps the name and swaps the source or the pin brings other skills and hooks without a question.",
	Remedy: "Read what changed. If it is meant, run `toolwarrant seal NAME` and commit the lock.",
	Level:  finding.Error,
	Bad:    versions(oldPlugin, nextPlugin),
	Good:   readVersions(oldPlugin, nextPlugin),
	check:  pluginChange(false),
}

var rulePluginChangedMinor = Rule{
	ID:     "plugin/changed-minor",
	Title:  "Another version of a plugin is declared, and it was read",
	Why:    "Where its lock covers it and this run has read the archive behind it, what the archive holds decides how bad it is.",
	Remedy: "Read what else is told of the version, then seal or approve it.",
	Level:  finding.Warning,
	Bad:    readVersions(oldPlugin, nextPlugin),
	Good:   versions(oldPlugin, nextPlugin),
	check:  pluginChange(true),
}

func pluginChange(minor bool) func(Subject, Rule) []finding.Finding {
	moved := each(func(s Subject, c lockfile.Change) (string, bool) {
		if s.readLive != minor || !slices.Contains([]lockfile.Event{lockfile.PluginSourceChanged, lockfile.PluginPackageChanged, lockfile.PluginRepacked}, c.Event) {
			return "", false
		}
		return fmt.Sprintf("%s is another: %s", finding.Claim(s.Name).Quote(), launchPart(c)), true
	})
	return func(s Subject, r Rule) []finding.Finding {
		if s.State == pluginStale && !minor {
			return inState(pluginStale, plain("is declared from another source or by another pin than its lock has: nothing was fetched"))(s, r)
		}
		return moved(s, r)
	}
}

// onEvents is the check of a rule about plugins that speaks of some events.
func onEvents(words string, events ...lockfile.Event) func(Subject, Rule) []finding.Finding {
	return each(func(s Subject, c lockfile.Change) (string, bool) {
		if !slices.Contains(events, c.Event) {
			return "", false
		}
		return fmt.Sprintf("%s %s: %s", finding.Claim(s.Name).Quote(), words, pluginPart(c)), true
	})
}

// pluginPart names what a change of a plugin is about, and its values.
func pluginPart(c lockfile.Change) string {
	part := c
	switch c.List {
	case "inventory":
		part.Path = c.Path + " " + finding.Claim(c.Item).Quote()
	case "skills":
		part.Path = "skill " + finding.Claim(c.Item).Quote()
	}
	return launchPart(part)
}

var rulePluginBytes = Rule{
	ID:     "plugin/bytes-changed",
	Title:  "One pin, and two locks that differ about what is behind it",
	Why:    "A pin stands for one sequence of bytes. Where two records of it disagree, one of them was made up.",
	Remedy: "Run `toolwarrant seal NAME` and compare; ask who wrote the lock.",
	Level:  finding.Error,
	Bad:    versions(oldPlugin, otherPackage),
	Good:   versions(oldPlugin, nextPlugin),
	check:  onEvents("is not the same under one pin", lockfile.PluginBytes),
}

var rulePluginExecutes = Rule{
	ID:     "plugin/executes",
	Title:  "A plugin runs or decides more than was approved",
	Why:    "A hook, a server, a command at load time or a tool that a skill may use acts on a host the moment the plugin is enabled.",
	Remedy: "Read the named place. Approve the version only if you would write that line yourself.",
	Level:  finding.Error,
	Bad:    versions(hookOne, hookOther),
	Good:   versions(hookOne, hookOne),
	check:  onEvents("runs or decides more", lockfile.PluginExecAdded, lockfile.PluginExecChanged, lockfile.SkillTools),
}

var rulePluginExecutesMinor = Rule{
	ID:     "plugin/executes-minor",
	Title:  "A plugin no longer runs or decides something",
	Why:    "A hook that denies may be what kept a host safe.",
	Remedy: "Look at what is gone, then approve the version.",
	Level:  finding.Warning,
	Bad:    versions(hookOne, `{"inventory": []}`),
	Good:   versions(hookOne, hookOne),
	check:  onEvents("lost something that ran or decided", lockfile.PluginExecRemoved),
}

var rulePluginSkill = Rule{
	ID:     "plugin/skill-changed",
	Title:  "A plugin's skill says something else than was approved",
	Why:    "A model follows a skill's text. What hides, orders or points elsewhere in the new words is told beside this, with a rule of its own.",
	Remedy: "Read the new text as if it were an instruction to you.",
	Level:  finding.Warning,
	Bad:    versions(skillOne, skillOther),
	Good:   versions(skillOne, skillOne),
	check:  onEvents("has other words for a model", lockfile.SkillAdded, lockfile.SkillRemoved, lockfile.SkillText),
}

var rulePluginSignature = Rule{
	ID:     "plugin/signature-changed",
	Title:  "A plugin lost its signature, or another key signed it",
	Why:    "A package without its signature has the same fingerprint as before. Who takes it for the signed one takes it from anybody.",
	Remedy: "Ask its publisher over another channel; a new key needs a reason.",
	Level:  finding.Error,
	Bad:    versions(oldPlugin, strippedOne),
	Good:   versions(strippedOne, oldPlugin),
	check:  onEvents("is no longer signed by the key that was approved", lockfile.SignatureStripped, lockfile.PublisherChanged),
}

var rulePluginSignatureMinor = Rule{
	ID:     "plugin/signature-changed-minor",
	Title:  "A plugin is signed now, or its publisher has another name",
	Why:    "A key says who signed; the name beside it is the publisher's own word.",
	Remedy: "Compare the key with what the publisher says of it elsewhere.",
	Level:  finding.Warning,
	Bad:    versions(oldPlugin, renamedOne),
	Good:   versions(oldPlugin, nextPlugin),
	check:  onEvents("is signed otherwise", lockfile.SignatureAdded, lockfile.PublisherRenamed),
}

var rulePluginConfirmed = Rule{
	ID:     "plugin/untrusted-confirmed",
	Title:  "A change takes a plugin that nobody trusted has signed",
	Why:    "From then on nothing but the pin says whose plugin it is.",
	Remedy: "Approve it only if you know where the archive comes from.",
	Level:  finding.Error,
	Bad:    versions(oldPlugin, confirmedOne),
	Good:   versions(confirmedOne, oldPlugin),
	check:  onEvents("is taken without a signature that is trusted", lockfile.UntrustedConfirmed),
}
