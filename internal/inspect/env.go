package inspect

import (
	"cmp"
	"maps"
	"runtime"
	"slices"
	"strings"

	"github.com/toolwarrant/toolwarrant/internal/manifest"
	"github.com/toolwarrant/toolwarrant/internal/sandbox"
	"github.com/toolwarrant/toolwarrant/internal/secret"
)

// EnvKind says where the value of a variable comes from.
type EnvKind string

// The kinds.
const (
	Base        EnvKind = "base"        // one of the four that every server gets
	Real        EnvKind = "real"        // given by the user for this run
	Literal     EnvKind = "literal"     // as the declaration has it
	Placeholder EnvKind = "placeholder" // a constant in place of a credential or reference
	Inherited   EnvKind = "inherited"   // from our own environment, on request
)

// Variable is one variable that a server gets. HOME and TMPDIR hold no value
// here: they are directories that exist only while a server runs.
type Variable struct {
	Name  string
	Kind  EnvKind
	Value secret.Value
}

// EnvOptions are what the user says about the environment.
type EnvOptions struct {
	Set     map[string]secret.Value // --env, by name
	Inherit bool                    // --inherit-env
	Parent  []string                // our own environment, as NAME=VALUE
}

// Environment is what a server gets, and what it does not.
type Environment struct {
	Given    []Variable // the base, then by name
	Withheld []string   // credential-shaped names of ours whose value it does not get, sorted
	Others   int        // other names of ours that it does not get
	Exposed  int        // credential-shaped names of ours that it does get by Inherit
}

// Strings is the environment as NAME=VALUE, for Order.Env.
func (e Environment) Strings() []string {
	var out []string
	for _, v := range e.Given {
		if v.Kind != Base || v.Value.Len() > 0 {
			out = append(out, v.Name+"="+v.Value.Reveal())
		}
	}
	return out
}

// base are the variables of every environment. LANG is a constant, PATH ours.
var base = []string{"PATH", "HOME", "TMPDIR", "LANG"}

// systemBase are variables of ours without which programs do not start on
// Windows. No other system has them.
var systemBase = []string{"SYSTEMROOT", "COMSPEC", "PATHEXT"}

const (
	language    = "C.UTF-8"
	defaultPath = "/usr/local/bin:/usr/bin:/bin"
)

// Plan decides the environment of a server: the base, what the declaration
// names, and what the user gives. Placeholders keep servers that only check
// whether a variable is set able to list (30 of 35 measured).
func Plan(launch manifest.Launch, o EnvOptions) Environment {
	parent := split(o.Parent)
	given := map[string]Variable{
		"HOME": {Name: "HOME", Kind: Base}, "TMPDIR": {Name: "TMPDIR", Kind: Base},
		"LANG": {"LANG", Base, secret.New(language)},
		"PATH": {"PATH", Base, secret.New(cmp.Or(parent["PATH"], defaultPath))},
	}
	for _, name := range systemBase {
		if value, ok := parent[name]; ok && runtime.GOOS == "windows" {
			given[name] = Variable{name, Base, secret.New(value)}
		}
	}
	if o.Inherit {
		for name, value := range parent {
			given[name] = Variable{name, Inherited, secret.New(value)}
		}
	}
	for _, b := range launch.Env {
		if v := declared(b); v.Kind == Literal || !slices.Contains(base, b.Name) {
			given[b.Name] = v
		}
	}
	for name, value := range o.Set {
		given[name] = Variable{name, Real, value}
	}
	e := Environment{Given: slices.SortedFunc(maps.Values(given), byName)}
	e.account(given, parent)
	return e
}

// declared is what a declaration's variable gets. A reference to one of the
// base is not expanded: the base value is as near as any.
func declared(b manifest.Binding) Variable {
	if len(b.Refs) == 0 && !secret.LooksSecret(b.Name, b.Value.Reveal()) {
		return Variable{b.Name, Literal, b.Value}
	}
	return Variable{b.Name, Placeholder, secret.New(placeholderOf(b.Name))}
}

// placeholderOf is constant per name, so that a server which shows its
// environment shows the same on every machine.
func placeholderOf(name string) string { return "toolwarrant-placeholder-" + name }

// account counts what of our own environment is kept back or handed over.
func (e *Environment) account(given map[string]Variable, parent map[string]string) {
	for name := range parent {
		kind := given[name].Kind
		shaped := secret.NameLooksSecret(name)
		switch {
		case kind == Inherited && shaped:
			e.Exposed++
		case kind == Inherited || kind == Real || kind == Base:
		case shaped:
			e.Withheld = append(e.Withheld, name)
		default:
			e.Others++
		}
	}
	slices.Sort(e.Withheld)
}

func byName(a, b Variable) int {
	rank := func(v Variable) int {
		if i := slices.Index(base, v.Name); i >= 0 {
			return i
		}
		return len(base)
	}
	return cmp.Or(rank(a)-rank(b), strings.Compare(a.Name, b.Name))
}

// split reads NAME=VALUE; the case of names means nothing on Windows.
func split(env []string) map[string]string {
	out := map[string]string{}
	for _, e := range env {
		if name, value, ok := strings.Cut(e, "="); ok && name != "" {
			if runtime.GOOS == "windows" {
				name = strings.ToUpper(name)
			}
			out[name] = value
		}
	}
	return out
}

type slotVariable struct {
	name string
	dir  func(*sandbox.Slot) string
}

// neutral are the variables that name the home and the temporary directory,
// by whether the system is Windows.
var neutral = map[bool][]slotVariable{
	false: {{"HOME", (*sandbox.Slot).Home}, {"TMPDIR", (*sandbox.Slot).Temp}},
	true:  {{"USERPROFILE", (*sandbox.Slot).Home}, {"TEMP", (*sandbox.Slot).Temp}, {"TMP", (*sandbox.Slot).Temp}},
}

// withSlot adds the neutral directories where env names none.
func withSlot(env []string, s *sandbox.Slot) []string {
	out := slices.Clone(env)
	has := split(env)
	for _, v := range neutral[runtime.GOOS == "windows"] {
		if _, ok := has[v.name]; !ok {
			out = append(out, v.name+"="+v.dir(s))
		}
	}
	return out
}
