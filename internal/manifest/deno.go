package manifest

import (
	"strings"

	"github.com/toolwarrant/toolwarrant/internal/pattern"
)

// denoOptions are those of "deno run". Permissions take their value behind "="
// only, so they are known by their form.
var (
	denoOptions = newOptions("-c --config --import-map --cert --location --seed -L --log-level --ext --preload --require --conditions --minimum-dependency-age --v8-flags --env-file --lock --node-modules-dir --vendor --reload --inspect --inspect-brk --inspect-wait --unsafely-ignore-certificate-errors --watch --watch-exclude --watch-hmr --frozen --tunnel --port --host --strace-ops",
		"-A -R -W -N -E -S -I -P -q --quiet -r --no-prompt --cached-only --no-check --check --no-config --no-lock --no-npm --no-remote --no-code-cache --no-clear-screen --enable-testing-features-do-not-use --parallel --allow-scripts --prompt")
	denoOptional   = setOf("--v8-flags --env-file --lock --node-modules-dir --vendor --reload --inspect --inspect-brk --inspect-wait --unsafely-ignore-certificate-errors --watch --watch-hmr --frozen --tunnel --strace-ops --conditions --no-check --check --allow-scripts")
	denoForm       = pattern.Of(`^(?:--(?:allow|deny|ignore|unstable|permission-set)(?:-[a-z-]+)?|-[ARWNESIPqr]+)(?:=.*)?$`)
	denoRedirects  = setOf("-c --config --import-map --cert --preload --require --unsafely-ignore-certificate-errors")
	denoSub        = setOf("run serve x")
	denoRegistry   = pattern.Of(`^(npm|jsr):/?((?:@[^/@]+/)?[^/@]+)(?:@([^/]*))?(?:/.*)?$`)
	commitInFolder = pattern.Of(`[/@][0-9a-f]{40}(?:/|$)`)
)

// deno reads "deno run TARGET"; "deno TARGET" is the same.
func (g *grammar) deno(i int) {
	at := i + 1
	switch sub := g.word(at); {
	case denoSub[sub]:
		at++
	case sub == "":
		g.plain(i)
		return
	case !strings.HasPrefix(sub, "-") && !strings.ContainsAny(sub, ":/.\\"):
		g.task("deno", at)
		return
	}
	g.launcher("deno run", "deno")
	for at < g.end() && strings.HasPrefix(g.word(at), "-") && len(g.word(at)) > 1 {
		next, ok := g.denoOption(at)
		if !ok {
			g.confused(at, "an option of deno that is not known here")
			return
		}
		at = next
	}
	if at >= g.end() {
		g.confused(at, "no script or package is named")
		return
	}
	g.denoTarget(at)
}

// denoOption reads the option at a word and returns the word behind it.
func (g *grammar) denoOption(at int) (next int, ok bool) {
	w := g.word(at)
	name, value, joined := strings.Cut(w, "=")
	switch {
	case name == "--frozen" || name == "--lock":
		g.c.Frozen = g.c.Frozen || name == "--frozen" && value != "false"
		return at + 1, true
	case denoForm.MatchString(w) || denoOptional[name]:
		return at + 1, true
	}
	o := g.option(at, denoOptions)
	if o.ok && denoRedirects[name] {
		g.c.Redirects = append(g.c.Redirects, o.at)
	}
	if joined && !o.ok {
		return at + 1, false
	}
	return o.next, o.ok
}

func (g *grammar) denoTarget(at int) {
	w := g.word(at)
	g.c.Args = at + 1
	m := denoRegistry.FindStringSubmatch(w)
	switch {
	case m != nil:
		p := Package{Name: m[2], Spec: m[3], Source: "registry", Ecosystem: map[string]string{"npm": "npm", "jsr": "jsr"}[m[1]], Pin: "floating"}
		if fullVersion.MatchString(p.Spec) {
			p.Pin = "exact"
		}
		g.fetch(p, at)
		g.bridge(p.Name, at+1)
	case strings.HasPrefix(w, "https://") || strings.HasPrefix(w, "http://"):
		p := Package{Name: w, Source: "url", Ecosystem: "deno", Pin: "floating"}
		if commitInFolder.MatchString(w) {
			p.Pin = "immutable"
		}
		g.fetch(p, at)
	case strings.HasPrefix(w, "npm:") || strings.HasPrefix(w, "jsr:") || strings.HasPrefix(w, "data:"):
		g.confused(at, "a package that is named in no form that is known here")
	default:
		g.c.Ecosystem = ""
		g.script(at)
	}
}
