// Package pattern has regular expressions (RE2 syntax, package regexp) that are
// compiled when they are first used. This program starts itself again for each
// server that it watches, and those children use none of its hundred patterns:
// compiling them took half of a child's start.
package pattern

import (
	"regexp"
	"sync"
)

// Pattern is one expression. Its methods are those of regexp.Regexp.
type Pattern struct{ compiled func() *regexp.Regexp }

// Of is the pattern of an expression. One that does not compile panics when it
// is first used, so each wants a test that does.
func Of(text string) *Pattern {
	return &Pattern{sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(text) })}
}
