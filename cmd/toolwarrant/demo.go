package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/toolwarrant/toolwarrant/finding"
	"github.com/toolwarrant/toolwarrant/internal/sandbox"
)

// demoCmd plays the main job in a folder of its own. It needs no network and
// starts nothing but a server inside this program.
type demoCmd struct {
	Keep string `placeholder:"DIR" help:"Play in this empty folder and keep it."`
}

const demoConfig = `{
  "mcpServers": {
    "notes": { "command": "toolwarrant", "args": ["__child", "demo-server"] }
  }
}
`

// demo is one performance.
type demo struct {
	a       *app
	project string
	pkg     string // the folder whose content a registry would deliver
	environ []string
}

// Run shows a seal, an update of the server, and what verify says of it.
func (c *demoCmd) Run(a *app) (finding.Outcome, error) {
	d, done, err := c.stage(a)
	if err != nil {
		return 0, err
	}
	defer done()
	return finding.Clean, d.play()
}

func (d *demo) play() error {
	d.say("A repository declares one server, \"notes\":")
	d.say("%s", strings.TrimRight(demoConfig, "\n"))
	if err := d.step("Record what it can do today:", exitClean, "seal", "--all", "--yes"); err != nil {
		return err
	}
	if err := d.step("Nothing has changed:", exitClean, "verify"); err != nil {
		return err
	}
	if err := d.deliver("2"); err != nil {
		return err
	}
	d.say("The server's package publishes an update. The command stays the same, so no client asks again.")
	if err := d.step("What does the lock say?", exitEscalation, "verify"); err != nil {
		return err
	}
	d.say("In a pipeline exit 4 stops the change until somebody has read it and sealed again.")
	return nil
}

// stage lays the folders out. The server reads its release from the folder of
// its program, as an installed package would.
func (c *demoCmd) stage(a *app) (*demo, func(), error) {
	dir, done := c.Keep, func() {}
	if dir == "" {
		var err error
		if dir, err = os.MkdirTemp("", "toolwarrant-demo-"); err != nil {
			return nil, done, fmt.Errorf("make a folder for the demo: %w", err)
		}
		done = func() { _ = os.RemoveAll(dir) }
	} else if dir = a.abs(dir); !isEmptyDir(dir) {
		return nil, done, usage("mkdir one and name it", "--keep needs an empty folder")
	}
	d := &demo{a: a, project: filepath.Join(dir, "project"), pkg: filepath.Join(dir, "package")}
	for _, sub := range []string{d.project, d.pkg} {
		if err := os.Mkdir(sub, 0o755); err != nil {
			return nil, done, fmt.Errorf("make a folder for the demo: %w", err)
		}
	}
	d.environ = []string{"PATH=" + d.pkg, "HOME=" + dir, "NO_COLOR=" + a.getenv("NO_COLOR"), "TERM=" + a.getenv("TERM"), "COLUMNS=" + a.getenv("COLUMNS")}
	if err := d.install(); err != nil {
		return nil, done, err
	}
	return d, done, os.WriteFile(filepath.Join(d.project, ".mcp.json"), []byte(demoConfig), 0o644)
}

func isEmptyDir(dir string) bool {
	names, err := os.ReadDir(dir)
	return err == nil && len(names) == 0
}

// install puts this program into the package's folder, by link or copy.
func (d *demo) install() error {
	self, err := os.Executable()
	if err != nil {
		return fmt.Errorf("find this program: %w", err)
	}
	name := filepath.Join(d.pkg, "toolwarrant"+filepath.Ext(self))
	if filepath.Ext(self) != ".exe" {
		name = filepath.Join(d.pkg, "toolwarrant")
	}
	if os.Symlink(self, name) != nil {
		data, err := os.ReadFile(self)
		if err != nil {
			return fmt.Errorf("copy this program: %w", err)
		}
		if err := os.WriteFile(name, data, 0o755); err != nil {
			return fmt.Errorf("copy this program: %w", err)
		}
	}
	return d.deliver("1")
}

// deliver puts a release into the package's folder.
func (d *demo) deliver(release string) error {
	if err := os.WriteFile(filepath.Join(d.pkg, demoRelease), []byte(release), 0o644); err != nil {
		return fmt.Errorf("deliver release %s of the demo: %w", release, err)
	}
	return nil
}

func (d *demo) say(format string, args ...any) {
	_, _ = fmt.Fprintf(d.a.stdout, format+"\n\n", args...)
}

// step runs one command as a user would and shows it with its exit code.
func (d *demo) step(title string, want int, args ...string) error {
	d.say("%s", title)
	_, _ = fmt.Fprintf(d.a.stdout, "$ toolwarrant %s\n", strings.Join(args, " "))
	var errs bytes.Buffer
	inner := &app{ctx: d.a.ctx, stdin: d.a.stdin, stdout: d.a.stdout, stderr: &errs, environ: d.environ, dir: d.project,
		sandbox: sandbox.None} // its server is this program, and the demo runs everywhere
	outcome, err := inner.main(args)
	if code := codeOf(outcome, err); code != want {
		return fmt.Errorf("the demo's %s ended with exit code %d, not %d: %v %s", args[0], code, want, err, errs.String())
	}
	d.say("")
	return nil
}

var demoRole = sandbox.Role{Name: "demo-server", Run: demoServer}
