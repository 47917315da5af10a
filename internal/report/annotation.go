package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/toolwarrant/toolwarrant/finding"
)

// Annotation is a remark at a line of a file, as a runner of GitHub shows it. Its
// texts are on one line and hold no character that does not show.
type Annotation struct {
	Level        string // error, warning or notice
	File         string // empty where it points to no file
	Line, Column int    // from 1; 0 where there is none
	Title        string
	Message      string
}

// The bounds of GitHub: so many annotations of one level are kept from a step, and
// so many characters of a message.
const (
	perLevel    = 10
	messageRoom = 4000
)

// Annotations are the findings as remarks, the gravest first, at most ten of each
// level; where there are more the tenth counts the rest. What the world did under
// an unchanged declaration does not count on a pull request and is a notice; what
// was known before is left out.
func Annotations(r finding.Report) []Annotation {
	list, _, _ := told(r)
	levels := map[string][]finding.Finding{}
	for _, f := range list {
		levels[remarkLevel(f)] = append(levels[remarkLevel(f)], f)
	}
	var out []Annotation
	for _, level := range []string{"error", "warning", "notice"} {
		all := levels[level]
		shown := all
		if len(all) > perLevel {
			shown = all[:perLevel-1]
		}
		for _, f := range shown {
			out = append(out, remark(level, f))
		}
		if more := len(all) - len(shown); more > 0 {
			out = append(out, Annotation{Level: level, Title: "toolwarrant", Message: fmt.Sprintf("%d more like these: the job summary has them", more)})
		}
	}
	return out
}

func remarkLevel(f finding.Finding) string {
	switch {
	case upstream(f) || f.Level == finding.Note:
		return "notice"
	case f.Level == finding.Warning:
		return "warning"
	}
	return "error"
}

func remark(level string, f finding.Finding) Annotation {
	a := Annotation{
		Level: level, File: finding.Claim(f.Location.File).String(), Title: finding.Claim(f.Rule).Short(80),
		Message: finding.Claim(f.Message).Short(messageWidth),
	}
	if a.File != "" {
		a.Line, a.Column = f.Location.Line, f.Location.Column
	}
	if f.Hint != "" {
		a.Message += " (" + finding.Claim(f.Hint).Short(messageWidth-100) + ")"
	}
	a.Message = finding.Claim(a.Message).Short(messageRoom)
	return a
}

// WriteAnnotations writes annotations as workflow commands, one a line (actions/
// toolkit, docs/commands.md): `::error file=F,line=1,col=2,title=T::message`.
// Nothing in them ends a line, a property or the command's head.
func WriteAnnotations(w io.Writer, list []Annotation) error {
	for _, a := range list {
		var properties []string
		add := func(name, value string) {
			if value != "" {
				properties = append(properties, name+"="+property(value))
			}
		}
		add("file", a.File)
		if a.File != "" && a.Line > 0 {
			add("line", fmt.Sprint(a.Line))
			if a.Column > 0 {
				add("col", fmt.Sprint(a.Column))
			}
		}
		add("title", a.Title)
		if _, err := fmt.Fprintf(w, "::%s %s::%s\n", commandOf(a.Level), strings.Join(properties, ","), data(a.Message)); err != nil {
			return err
		}
	}
	return nil
}

// commandOf keeps a level from being another command.
func commandOf(level string) string {
	if level == "error" || level == "warning" {
		return level
	}
	return "notice"
}

// The escapes of a command's parts: those of a message, and further ones of a
// property.
var (
	dataEscapes     = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	propertyEscapes = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)

// data is Claim's text as a message. Without its visible form a text could still
// hold what a terminal obeys.
func data(text string) string { return dataEscapes.Replace(finding.Claim(text).String()) }

func property(text string) string { return propertyEscapes.Replace(finding.Claim(text).String()) }
