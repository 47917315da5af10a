package scanner

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/toolwarrant/toolwarrant/finding"
	"github.com/toolwarrant/toolwarrant/internal/fakemcp"
	"github.com/toolwarrant/toolwarrant/internal/inspect"
	"github.com/toolwarrant/toolwarrant/internal/manifest"
	"github.com/toolwarrant/toolwarrant/internal/sandbox"
	"github.com/toolwarrant/toolwarrant/lockfile"
)

// fakeWord makes the test binary the fake server.
const fakeWord = "__fakemcp"

func TestMain(m *testing.M) {
	if code, ok := sandbox.Child(os.Args); ok {
		os.Exit(code)
	}
	if len(os.Args) > 1 && os.Args[1] == fakeWord {
		os.Exit(fakemcp.Main(os.Args[2:]))
	}
	os.Exit(m.Run())
}

// world is a tree in the making.
type world struct {
	t     testing.TB
	log   string // written by every server that is started
	files map[string]string
	shelf *shelf
}

func (w *world) clone() *world {
	return &world{w.t, w.log, maps.Clone(w.files), w.shelf}
}

// server is the configuration of one server that behaves in a way; words go
// behind its flags.
func (w *world) server(behaviour string, words ...string) map[string]any {
	args := append([]string{fakeWord, "-log", w.log, "-behaviour", behaviour}, words...)
	return map[string]any{"command": os.Args[0], "args": args}
}

// declare writes a configuration of one server.
func (w *world) declare(file, name string, server map[string]any) {
	root := "mcpServers"
	if strings.Contains(file, "vscode") {
		root = "servers"
	}
	text, err := json.MarshalIndent(map[string]any{root: map[string]any{name: server}}, "", "  ")
	if err != nil {
		w.t.Fatal(err)
	}
	w.files[file] = string(text)
}

func (w *world) fs() fstest.MapFS {
	out := fstest.MapFS{}
	for name, text := range w.files {
		out[name] = &fstest.MapFile{Data: []byte(text), Mode: 0o644}
		if to, ok := strings.CutPrefix(text, "->"); ok {
			out[name] = &fstest.MapFile{Data: []byte(to), Mode: 0o777 | fs.ModeSymlink}
		}
	}
	return out
}

// seal writes the lock of what a file declares under a name, as the surface of
// a behaviour would have it.
func (w *world) seal(file, name, behaviour string, change ...func(*lockfile.Entry)) {
	w.t.Helper()
	for _, e := range manifest.Read(w.fs(), file).Entries {
		if e.Name.Value != name {
			continue
		}
		launch, err := lockLaunch(e.Launch)
		if err != nil {
			w.t.Fatal(err)
		}
		entry := fake(w.t, behaviour)
		entry.Name, entry.Places, entry.Launch = name, []string{e.Place}, launch
		entry.Read.Probe = Options{}.probe(inspect.Environment{})
		entry.Review = lockfile.Review{State: lockfile.Approved, Launch: launch.Digest, Surface: entry.Read.Surface}
		w.fixes(&entry, e.Launch)
		for _, c := range change {
			c(&entry)
		}
		data, err := entry.Bytes()
		if err != nil {
			w.t.Fatal(err)
		}
		w.files[LockDir+"/"+lockfile.FileName(name)+LockSuffix] = string(data)
		return
	}
	w.t.Fatalf("%s does not declare %s", file, name)
}

func inReview(s lockfile.State) func(*lockfile.Entry) {
	return func(e *lockfile.Entry) {
		e.Review.State = s
		if s != lockfile.Approved {
			e.Review.Surface = ""
		}
	}
}

const notesLock = LockDir + "/notes" + LockSuffix

// run scans and reports whether anything was started.
func (w *world) run(anchor *world, r row) (finding.Report, bool) {
	w.t.Helper()
	_ = os.Remove(w.log)
	o := Options{
		Head: w.fs(), Live: r.live, Date: "2026-06-01", Start: r.start, SameRepository: r.own,
		Environment: inspect.EnvOptions{Parent: os.Environ()}, Packages: w.shelf, Today: r.today,
		WriteOut: func(_ fs.FS, dir string) (string, func(), error) { return w.t.TempDir(), func() {}, nil },
	}
	if anchor != nil {
		o.Anchor.FS = anchor.fs()
	}
	if r.tip != nil {
		tip := anchor.clone()
		r.tip(tip)
		o.Tip = tip.fs()
	}
	switch r.kind {
	case "person":
		o.Anchor.Kind, o.Anchor.StandIn = "merge-base", true
	case "base":
		o.Anchor.Kind, o.Anchor.Change = "base", true
	case "head":
		o.Anchor.Kind, o.Anchor.FS = "head", w.fs()
	case "pipeline":
		o.Anchor.Kind, o.NoStart = "none", "a pipeline without an anchor"
	}
	if r.approves {
		o.Approved = func(string, string) bool { return true }
	}
	if r.sealed {
		o.Approved = w.sealedHere(o, anchor)
	}
	report, err := Scan(w.t.Context(), o)
	if err != nil {
		w.t.Fatal(err)
	}
	_, err = os.Stat(w.log)
	return report, err == nil
}

// sealedHere approves exactly what a user who sealed another world approved.
func (w *world) sealedHere(o Options, other *world) func(launch, code string) bool {
	w.t.Helper()
	o.Head = other.fs()
	repo, err := Load(o.Head)
	if err != nil {
		w.t.Fatal(err)
	}
	approved := map[string]bool{}
	for _, t := range repo.Targets {
		code, err := o.Code(t)
		if err != nil || t.Lock == nil {
			w.t.Fatal(err, t.Lock)
		}
		approved[t.Launch.Digest+Approval(code, t.Lock.Entry.Artifact)] = true
	}
	return func(launch, code string) bool { return approved[launch+code] }
}

type row struct {
	name     string
	kind     string // person, base, head or pipeline
	anchor   func(*world)
	head     func(*world)
	approves bool // this user approved the head's launches
	live     Live
	start    string
	sealed   bool         // this user sealed what the anchor has, and nothing else
	today    bool         // what the registry gives today is started
	own      bool         // the pipeline says that the change is no fork's
	tip      func(*world) // what the default branch did since the anchor
	outcome  finding.Outcome
	started  bool
	rule     string
}

// TestWhatIsStarted is a table over event, anchor, launch and lock. The server
// leaves a log when it is started: where started is false there must be none.
func TestWhatIsStarted(t *testing.T) {
	rows := startRows()
	if len(rows) < 60 {
		t.Fatalf("%d rows", len(rows))
	}
	names := map[string]bool{}
	for _, r := range rows {
		if names[r.kind+r.name] {
			t.Fatalf("two rows are named %s %s", r.kind, r.name)
		}
		names[r.kind+r.name] = true
		t.Run(r.kind+"/"+r.name, func(t *testing.T) {
			dir := t.TempDir()
			log := filepath.Join(dir, "log")
			w := &world{t, log, map[string]string{}, newShelf(t, log)}
			w.declare(".mcp.json", "notes", w.server("base"))
			w.seal(".mcp.json", "notes", "base")
			var anchor *world
			if r.anchor != nil {
				anchor = w.clone()
				r.anchor(anchor)
			}
			head := w.clone()
			if anchor != nil {
				head = anchor.clone()
			}
			r.head(head)
			report, started := head.run(anchor, r)
			if started != r.started {
				t.Errorf("started: %v, want %v", started, r.started)
			}
			if report.Outcome != r.outcome {
				t.Errorf("outcome %s, want %s: %s", report.Outcome, r.outcome, tell(report))
			}
			for _, target := range report.Targets {
				if !started && r.live != LiveNone && r.live != LiveChanged && target.Status == finding.Verified {
					t.Errorf("%s is verified and was not started: %s", target.Name, tell(report))
				}
			}
			if r.rule != "" && !slices.Contains(idsOf(report.Findings), r.rule) {
				t.Errorf("%s is not told: %s", r.rule, tell(report))
			}
		})
	}
}

func tell(r finding.Report) string {
	var b strings.Builder
	for _, t := range r.Targets {
		fmt.Fprintf(&b, "\n  target %s %s %s", t.Name, t.Status, t.Reason)
	}
	for _, f := range r.Findings {
		fmt.Fprintf(&b, "\n  %s %s known=%v %s %s", f.Rule, f.Outcome, f.Known, f.Cause, f.Message)
	}
	return b.String()
}
