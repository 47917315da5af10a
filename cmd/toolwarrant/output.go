package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/mattn/go-isatty"

	"github.com/toolwarrant/toolwarrant/internal/report"
	"github.com/toolwarrant/toolwarrant/internal/store"
)

// outputFlags choose how results are written. The exit code does not depend on
// them.
type outputFlags struct {
	Output  []string `short:"o" sep:"none" placeholder:"FORMAT[=FILE]" help:"text or json, of a report also sarif, junit or markdown, to standard output or a file. Repeats."`
	JSON    bool     `name:"json" help:"The same as -o json."`
	Quiet   bool     `short:"q" help:"The verdict line alone."`
	Verbose bool     `help:"Everything, also what is not notable."`
	NoColor bool     `help:"No colours, as NO_COLOR does."`
}

// view is one result in every format.
type view struct {
	text func(io.Writer, report.Style) error
	json any
	// more are the formats that only a report has.
	more map[string]func(io.Writer) error
}

var (
	formats       = []string{"text", "json"}
	reportFormats = append(slices.Clone(formats), "sarif", "junit", "markdown")
)

// formats are what v can be rendered as.
func (v view) formats() []string {
	if v.more == nil {
		return formats
	}
	return reportFormats
}

// write renders v to every asked place.
func (f outputFlags) write(a *app, v view) error {
	outputs, err := f.read(v.formats())
	if err != nil {
		return err
	}
	for _, o := range outputs {
		if err := f.one(a, v, o.format, o.file); err != nil {
			return err
		}
	}
	return nil
}

// outputs are the asked places of a command whose result is no report.
func (f outputFlags) outputs() ([]output, error) { return f.read(formats) }

type output struct{ format, file string }

// read takes -o apart for a command that has these formats.
func (f outputFlags) read(formats []string) ([]output, error) {
	var out []output
	stdout := 0
	asked := slices.Clone(f.Output)
	if f.JSON {
		asked = append(asked, "json")
	}
	for _, o := range asked {
		format, file, toFile := strings.Cut(o, "=")
		if !slices.Contains(formats, format) || toFile && file == "" {
			return nil, usage("formats here are "+inWords(formats)+", as -o json or -o json=FILE", "there is no format %q", o)
		}
		if !toFile {
			stdout++
		}
		out = append(out, output{format, file})
	}
	if stdout > 1 {
		return nil, usage("send one of them to a file: -o json=FILE", "two formats cannot both go to standard output")
	}
	if stdout == 0 {
		out = append([]output{{format: "text"}}, out...)
	}
	return out, nil
}

// inWords is "text, json and sarif".
func inWords(list []string) string {
	last := len(list) - 1
	return strings.Join(list[:last], ", ") + " and " + list[last]
}

func (f outputFlags) one(a *app, v view, format, file string) error {
	var b bytes.Buffer
	render := func() error { return report.JSON(&b, v.json) }
	if more, ok := v.more[format]; ok {
		render = func() error { return more(&b) }
	}
	if format == "text" {
		style := report.Style{Width: 80, Verbose: f.Verbose, Quiet: f.Quiet}
		if file == "" {
			style.Color, style.Width = f.color(a), a.width()
		}
		render = func() error { return v.text(&b, style) }
	}
	if err := render(); err != nil {
		return fmt.Errorf("render %s: %w", format, err)
	}
	if file == "" {
		if _, err := a.stdout.Write(b.Bytes()); err != nil {
			return fmt.Errorf("write to standard output: %w", err)
		}
		return nil
	}
	return a.writeFile(file, b.Bytes())
}

// writeFile writes atomically and never through a link.
func (a *app) writeFile(file string, data []byte) error {
	file = a.abs(file)
	root, name := filepath.Dir(file), filepath.Base(file)
	if rel, err := filepath.Rel(findRoot(a.dir), file); err == nil && filepath.IsLocal(rel) {
		root, name = findRoot(a.dir), filepath.ToSlash(rel) // folders of the repository may be links too
	}
	s, err := store.Open(root)
	if err != nil {
		return fmt.Errorf("write %s: %w", filepath.Base(file), err)
	}
	defer func() { _ = s.Close() }()
	return s.Write(name, data)
}

func (a *app) abs(path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(a.dir, path)
}

// color is for a terminal that nobody told otherwise (no-color.org).
func (f outputFlags) color(a *app) bool {
	return !f.NoColor && a.getenv("NO_COLOR") == "" && a.getenv("TERM") != "dumb" && isTerminal(a.stdout)
}

func isTerminal(v any) bool {
	f, ok := v.(*os.File)
	return ok && isatty.IsTerminal(f.Fd())
}

func cutEnv(entry string) (name, value string, ok bool) {
	// Windows has names that start with "=".
	if i := strings.IndexByte(entry[min(1, len(entry)):], '='); i >= 0 {
		return entry[:i+1], entry[i+2:], true
	}
	return entry, "", false
}
