package manifest

import (
	"fmt"
	"strings"

	"github.com/toolwarrant/toolwarrant/finding"
)

// launched reports what the grammar of launchers says of a program: a text for a
// shell, a form that it does not know, variables set on the way, a package that
// nothing pins, the address behind a bridge.
func (r *entryReader) launched() {
	c := r.e.Launch.Command()
	r.e.Pin = c.Pin
	if len(c.Words) == 0 {
		return
	}
	at := func(word int) finding.Location { return r.e.Launch.Argv[c.Words[word].Arg].At }
	if c.Text >= 0 {
		f := finding.New("launch/shell", finding.Warning, at(c.Text), "the server is started by a text for a shell")
		f.Hint = "name the program and its arguments in \"command\" and \"args\""
		r.note(f)
	}
	if c.Why != "" {
		f := finding.New("launch/not-understood", finding.Warning, at(max(c.WhyAt, 0)),
			fmt.Sprintf("what is started cannot be told from the words, so it is never started here: %s", c.Why))
		f.Hint = "name package and program in front of the server's own options, in a form that the launcher documents"
		r.note(f)
	}
	for _, i := range c.Assigned {
		name, value, _ := strings.Cut(c.Words[i].Text, "=")
		r.override(name, node{text: value, at: at(i)})
	}
	for _, p := range c.Packages {
		r.floating(p, at(p.Word))
	}
	for _, i := range c.Redirects {
		f := finding.New("launch/resolver-config-minor", finding.Warning, at(i), "an option of the launcher chooses where its package comes from, or what runs beside it")
		f.Hint = "remove the option; let each machine's own settings decide"
		r.note(f)
	}
	if c.Bridge != nil {
		r.behind(c, at(c.Bridge.URL))
	}
}

// behind judges the address of a bridge, which the bridge's own pin does not
// hold.
func (r *entryReader) behind(c Command, at finding.Location) {
	address := c.Address()
	m := addressForm.FindStringSubmatch(address)
	if m == nil {
		return
	}
	r.insecure(&node{text: address, at: at}, strings.ToLower(m[1]), m[2], "", strings.Contains(address, "$"))
}
