package fetch

import (
	"bytes"
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"strings"

	"github.com/toolwarrant/toolwarrant/finding"
	"github.com/toolwarrant/toolwarrant/internal/pattern"
	"github.com/toolwarrant/toolwarrant/internal/sandbox"
	"github.com/toolwarrant/toolwarrant/internal/secret"
)

// failure is one reason with the codes by which npm tells it (npm 11.19:
// lib/utils/error-message.js, npm-registry-fetch, npm-pick-manifest, and the
// errno names of node).
type failure struct {
	reason Reason
	codes  []string
	detail string
	hint   string
}

var (
	auth = failure{RegistryAuth, []string{"E401", "E403", "ENEEDAUTH", "EOTP"}, "the registry wants a credential that it accepts",
		"log in with `npm login` for that registry, or give the runner's npmrc a line //HOST/:_authToken=${NAME}"}
	absent = failure{NotFound, []string{"E404"}, "the registry has no such package, or does not show it without a credential",
		"check the name and its scope's registry; a private package needs a line //HOST/:_authToken in the user's npmrc"}
	noVersion = failure{NoVersion, []string{"ETARGET", "ENOVERSIONS"}, "the registry has no version that the declaration, or a dependency, asks for",
		"name a version that is published"}
	silent = failure{Unreachable, []string{"ENOTFOUND", "EAI_AGAIN", "EAI_FAIL", "ECONNREFUSED", "ECONNRESET", "EHOSTUNREACH", "ENETUNREACH", "EPIPE",
		"ETIMEDOUT", "ERR_SOCKET_TIMEOUT", "EIDLETIMEOUT", "ECONNECTIONTIMEOUT", "ERESPONSETIMEOUT", "ETRANSFERTIMEOUT", "FETCH_ERROR",
		"E500", "E502", "E503", "E504", "E429"}, "the registry does not answer",
		"check the network and, behind a proxy, HTTPS_PROXY or npm's https-proxy"}
	distrusted = failure{Unreachable, []string{"SELF_SIGNED_CERT_IN_CHAIN", "DEPTH_ZERO_SELF_SIGNED_CERT", "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
		"UNABLE_TO_GET_ISSUER_CERT", "UNABLE_TO_GET_ISSUER_CERT_LOCALLY", "CERT_HAS_EXPIRED", "ERR_TLS_CERT_ALTNAME_INVALID"},
		"the registry's certificate is not trusted", "name the authority with cafile in the user's npmrc, or with NODE_EXTRA_CA_CERTS"}
	elsewhereFrom = failure{RefusedDependency, []string{"EALLOWGIT", "EALLOWREMOTE", "EALLOWFILE", "EALLOWDIRECTORY", "ENOGIT", "EUNSUPPORTEDPROTOCOL"},
		"a dependency comes from elsewhere than a registry", otherPlace}

	failures = []failure{auth, absent, noVersion, silent, distrusted, elsewhereFrom}
)

const byHand = "to see all that npm says, run `npm install --package-lock-only --ignore-scripts NAME@VERSION` in an empty folder"

const otherPlace = "use a version whose dependencies are all published in a registry; git, URL and file dependencies are never fetched"

// explain makes the error of a run that gave no lock, or that wanted to go where
// it may not.
func (r *Resolver) explain(specs []Spec, w words, proxy *resolverProxy, cause error) error {
	e := &ResolveError{Reason: Failed, Package: nameOf(specs)}
	var start *sandbox.StartError
	code, summary := told(w)
	refused := proxy.refused()
	switch {
	case errors.As(cause, &start) && start.Missing:
		e.Reason, e.Detail, e.Hint = MissingProgram, "npm cannot be started: "+start.Detail, "reinstall node and npm"
		return e
	case errors.Is(cause, errTooLong):
		e.Reason, e.Detail, e.Hint = Unreachable, errTooLong.Error(), "check how fast the registry answers"
	case cause != nil:
		e.Detail = "npm cannot be started: " + cause.Error()
		return e
	case len(refused) > 0:
		e.Reason, e.Detail, e.Hint = RefusedDependency, "a dependency comes from elsewhere than a configured registry: "+finding.Claim(refused[0]).Short(100), otherPlace
	case proxy.plain.Load():
		e.Detail, e.Hint = "this npm asks an https registry without encryption where a proxy is set", "update npm"
	case triedGit(w):
		e.Reason, e.Detail, e.Hint = RefusedDependency, "a dependency comes from a git repository", otherPlace
	default:
		r.classify(e, w, code, proxy.failed.Load())
	}
	e.Foreign = r.claim(summary)
	return e
}

// classify goes by npm's code alone.
func (r *Resolver) classify(e *ResolveError, w words, code string, unreached bool) {
	for _, f := range failures {
		if slices.Contains(f.codes, code) {
			e.Reason, e.Detail, e.Hint = f.reason, f.detail, f.hint
			if f.reason == RegistryAuth {
				r.missing(e)
			}
			return
		}
	}
	switch {
	case unreached:
		e.Reason, e.Detail, e.Hint = Unreachable, silent.detail, silent.hint
	case code != "":
		e.Detail, e.Hint = "npm ended with the code "+code, byHand
	default:
		e.Detail, e.Hint = "npm "+w.exit.String(), byHand
	}
}

// missing names a variable that a credential refers to and that is not set.
func (r *Resolver) missing(e *ResolveError) {
	for _, dart := range slices.Sorted(maps.Keys(r.config.credentials)) {
		if names := r.config.credentials[dart].missing; len(names) > 0 && r.config.ofRegistry(dart) {
			e.Hint = "the user's npmrc takes the credential from " + finding.Claim(slices.Min(names)).Short(100) + ", which is not set"
			return
		}
	}
}

var (
	codeLine = pattern.Of(`(?m)^npm (?:error|ERR!) code ([A-Z0-9_]{2,64})\r?$`)
	pathLine = pattern.Of(`(?m)^npm (?:error|ERR!) path (.+?)\r?$`)
	codeWord = pattern.Of(`^[A-Z0-9_]{2,64}$`)
)

// triedGit reports whether npm failed to start what it was told is git; one that
// knows how to refuse git dependencies does not come so far.
func triedGit(w words) bool {
	m := pathLine.FindSubmatch(w.err)
	return m != nil && string(m[1]) == w.git
}

// told is what npm says with --json, on standard output or, before npm 10, among
// its error lines, or else the code on one of these.
func told(w words) (code, summary string) {
	for _, stream := range [][]byte{w.out, w.err} {
		if code, summary = toldJSON(stream); code != "" {
			return code, summary
		}
	}
	if m := codeLine.FindSubmatch(w.err); m != nil {
		return string(m[1]), ""
	}
	return "", ""
}

// toldJSON reads the first object of a stream.
func toldJSON(stream []byte) (code, summary string) {
	var said struct {
		Error struct {
			Code    any
			Summary string
		}
	}
	at := bytes.IndexByte(stream, '{')
	if at < 0 || json.NewDecoder(bytes.NewReader(stream[at:])).Decode(&said) != nil {
		return "", ""
	}
	if code, _ = said.Error.Code.(string); !codeWord.MatchString(code) {
		return "", ""
	}
	return code, said.Error.Summary
}

// claim makes foreign text one that may be shown: without what looks like a
// credential, and without the user's.
func (r *Resolver) claim(text string) finding.Claim {
	var own []secret.Value
	for _, c := range r.config.credentials {
		own = append(own, c.token, c.auth, c.password)
	}
	for _, v := range own {
		if v.Len() > 0 {
			text = strings.ReplaceAll(text, v.Reveal(), secret.Mark)
		}
	}
	return claimOf(text)
}

// claimOf makes foreign text one that may be shown.
func claimOf(text string) finding.Claim {
	shown, _ := secret.Mask(text)
	return finding.Claim(shown)
}
