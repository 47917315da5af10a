package main

import (
	"fmt"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/toolwarrant/toolwarrant/internal/fakenpm"
	"github.com/toolwarrant/toolwarrant/internal/fetch"
)

// registries are those of the scripts that run, by their folder.
var registries sync.Map

// theRegistry is the registry of a script; the first call starts it.
func theRegistry(ts *testscript.TestScript) (*fakenpm.Registry, string) {
	type running struct {
		registry *fakenpm.Registry
		address  string
	}
	work := ts.Getenv("WORK")
	if r, ok := registries.Load(work); ok {
		return r.(running).registry, r.(running).address
	}
	r := fakenpm.New()
	s := httptest.NewServer(r.Handler())
	ts.Defer(func() { s.CloseClientConnections(); s.Close(); registries.Delete(work) })
	registries.Store(work, running{r, s.URL})
	return r, s.URL
}

// registry [LINE...] starts an npm registry on loopback for the script and names
// it in the user's own configuration, $HOME/.npmrc. In further lines of that, $HOST
// is its host and port.
func registry(ts *testscript.TestScript, neg bool, args []string) {
	_, address := theRegistry(ts)
	text := "registry=" + address + "/\n"
	for _, line := range args {
		text += strings.NewReplacer("$HOST", strings.TrimPrefix(address, "http://"), "$SENTINEL", sentinel).Replace(line) + "\n"
	}
	ts.Check(os.WriteFile(filepath.Join(ts.Getenv("HOME"), ".npmrc"), []byte(text), 0o600))
}

// publish server VERSION [TOOLS] publishes a server of that version whose tools
// stand in a file, above "sdk" in the range ^1.0.0; publish sdk VERSION adds
// members to each tool, named by its version; publish FOLDER VERSION publishes
// what else a script wants, by a name it gives in NAME=RANGE dependencies.
func publish(ts *testscript.TestScript, neg bool, args []string) {
	r, _ := theRegistry(ts)
	name, version := args[0], args[1]
	switch {
	case strings.HasPrefix(name, "sdk"):
		extra := `{}`
		if len(args) > 2 {
			extra = args[2]
		}
		r.Publish(fakenpm.SDK(name, version, extra))
	case len(args) > 2:
		r.Publish(fakenpm.Server(name, version, ts.ReadFile(args[2]), "sdk", "^1.0.0"))
	default:
		r.Publish(fakenpm.Package{Name: name, Version: version})
	}
}

// publishwith NAME VERSION DEPENDENCY SELECTOR publishes a server that asks for
// one more package.
func publishWith(ts *testscript.TestScript, neg bool, args []string) {
	r, _ := theRegistry(ts)
	p := fakenpm.Server(args[0], args[1], `[{"name": "a", "inputSchema": {"type": "object"}}]`, "sdk", "^1.0.0")
	p.Dependencies[args[2]] = os.Expand(args[3], ts.Getenv)
	r.Publish(p)
}

// misbehave PATH STATUS makes the registry answer with a status on a path, or
// with other bytes where the status is "bytes".
func misbehave(ts *testscript.TestScript, neg bool, args []string) {
	r, _ := theRegistry(ts)
	if args[1] == "bytes" {
		r.Behave(args[0], fakenpm.Behaviour{Body: fakenpm.Package{Name: "sdk", Version: "1.0.0", Files: map[string]string{"index.js": "evil"}}.Tarball()})
		return
	}
	status, err := strconv.Atoi(args[1])
	ts.Check(err)
	r.Behave(args[0], fakenpm.Behaviour{Status: status})
}

// demand TOKEN makes the registry want a token from now on.
func demand(ts *testscript.TestScript, neg bool, args []string) {
	r, _ := theRegistry(ts)
	r.Demand(args[0])
}

// requested COUNT|some wants so many requests since the last call.
func requested(ts *testscript.TestScript, neg bool, args []string) {
	r, _ := theRegistry(ts)
	seen, _ := strconv.Atoi(ts.Getenv("REQUESTS_SEEN"))
	all := r.Requests()
	ts.Setenv("REQUESTS_SEEN", fmt.Sprint(len(all)))
	switch n := len(all) - seen; {
	case args[0] == "some" && n == 0:
		ts.Fatalf("nothing was asked for")
	case args[0] != "some" && args[0] != strconv.Itoa(n):
		ts.Fatalf("%d requests, want %s: %v", n, args[0], all[seen:])
	}
}

// evil starts a recording server that nothing may reach; EVIL is its address.
func evil(ts *testscript.TestScript, neg bool, args []string) {
	r := fakenpm.New()
	s := httptest.NewServer(r.Handler())
	ts.Defer(s.Close)
	evils.Store(ts.Getenv("WORK"), r)
	ts.Setenv("EVIL", s.URL)
}

var evils sync.Map

// evilrequests COUNT wants so many requests to have reached it.
func evilRequests(ts *testscript.TestScript, neg bool, args []string) {
	r, _ := evils.Load(ts.Getenv("WORK"))
	if all := r.(*fakenpm.Registry).Requests(); strconv.Itoa(len(all)) != args[0] {
		ts.Fatalf("%d requests, want %s: %v", len(all), args[0], all)
	}
}

// flip PATTERN changes one bit in the middle of the first file that a pattern finds.
func flipByte(ts *testscript.TestScript, neg bool, args []string) {
	found, err := filepath.Glob(ts.MkAbs(args[0]))
	ts.Check(err)
	if len(found) == 0 {
		ts.Fatalf("%s finds nothing", args[0])
	}
	data, err := os.ReadFile(found[0])
	ts.Check(err)
	data[len(data)/2] ^= 1
	ts.Check(os.Chmod(found[0], 0o644))
	ts.Check(os.WriteFile(found[0], data, 0o644))
}

// rmcache removes what this user's runs have kept; rmtrees only what is unpacked.
func removeCache(ts *testscript.TestScript, neg bool, args []string) {
	fetch.Discard(filepath.Join(ts.Getenv("HOME"), ".cache"))
}

func removeTrees(ts *testscript.TestScript, neg bool, args []string) {
	fetch.Discard(filepath.Join(ts.Getenv("HOME"), ".cache", "toolwarrant", "trees"))
}

// exits4once PATTERN COMMAND ARGS... wants exit 4 and the pattern: what is damaged
// goes with the first run, so that each format cannot be asked for it.
func exits4Once(ts *testscript.TestScript, neg bool, args []string) {
	if got := code(ts, args[1:]); got != "4" {
		ts.Fatalf("%v exits %s, want 4\n%s%s", args[1:], got, ts.ReadFile("stdout"), ts.ReadFile("stderr"))
	}
	if out := strings.Join(strings.Fields(ts.ReadFile("stdout")), ""); !regexp.MustCompile(args[0]).MatchString(out) {
		ts.Fatalf("nothing says %s\n%s", args[0], ts.ReadFile("stdout"))
	}
}
