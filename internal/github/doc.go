// Package github reads what GitHub knows of a run: the payload of its event, a
// pull request with its reviews and commits, and files at a commit where no
// checkout has them. It keeps the one comment on a pull request and the one issue
// of the scheduled run. It also holds the table of the action's inputs.
//
// The payloads are those of docs.github.com/webhooks, the calls those of
// docs.github.com/rest through go-github. Whatever a call answers is foreign:
// ids, names of branches and logins are held against their grammar before they
// leave this package, and no error repeats a word of an answer.
package github
