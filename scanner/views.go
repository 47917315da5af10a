package scanner

import (
	"encoding/json"
	"slices"

	"github.com/toolwarrant/toolwarrant/finding"
	"github.com/toolwarrant/toolwarrant/internal/policy"
	"github.com/toolwarrant/toolwarrant/lockfile"
)

// List tells every declared or sealed server; nothing is started.
func List(r Repo) finding.Listing {
	out := finding.Listing{Schema: finding.ListSchema, Files: append([]string{}, r.Files...),
		Servers: []finding.Listed{}, Plugins: []finding.Listed{}, Invalid: []finding.Finding{}, Unread: append([]finding.Finding{}, r.Problems...)}
	for _, t := range r.Targets {
		out.Servers = append(out.Servers, listed(t))
	}
	for _, t := range r.Plugins {
		out.Plugins = append(out.Plugins, listedPlugin(t))
	}
	for _, l := range r.Locks {
		if l.Invalid != nil {
			out.Invalid = append(out.Invalid, judge(lockSubject(l))...)
		}
	}
	out.Invalid = append(out.Invalid, r.badPluginLocks()...)
	return out
}

func listed(t Target) finding.Listed {
	l := finding.Listed{Name: t.Name, State: t.word(), Location: t.At(), Places: append([]string{}, t.Places()...), Pin: t.pin(),
		Command: append([]string{}, shownCommand(t.Launch)...), Launch: t.Launch.Digest, Clients: []finding.Client{}, Findings: []finding.Finding{}}
	if t.Lock != nil {
		l.Lock, l.Surface, l.Tools = t.Lock.File, t.Lock.Entry.Surface(), len(t.Lock.Entry.Tools())
	}
	for _, e := range t.Declared {
		l.Clients = append(l.Clients, e.Clients...)
	}
	l.Findings = append(l.Findings, Options{}.declarationFindings(t)...)
	return l
}

// word is the state of a target for people.
func (t Target) word() string {
	switch {
	case len(t.Declared) == 0:
		return "not-declared"
	case !t.Understood():
		return "not-understood"
	case t.inactive():
		return "inactive"
	case t.Lock == nil:
		return "not-sealed"
	case !t.Sealed():
		return "changed"
	case t.Lock.Entry.Review.State == lockfile.Approved:
		return "sealed"
	}
	return string(t.Lock.Entry.Review.State)
}

// Show is a believed lock for people and programs.
func Show(l Lock) finding.LockView {
	e := inferred(l.Entry)
	v := finding.LockView{Schema: finding.LockSchema, File: l.File, Places: e.Places, State: string(e.Review.State),
		LaunchID: e.Launch.Digest, Variables: []string{}}
	for name := range e.Launch.Env {
		v.Variables = append(v.Variables, name)
	}
	slices.Sort(v.Variables)
	launch, _ := json.Marshal(e.Launch) // texts and numbers
	i := finding.Inspection{Schema: finding.InspectionSchema, Name: e.Name, Launch: launch, Command: shownCommand(e.Launch),
		Tools: []finding.ToolView{}, Resources: []finding.Declared{}, Templates: []finding.Declared{}, Prompts: []finding.Declared{},
		Unserved: []string{}, Unread: []finding.Unread{}, Asked: []string{}, Findings: []finding.Finding{}}
	if e.Read != nil {
		i.Server = finding.Server{Name: e.Read.Server.Name, Version: e.Read.Server.Version, Capabilities: e.Read.Server.Capabilities, Instructions: e.Read.Server.Instructions}
		i.Surface, i.Unserved = e.Read.Surface, e.Read.Unserved
		for _, t := range e.Tools() {
			i.Tools = append(i.Tools, tool(t.Key, t.Raw))
		}
		i.Resources, i.Templates, i.Prompts = lockedItems(e, "resources"), lockedItems(e, "resourceTemplates"), lockedItems(e, "prompts")
	}
	v.Inspection = &i
	return v
}

func lockedItems(e lockfile.Entry, list string) []finding.Declared {
	out := []finding.Declared{}
	for _, item := range e.Read.Lists[list] {
		out = append(out, finding.Declared{Key: item.Key, Declaration: item.Raw})
	}
	return out
}

// Explanations tells every rule.
func Explanations() []finding.Explanation {
	var out []finding.Explanation
	for _, r := range rules {
		o := finding.New(r.ID, r.Level, finding.Argument(r.ID), "").Outcome
		if r.Outcome != nil {
			o = *r.Outcome
		}
		out = append(out, finding.Explanation{ID: r.ID, Level: r.Level, Outcome: o.String(), Title: r.Title, Why: r.Why, Remedy: r.Remedy,
			Bad: r.Bad.sample(), Good: r.Good.sample()})
	}
	return out
}

func (e Example) sample() finding.Sample {
	if e.Policy != "" {
		text := e.Policy
		for name, value := range e.Inputs {
			text += "# the workflow says: with: {" + name + ": " + value + "}\n"
		}
		return finding.Sample{File: policy.File, Manifest: text}
	}
	for name, text := range e.Beside { // one file
		return finding.Sample{File: name, Manifest: text}
	}
	if e.Plugins[1] != "" {
		return finding.Sample{Old: json.RawMessage(e.Plugins[0]), New: json.RawMessage(e.Plugins[1])}
	}
	s := finding.Sample{File: e.File, Manifest: e.Manifest, Old: json.RawMessage(e.Old), New: json.RawMessage(e.New), Text: e.Lock}
	if s.Text == "" {
		s.Text = stateWords[e.State] + e.Seen.words()
	}
	return s
}

// stateWords tell the examples that are a state and no text.
var stateWords = map[state]string{
	notSealed: "a server is declared and no lock holds its launch", notApproved: "a lock holds the launch and nobody here approved it",
	notDeclared: "a lock whose launch no configuration declares", barred: "a declared server whose lock is disabled or revoked",
	vanished: "a server with locked tools lists none", unstable: "a server lists other tools when it is asked again",
	unpinned: "a package without a version, under a policy with require-pin: exact", localChanged: "the file that a sealed launch runs is not the anchor's", lockEdited: "a lock that was made to hide a tool",
	unconfined:      "a server that may be started, on a machine without a sandbox profile",
	pluginNotSealed: "a plugin is declared and no lock holds it", pluginNotApproved: "a declared plugin whose locked version is staged",
	pluginBarred: "a declared plugin whose locked version is revoked", pluginUntrusted: "a declared plugin without a signature, that nobody confirmed",
	pluginNew: "a lock of a plugin without a predecessor", pluginGone: "a lock of a plugin without a successor", pluginNotDeclared: "a lock of a plugin that no policy declares",
	launchNew: "a lock without a predecessor", lockGone: "a lock without a successor",
}

// words tell an example that is an observation.
func (s Sighting) words() string {
	switch {
	case len(s.Decoys) > 0:
		return "a server that opens " + s.Decoys[0]
	case len(s.Hosts) > 0:
		return "a server that wants to reach " + s.Hosts[0]
	case len(s.Wrote) > 0:
		return "a server that leaves " + s.Wrote[0]
	case s.Unconfined:
		return "a server that npx fetches and starts"
	case s.Left > 0:
		return "a server whose process stays"
	case s.Survivors > 0:
		return "a server that leaves a process behind, which is ended"
	}
	return ""
}
