package scanner

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/toolwarrant/toolwarrant/finding"
	"github.com/toolwarrant/toolwarrant/internal/inspect"
	"github.com/toolwarrant/toolwarrant/internal/manifest"
	"github.com/toolwarrant/toolwarrant/internal/policy"
	"github.com/toolwarrant/toolwarrant/internal/surface"
	"github.com/toolwarrant/toolwarrant/lockfile"
)

// Inspect starts one target and tells what it can do.
func Inspect(ctx context.Context, o Options, t Target) finding.Inspection {
	return o.inspection(t, o.read(ctx, t, source{lock: t.ownLock(), open: true}))
}

// inspection is a reading for people and programs.
func (o Options) inspection(t Target, r reading) finding.Inspection {
	launch, _ := json.Marshal(t.Launch) // texts and numbers of ours
	s := r.result.Surface
	i := finding.Inspection{
		Schema: finding.InspectionSchema, Name: t.Name, Launch: launch, Pin: t.pin(),
		Era: r.result.Era, Protocol: r.result.Protocol, Server: server(s),
		Tools: []finding.ToolView{}, Unserved: []string{}, Unread: []finding.Unread{},
		Sandbox: r.sandbox(), Noise: finding.Noise{Lines: r.result.Noise.Lines, Bytes: r.result.Noise.Bytes},
		Asked: append([]string{}, r.result.Requests...), Findings: []finding.Finding{}, Failure: r.failure(),
		Environment: Environment(r.plan), Command: shownCommand(t.Launch), Dir: o.dirWord(),
	}
	if r.entry != nil {
		i.Surface = r.entry.Surface()
	}
	i.Artifact = artifactView(r.artifact)
	for _, item := range s.Lists[surface.Tools].Items {
		i.Tools = append(i.Tools, tool(item.Key, item.Raw))
	}
	i.Resources, i.Templates, i.Prompts = declared(s, surface.Resources), declared(s, surface.Templates), declared(s, surface.Prompts)
	for _, kind := range surface.Kinds {
		switch l := s.Lists[kind]; {
		case l.State == surface.Unserved:
			i.Unserved = append(i.Unserved, string(kind))
		case l.State == surface.Unread && r.result.Era != "":
			i.Unread = append(i.Unread, finding.Unread{List: string(kind), Reason: l.Why})
		}
	}
	i.Findings = append(i.Findings, o.declarationFindings(t)...)
	i.Findings = append(i.Findings, wordsIn(t, r)...)
	return i
}

// artifactView is what a launch was resolved to, for people and programs.
func artifactView(a *lockfile.Artifact) *finding.Artifact {
	if a == nil {
		return nil
	}
	v := finding.Artifact{ID: a.PURL(), Ecosystem: a.Ecosystem, Name: a.Name, Version: a.Version, Integrity: a.Integrity, Bin: a.Bin, InstallScripts: a.InstallScripts}
	if a.Tree != nil {
		v.Packages, v.Tree = a.Tree.Packages, a.Tree.Digest
	}
	return &v
}

func server(s surface.Surface) finding.Server {
	caps, err := lockfile.Capabilities(s.Server.Capabilities)
	if err != nil {
		caps = []string{}
	}
	return finding.Server{Name: s.Server.Name, Version: s.Server.Version, Capabilities: caps, Instructions: s.Instructions}
}

func tool(name string, raw json.RawMessage) finding.ToolView {
	v := surface.Classify(raw)
	out := finding.ToolView{Name: name, Capabilities: []string{}, Inferences: []finding.Inference{}, Notes: v.Notes,
		Contradiction: v.Contradiction, Declaration: raw, Description: description(raw)}
	for _, c := range v.Capabilities() {
		out.Capabilities = append(out.Capabilities, string(c))
		out.Notable = out.Notable || c.Elevated()
	}
	for _, inf := range v.Inferences {
		out.Inferences = append(out.Inferences, finding.Inference{Capability: string(inf.Capability), Confidence: string(inf.Confidence), Evidence: evidence(inf)})
	}
	out.Notable = out.Notable || v.Contradiction != ""
	return out
}

func description(raw json.RawMessage) string {
	var m map[string]any
	if json.Unmarshal(raw, &m) != nil {
		return ""
	}
	text, _ := m["description"].(string)
	return text
}

func declared(s surface.Surface, kind surface.Kind) []finding.Declared {
	out := []finding.Declared{}
	for _, item := range s.Lists[kind].Items {
		out = append(out, finding.Declared{Key: item.Key, Declaration: item.Raw})
	}
	return out
}

func (r reading) failure() *finding.Failure {
	if r.result.Reason == "" {
		return nil
	}
	detail := r.result.Detail
	if r.result.Answer != "" {
		detail += ": " + finding.Claim(r.result.Answer).Quote()
	}
	return &finding.Failure{Stage: r.result.Stage, Reason: string(r.result.Reason), Detail: detail, LastWords: r.result.LastWords, Hint: r.hint()}
}

func (o Options) dirWord() string {
	if o.Dir == "" {
		return "neutral, not your project"
	}
	return finding.Claim(o.Dir).Short(200)
}

// shownCommand is the launch without its secrets.
func shownCommand(l lockfile.Launch) []string {
	var out []string
	for _, a := range l.Argv {
		out = append(out, a.String())
	}
	if l.URL != nil {
		out = append(out, l.URL.String())
	}
	return out
}

// declarationFindings are what the reader of configurations says of the target.
func (o Options) declarationFindings(t Target) []finding.Finding {
	var out []finding.Finding
	for _, e := range t.Declared {
		for _, f := range slices.Concat(e.Problems, e.Findings) {
			f.Target = t.Name
			out = append(out, f)
		}
	}
	return out
}

// wordsIn are the findings about the words of a surface with nothing to compare.
func wordsIn(t Target, r reading) []finding.Finding {
	s := sighted(Subject{Name: t.Name, At: t.At(), State: offered}, r, policy.Server{}, nil)
	var out []finding.Finding
	for _, rule := range sightRules {
		out = append(out, rule.check(s, rule)...)
	}
	for _, w := range wordRules {
		for _, kind := range surface.Kinds {
			for _, item := range r.result.Surface.Lists[kind].Items {
				if f, ok := w.rule.wordsOf(s, w.class, singular[string(kind)]+" "+finding.Claim(item.Key).Quote(), textsIn(item.Raw)); ok {
					out = append(out, f)
				}
			}
		}
		if text := r.result.Surface.Instructions; text != nil {
			if f, ok := w.rule.wordsOf(s, w.class, "the server's instructions", []string{*text}); ok {
				out = append(out, f)
			}
		}
	}
	return out
}

// sightRules are the rules about what was seen.
var sightRules = []Rule{ruleSurvivor, ruleDecoyRead, ruleWroteOutside, ruleHostContacted, ruleDecoyReadMinor, ruleSurvivorMinor, ruleUnconfinedLauncher}

// wordRules are the rules that look at words alone.
var wordRules = []struct {
	rule  Rule
	class surface.CueClass
}{
	{ruleHiddenCharacters, surface.HiddenCharacters}, {ruleConcealment, surface.Concealment},
	{ruleOrderToModel, surface.OrderToModel}, {ruleOtherTool, surface.OtherTool},
}

// Environment is a plan for people: names and lengths.
func Environment(e inspect.Environment) finding.Environment {
	out := finding.Environment{Given: []finding.Variable{}, Withheld: append([]string{}, e.Withheld...), Others: e.Others, Exposed: e.Exposed}
	for _, v := range e.Given {
		out.Given = append(out.Given, finding.Variable{Name: v.Name, Kind: string(v.Kind), Length: v.Value.Len()})
	}
	return out
}

// Plan is the environment that a target would get; nothing is started.
func (o Options) Plan(t Target) finding.Environment {
	return Environment(inspect.Plan(t.Declared[0].Launch, o.Environment))
}

// pin says how far the declarations fix what runs: the weakest of them.
func (t Target) pin() string {
	var pins []string
	for _, e := range t.Declared {
		pins = append(pins, e.Pin)
	}
	return manifest.Weakest(pins...)
}

// command is the launch as the grammar of launchers reads it.
func (t Target) command() manifest.Command { return t.Declared[0].Launch.Command() }
