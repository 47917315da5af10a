package fetch

import (
	"strings"

	"github.com/toolwarrant/toolwarrant/finding"
)

// Reason is why nothing was resolved or fetched.
type Reason string

// Reasons.
const (
	RegistryAuth      Reason = "registry-auth"      // the registry wants another credential, or one at all
	NotFound          Reason = "not-found"          // the registry has no such package
	NoVersion         Reason = "no-version"         // no version matches the selector
	Unreachable       Reason = "unreachable"        // the registry or a proxy on the way did not answer
	RefusedDependency Reason = "refused-dependency" // a dependency comes from elsewhere than a registry
	MissingProgram    Reason = "missing-program"    // node or npm is not there
	NeedsBuild        Reason = "needs-build"        // a package is published as source alone
	Failed            Reason = "failed"             // anything else
)

// ResolveError says why a package was not resolved or its bytes not fetched.
type ResolveError struct {
	Reason  Reason
	Package string        // what was asked for, as "name@1.0.0"; empty where that is not known
	Detail  string        // our sentence
	Foreign finding.Claim // the words of npm or of the registry; may be empty
	Hint    string        // the way on
	Cause   error         // an *AddressError, or nil
}

func (e *ResolveError) Error() string {
	var b strings.Builder
	if e.Package != "" {
		b.WriteString(finding.Claim(e.Package).Short(200) + ": ")
	}
	b.WriteString(e.Detail)
	if e.Foreign != "" {
		b.WriteString(" (" + e.Foreign.Quote() + ")")
	}
	return b.String()
}

func (e *ResolveError) Unwrap() error { return e.Cause }
