package inspect

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/toolwarrant/toolwarrant/internal/fakemcp"
	"github.com/toolwarrant/toolwarrant/internal/surface"
)

// want is what a behaviour leads to. Where Reason is empty the result must be
// complete.
type want struct {
	limits    Limits // members that are zero are patient
	reason    Reason
	stage     string
	era       string // empty: modern, or none where Reason is set
	tools     int    // items of the list, also of one that was not read in full
	attempts  int    // zero: 1
	survivors int
	noise     int
	says      string // part of Detail
	words     string // part of LastWords
}

const (
	moment = 300 * time.Millisecond // for what never comes
	three  = 3                      // tools of the base surface
)

var wants = map[string]want{
	"legacy":                   {era: legacy, tools: three},
	"legacy-32602":             {era: legacy, tools: three},
	"modern-only":              {tools: three},
	"older-protocol":           {era: legacy, tools: three},
	"unknown-protocol":         {era: legacy, tools: three},
	"silent-probe":             {limits: Limits{Probe: moment}, era: legacy, tools: three},
	"late-probe":               {limits: Limits{Probe: moment}, era: modern, tools: three},
	"late-probe-dual":          {limits: Limits{Probe: moment}, era: legacy, tools: three},
	"silent-probe-modern-only": {limits: Limits{Probe: moment}, era: modern, tools: three},
	"dies-at-probe":            {era: legacy, tools: three, attempts: 2},
	"dies-after-probe":         {era: legacy, tools: three, attempts: 2},
	"unsupported-version":      {reason: Protocol, stage: "server/discover", says: "no revision"},
	"offers-legacy":            {era: legacy, tools: three},
	"discover-anything":        {era: legacy, tools: three},
	"input-required":           {reason: Protocol, stage: "tools/list", era: modern, says: "input"},

	"paged":                {tools: three},
	"paged-modern":         {tools: three},
	"paged-legacy":         {era: legacy, tools: three},
	"second-page":          {tools: three + 1},
	"empty-cursor":         {tools: three},
	"null-cursor":          {tools: 1},
	"number-cursor":        {reason: Protocol, stage: "tools/list", era: modern, tools: 1, says: "cursor"},
	"constant-cursor":      {reason: Protocol, stage: "tools/list", era: modern, tools: 2, says: "cursor"},
	"cursor-cycle":         {reason: Protocol, stage: "tools/list", era: modern, says: "cursor"},
	"endless-pages":        {limits: Limits{Pages: 20}, reason: Limit, stage: "tools/list", era: modern, tools: 20, says: "20 pages"},
	"error-on-second-page": {reason: ErrorAnswer, stage: "tools/list", era: modern, tools: 2, says: "page 2"},

	"tools-error":           {reason: ErrorAnswer, stage: "tools/list", era: modern, says: "-32603"},
	"resources-error":       {reason: ErrorAnswer, stage: "resources/list", era: modern, tools: three},
	"tools-unserved":        {},
	"resources-unserved":    {tools: three},
	"templates-unserved":    {tools: three},
	"tools-undeclared":      {},
	"tools-null-capability": {},
	"tools-missing":         {reason: Protocol, stage: "tools/list", era: modern, says: "no tools"},
	"tools-no-array":        {reason: Protocol, stage: "tools/list", era: modern, says: "no array"},
	"tools-null":            {reason: Protocol, stage: "tools/list", era: modern, says: "no array"},
	"result-no-object":      {reason: Protocol, stage: "tools/list", era: modern, says: "no object"},
	"initialize-error":      {reason: ErrorAnswer, stage: "initialize", says: "-32603"},
	"no-capabilities":       {reason: Protocol, stage: "initialize", says: "capabilities"},
	"no-version":            {reason: Protocol, stage: "initialize", says: "version"},
	"instructions-number":   {reason: Protocol, stage: "initialize", says: "instructions"},

	"duplicate-tools": {reason: Unreadable, stage: "tools/list", era: modern, tools: three + 1, says: `two tools have the name "get_note"`},
	"duplicate-keys":  {reason: Unreadable, stage: "tools/list", era: modern, tools: 1, says: `tool 2 ("twice"): a member name that occurs twice`},
	"big-number":      {reason: Unreadable, stage: "tools/list", era: modern, tools: 1, says: `tool 2 ("big"): a number`},
	"blank-name":      {reason: Unreadable, stage: "tools/list", era: modern, tools: 1, says: "blank"},
	"no-name":         {reason: Unreadable, stage: "tools/list", era: modern, tools: 1, says: "tool 2: "},
	"number-name":     {reason: Unreadable, stage: "tools/list", era: modern, tools: 1, says: "tool 2: "},
	"no-object":       {reason: Unreadable, stage: "tools/list", era: modern, tools: 1, says: "tool 2: "},
	"deep-item":       {reason: Unreadable, stage: "tools/list", era: modern, tools: 1, says: "nested too deeply"},

	"noise":              {tools: three, noise: 5},
	"windows-lines":      {tools: three},
	"batch":              {tools: 1},
	"half-line":          {limits: Limits{Page: moment, Grace: moment}, reason: Timeout, stage: "tools/list", era: modern},
	"half-line-exit":     {reason: Died, stage: "tools/list", era: modern, says: "exited with code 0"},
	"drip":               {limits: Limits{Probe: moment, Initialize: moment, Grace: moment}, reason: Timeout, stage: "initialize", noise: -1},
	"endless-line":       {limits: Limits{Line: 1 << 20, Grace: moment}, reason: Limit, says: "a line"},
	"huge-line":          {limits: Limits{Grace: moment}, reason: Limit, stage: "tools/list", era: modern, says: "16777216"},
	"endless-noise":      {limits: Limits{Output: 1 << 20, Grace: moment}, reason: Limit, says: "output exceeds", noise: -1},
	"invalid-utf8":       {reason: Protocol, stage: "tools/list", era: modern, says: "UTF-8"},
	"lone-surrogate":     {reason: Protocol, stage: "tools/list", era: modern, says: "surrogate"},
	"deep":               {reason: Limit, stage: "tools/list", era: modern, says: "nested"},
	"duplicate-envelope": {reason: Protocol, stage: "tools/list", era: modern, says: "twice"},
	"result-and-error":   {reason: Protocol, stage: "tools/list", era: modern},
	"jsonrpc-1":          {reason: Protocol, stage: "tools/list", era: modern, says: "JSON-RPC 2.0"},
	"broken-message":     {reason: Protocol, stage: "tools/list", era: modern, says: "not valid JSON"},
	"wrong-id":           {tools: three},

	"asks-roots":          {tools: three},
	"asks-everything":     {tools: three},
	"asks-our-id":         {tools: three},
	"asks-without-end":    {limits: Limits{Questions: 50, Grace: moment}, reason: Limit, says: "50 requests"},
	"odd-request-id":      {reason: Protocol, stage: "tools/list", era: modern, says: "id"},
	"differs-per-listing": {reason: Unstable, stage: "prompts/list", era: modern, tools: three + 1},
	"differs-per-run":     {tools: three + 1},
	"settles":             {tools: three + 1},
	"never-settles":       {reason: Unstable, stage: "prompts/list", era: modern, tools: three + 3},
	"own-paths":           {tools: three},
	"own-machine":         {tools: three},
	"tells-all":           {tools: three},
	"tells-all-and-dies":  {reason: Died, stage: "initialize", attempts: 2, says: "exited with code"},
	"tells-reversed":      {tools: three},
	"tells-hex":           {tools: three},
	"tells-base64":        {tools: three},
	"tells-url":           {tools: three},
	"reads-credentials":   {tools: three},
	"reads-npmrc":         {tools: three},
	"connects":            {tools: three},
	"writes-outside":      {tools: three},

	"crash-at-start":          {reason: Died, stage: "initialize", attempts: 2, says: "exited with code 3", words: "FAKE_API_KEY"},
	"crash-in-initialize":     {reason: Died, stage: "initialize", attempts: 2, says: "exited with code 4", words: "cannot start"},
	"crash-in-list":           {reason: Died, stage: "tools/list", era: modern, says: "exited with code 5", words: "cannot list"},
	"crash-in-second-listing": {reason: Died, stage: "tools/list", era: modern, tools: three, says: "exited with code 6"},
	"silent":                  {limits: Limits{Probe: moment, Initialize: moment}, reason: Timeout, stage: "initialize", says: "initialize"},
	"hang-in-list":            {limits: Limits{Page: moment}, reason: Timeout, stage: "tools/list", era: modern},
	"closes-stdout":           {reason: Died, stage: "tools/list", era: modern, says: "standard output"},
	"closes-stdin":            {limits: Limits{Grace: moment}, reason: Died, stage: "initialize", attempts: 2, says: "standard input"},
	"floods-stderr":           {tools: three, words: "the last line"},
	"ignores-term":            {limits: Limits{Grace: moment}, tools: three},
	"forks":                   {tools: three, survivors: 1},
	"forks-session":           {tools: three, survivors: 1},
	"daemonizes":              {tools: three, survivors: 1},
	"crowd":                   {limits: Limits{Processes: 8, Grace: moment}, reason: Limit, survivors: -1, says: "processes"},
	"hog":                     {limits: Limits{Memory: 256 << 20}, reason: Limit, says: "memory"},
	"kills-supervisor":        {reason: Unwatched, stage: "tools/list", era: modern, survivors: -1},
}

// allowed is all that may ever be sent.
var allowed = []string{
	"initialize", "notifications/initialized", "prompts/list", "resources/list",
	"resources/templates/list", "server/discover", "tools/list",
}

func TestBehaviours(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("survivors are counted on Linux only")
	}
	sent := make(chan []string, 1000)
	t.Run("each", func(t *testing.T) {
		for _, b := range fakemcp.Behaviours() {
			w, ok := wants[b.Name]
			switch {
			case slices.Contains(fakemcp.Surfaces(), b.Name):
				continue // TestSurfaces
			case !ok:
				t.Errorf("%s has no expectation", b.Name)
				continue
			}
			t.Run(b.Name, func(t *testing.T) {
				t.Parallel()
				f := newFake(t, b.Name)
				r := Read(t.Context(), f.order(t, w.limits.over(patient)))
				w.check(t, r)
				f.check(t)
				sent <- append(f.logged("method"), f.logged("answer")...)
			})
		}
	})
	close(sent)
	all := map[string]bool{}
	for methods := range sent {
		for _, m := range methods {
			all[m] = true
		}
	}
	want := append(slices.Clone(allowed), "result {}", "error -32601")
	for _, m := range want {
		if !all[m] {
			t.Errorf("%q was never sent: the fake does not cover it", m)
		}
		delete(all, m)
	}
	if len(all) > 0 {
		t.Errorf("sent beside what is allowed: %v", all)
	}
}

// over takes the members that are set from l and the others from m.
func (l Limits) over(m Limits) Limits {
	for _, p := range [][2]*time.Duration{{&l.Probe, &m.Probe}, {&l.Initialize, &m.Initialize}, {&l.Page, &m.Page}, {&l.Server, &m.Server}, {&l.Grace, &m.Grace}} {
		if *p[0] == 0 {
			*p[0] = *p[1]
		}
	}
	return l
}

func (w want) check(t *testing.T, r Result) {
	t.Helper()
	if w.era == "" && w.reason == "" {
		w.era = modern
	}
	fail := func(what string, got, want any) {
		t.Errorf("%s: got %v, want %v\n%+v", what, got, want, r)
	}
	switch {
	case r.Reason != w.reason:
		fail("reason", r.Reason, w.reason)
	case r.Complete() != (w.reason == ""):
		fail("complete", r.Complete(), w.reason == "")
	case r.Unstable != (w.reason == Unstable):
		fail("unstable", r.Unstable, w.reason == Unstable)
	case w.stage != "" && r.Stage != w.stage:
		fail("stage", r.Stage, w.stage)
	case r.Reason != "" && (r.Detail == "" || !strings.Contains(r.Detail, w.says)):
		fail("detail", r.Detail, w.says)
	case w.limits.Processes+int(w.limits.Memory)+w.limits.Questions == 0 && r.Era != w.era:
		fail("era", r.Era, w.era)
	case w.limits.Processes == 0 && len(r.Surface.Lists[surface.Tools].Items) != w.tools:
		fail("tools", len(r.Surface.Lists[surface.Tools].Items), w.tools)
	case r.Attempts != max(1, w.attempts):
		fail("attempts", r.Attempts, w.attempts)
	case w.survivors >= 0 && r.Survivors != w.survivors:
		fail("survivors", r.Survivors, w.survivors)
	case w.noise >= 0 && r.Noise.Lines != w.noise:
		fail("noise", r.Noise.Lines, w.noise)
	case !strings.Contains(r.LastWords, w.words) || len(r.LastWords) > 16<<10:
		fail("last words", r.LastWords, w.words)
	}
}

// check looks for what must never be left: a called tool, a running process.
func (f fake) check(t *testing.T) {
	t.Helper()
	if text, err := os.ReadFile(f.sentinel); err == nil {
		t.Errorf("something was called: %s", text)
	}
	for _, pid := range f.logged("pid") {
		n, err := strconv.Atoi(pid)
		if err != nil {
			t.Errorf("the fake logged the process id %q", pid)
		} else if running(n) {
			t.Errorf("process %d is still there", n)
		}
	}
}

func TestSurfaces(t *testing.T) {
	for _, name := range fakemcp.Surfaces() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := newFake(t, name)
			r := Read(t.Context(), f.order(t, patient))
			if !r.Complete() {
				t.Fatalf("not complete: %s %s", r.Reason, r.Detail)
			}
			d := fakemcp.Surface(name)
			for k, raws := range map[surface.Kind][]rawItem{
				surface.Tools: d.Tools, surface.Resources: d.Resources, surface.Templates: d.Templates, surface.Prompts: d.Prompts,
			} {
				if diff := cmp.Diff(digestsOf(t, k, raws), digests(r.Surface.Lists[k])); diff != "" {
					t.Errorf("%s (-declared +read):\n%s", k, diff)
				}
			}
			if got := r.Surface.Instructions; (got == nil) != (d.Instructions == "") || got != nil && *got != d.Instructions {
				t.Errorf("instructions: got %v, want %q", got, d.Instructions)
			}
			if r.Surface.Server.Name != d.Name || r.Surface.Server.Version != d.Version {
				t.Errorf("server: got %+v", r.Surface.Server)
			}
			f.check(t)
		})
	}
}

func digestsOf(t *testing.T, k surface.Kind, raws []rawItem) []string {
	t.Helper()
	var items []surface.Item
	for _, raw := range raws {
		item, err := surface.NewItem(k, raw)
		if err != nil {
			t.Fatal(err)
		}
		items = append(items, item)
	}
	surface.Sort(items)
	return digests(surface.List{Items: items})
}

func digests(l surface.List) (out []string) {
	for _, item := range l.Items {
		out = append(out, item.Digest)
	}
	return out
}

// Neither the era nor the size of pages may be seen in a surface.
func TestEraAndPageSizeDoNotMatter(t *testing.T) {
	want := Read(t.Context(), newFake(t, "base").order(t, patient)).Surface
	for _, name := range []string{"legacy", "modern-only", "paged", "paged-legacy", "paged-modern", "empty-cursor", "noise"} {
		got := Read(t.Context(), newFake(t, name).order(t, patient)).Surface
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-base +got):\n%s", name, diff)
		}
	}
}

// What a server says of its own directories is the same in every slot.
func TestNeutralDirectories(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	read := func() surface.List {
		r := Read(t.Context(), newFake(t, "own-paths").order(t, patient))
		if !r.Complete() {
			t.Fatalf("not complete: %s %s", r.Reason, r.Detail)
		}
		return r.Surface.Lists[surface.Tools]
	}
	first := read()
	block(t) // another run holds the first slot now
	if diff := cmp.Diff(first, read()); diff != "" {
		t.Errorf("another slot, another surface:\n%s", diff)
	}
	if !strings.Contains(string(first.Items[0].Raw), "toolwarrant-0000") {
		t.Errorf("got %s", first.Items[0].Raw)
	}
}

func TestDifferentRunsDiffer(t *testing.T) {
	f := newFake(t, "differs-per-run")
	a := Read(t.Context(), f.order(t, patient)).Surface.Lists[surface.Tools]
	b := Read(t.Context(), f.order(t, patient)).Surface.Lists[surface.Tools]
	if cmp.Equal(a, b) {
		t.Error("two runs gave the same list")
	}
}

func TestStates(t *testing.T) {
	tests := []struct {
		behaviour string
		kind      surface.Kind
		want      surface.State
	}{
		{"tools-unserved", surface.Tools, surface.Unserved},
		{"resources-unserved", surface.Resources, surface.Unserved},
		{"resources-unserved", surface.Templates, surface.Undeclared},
		{"templates-unserved", surface.Templates, surface.Undeclared},
		{"tools-undeclared", surface.Tools, surface.Undeclared},
		{"tools-null-capability", surface.Tools, surface.Undeclared},
		{"resources-error", surface.Resources, surface.Unread},
		{"resources-error", surface.Prompts, surface.Read},
		{"tools-error", surface.Prompts, surface.Read},
		{"crash-in-list", surface.Prompts, surface.Unread},
	}
	for _, tt := range tests {
		r := Read(t.Context(), newFake(t, tt.behaviour).order(t, patient))
		if got := r.Surface.Lists[tt.kind]; got.State != tt.want || (got.State == surface.Unread) != (got.Why != "") {
			t.Errorf("%s: %s is %v (%q), want %v", tt.behaviour, tt.kind, got.State, got.Why, tt.want)
		}
	}
}

func TestRequestsOfTheServer(t *testing.T) {
	f := newFake(t, "asks-everything")
	r := Read(t.Context(), f.order(t, patient))
	round := []string{"ping", "sampling/createMessage", "elicitation/create", "roots/list"}
	if diff := cmp.Diff(append(slices.Clone(round), round...), r.Requests); diff != "" {
		t.Error(diff)
	}
	answers := []string{"result {}", "error -32601", "error -32601", "error -32601"}
	if diff := cmp.Diff(append(slices.Clone(answers), answers...), f.logged("answer")); diff != "" {
		t.Error(diff)
	}
}

// The server's own words on an error are kept apart from ours.
func TestAnswerIsForeign(t *testing.T) {
	r := Read(t.Context(), newFake(t, "tools-error").order(t, patient))
	if r.Answer != "fake failure" || strings.Contains(r.Detail, r.Answer) {
		t.Errorf("got answer %q, detail %q", r.Answer, r.Detail)
	}
}

func TestEnvironmentAndDirectory(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	t.Setenv("PLANTED_TOKEN", "must-not-arrive")
	f := newFake(t, "base")
	Read(t.Context(), f.order(t, patient))
	slot := filepath.Join(os.Getenv("TMPDIR"), "toolwarrant-0001")
	if real, err := filepath.EvalSymlinks(os.Getenv("TMPDIR")); err == nil {
		slot = filepath.Join(real, "toolwarrant-0001")
	}
	want := []string{"PATH=/usr/bin:/bin", "LANG=C.UTF-8", "HOME=" + slot + "/home", "TMPDIR=" + slot + "/tmp"}
	if diff := cmp.Diff(want, f.logged("env")); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{slot + "/work"}, f.logged("dir")); diff != "" {
		t.Error(diff)
	}
	if left, _ := os.ReadDir(os.Getenv("TMPDIR")); len(left) != 0 {
		t.Errorf("left behind: %v", left)
	}
	f, dir := newFake(t, "base"), t.TempDir()
	o := f.order(t, patient)
	o.Dir, o.Env = dir, append(o.Env, "HOME=/nowhere")
	Read(t.Context(), o)
	if got := f.logged("dir"); !slices.Equal(got, []string{dir}) || !slices.Contains(f.logged("env"), "HOME=/nowhere") {
		t.Errorf("got directory %v, environment %v", got, f.logged("env"))
	}
}

func TestMissingAndUnstartable(t *testing.T) {
	plain := filepath.Join(t.TempDir(), "plain")
	if err := os.WriteFile(plain, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for program, want := range map[string]Reason{
		"toolwarrant-no-such-program": MissingProgram,
		plain + "-absent":             MissingProgram,
		plain:                         StartFailed,
		"":                            MissingProgram,
	} {
		r := Read(t.Context(), Order{Argv: []string{program}, Env: []string{"PATH=/usr/bin:/bin"}})
		if r.Reason != want || r.Stage != "start" || r.Detail == "" || r.Complete() || r.Attempts != 1 {
			t.Errorf("%q: got %+v", program, r)
		}
	}
}

func TestCancelledAndOutOfTime(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	f := newFake(t, "silent")
	go func() {
		for len(f.logged("method")) == 0 {
			time.Sleep(time.Millisecond)
		}
		cancel()
	}()
	if r := Read(ctx, f.order(t, patient)); r.Reason != Cancelled || r.Complete() {
		t.Errorf("got %+v", r)
	}
	l := patient
	l.Server = moment
	if r := Read(t.Context(), newFake(t, "silent").order(t, l)); r.Reason != Timeout || r.Complete() {
		t.Errorf("got %+v", r)
	}
}

func TestZeroResult(t *testing.T) {
	if (Result{}).Complete() || (Result{Era: modern}).Complete() {
		t.Error("nothing was read, and it counts as complete")
	}
}
