package manifest

import (
	"fmt"

	"github.com/toolwarrant/toolwarrant/finding"
)

// trust reads Gemini's word for "never ask before a tool runs".
func (r *entryReader) trust(m member) {
	if m.value.kind == boolean && m.value.text == "true" {
		r.autoApproves(m, `"trust" skips every confirmation before a tool of this server runs`)
	}
}

// approval reads a list of tools that run unasked. It belongs to Kiro, Roo and
// Cline; a star in it is reported in every dialect, because entries are copied
// between hosts as they stand.
func (r *entryReader) approval(m member) {
	for _, item := range m.value.items {
		if item.kind == text && item.text == "*" {
			r.autoApproves(m, fmt.Sprintf("%q lets every tool of this server run unasked", m.name))
			return
		}
	}
	if len(m.value.items) > 0 && len(r.d.hosts) > 0 {
		r.note(finding.New("launch/ignored-member", finding.Note, m.at,
			fmt.Sprintf("%q has no effect here: not used by %s", m.name, r.d.hostNames())))
	}
}

func (r *entryReader) autoApproves(m member, what string) {
	f := finding.New("launch/auto-approval", finding.Error, m.value.at, what)
	f.Hint = "remove it, and let each reader decide"
	r.note(f)
}

// helper reads a command that a host runs to get headers. It runs when the host
// connects, before any tool is called, so it is named like a launch.
func (r *entryReader) helper(m member) {
	r.e.Launch.Helper = r.scalar(m)
	if r.e.Launch.Helper == nil {
		return
	}
	f := finding.New("launch/helper", finding.Warning, m.value.at, "a command of the file runs when the host connects, to produce headers")
	f.Hint = "refer to a variable in \"headers\" instead"
	r.note(f)
}
