package main

import (
	"bytes"
	"math/rand/v2"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/toolwarrant/toolwarrant/internal/fakenpm"
	"github.com/toolwarrant/toolwarrant/internal/fetch"
	"github.com/toolwarrant/toolwarrant/scanner"
)

// fewKills is how often TestKilled kills where TOOLWARRANT_KILLS does not say.
const fewKills = 30

// TestKilled kills the program at random moments of resolving, sealing and
// verifying. Whenever that is, the lock that is there is one of the two that were
// ever whole, its tree is beside it, nothing that was started lives on, and what
// is in the cache is believed by the next run or fetched again.
func TestKilled(t *testing.T) {
	if testing.Short() {
		t.Skip("a short run kills nothing")
	}
	needsLinux(t)
	needs(t, "npm")
	k := newKilling(t)
	rounds := fewKills
	if n, err := strconv.Atoi(os.Getenv("TOOLWARRANT_KILLS")); err == nil {
		rounds = n
	}
	seed := uint64(time.Now().UnixNano())
	t.Logf("%d rounds, seed %d", rounds, seed)
	random := rand.New(rand.NewPCG(seed, 0))
	for round := range rounds {
		k.round(random, round)
		if t.Failed() {
			t.Fatalf("in round %d", round)
		}
	}
	k.offer(0)
	k.run(0, "seal", "notes", "--yes", "--force")
	k.run(0, "verify")
}

// killing is a repository with one server of a registry that has two states.
type killing struct {
	scratch
	registry *fakenpm.Registry
	whole    [2]string // the lock of each state
	takes    time.Duration
}

const killedLock = ".toolwarrant/servers/notes.lock.json"

func newKilling(t *testing.T) *killing {
	t.Helper()
	k := &killing{scratch: newScratch(t, t.TempDir()), registry: fakenpm.New()}
	s := httptest.NewServer(k.registry.Handler())
	t.Cleanup(func() { s.CloseClientConnections(); s.Close(); fetch.Discard(k.home) })
	if err := os.WriteFile(filepath.Join(k.home, ".npmrc"), []byte("registry="+s.URL+"/\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	k.registry.Publish(fakenpm.Server("server", "1.0.0", `[{"name": "add_note", "inputSchema": {"type": "object"}}]`, "sdk", "^1.0.0"))
	k.write(".mcp.json", `{"mcpServers": {"notes": {"command": "npx", "args": ["-y", "server@1.0.0"]}}}`)
	for state := range k.whole {
		k.offer(state)
		began := time.Now()
		k.run(0, "seal", "notes", "--yes", "--force")
		k.takes = time.Since(began)
		k.whole[state] = k.read(killedLock)
	}
	if k.whole[0] == k.whole[1] {
		t.Fatal("the two states of the registry give one lock")
	}
	return k
}

// offer makes the registry give one of the two SDKs, which are of one version and
// of other bytes: a new registry each time, as it were.
func (k *killing) offer(state int) {
	k.registry.Publish(fakenpm.SDK("sdk", "1.0.0", []string{`{}`, `{"title": "other words"}`}[state]))
}

// round starts one command over a cache in a random state, kills it, and looks.
func (k *killing) round(random *rand.Rand, round int) {
	k.t.Helper()
	state := random.IntN(2)
	k.offer(state)
	switch random.IntN(4) {
	case 0:
		fetch.Discard(filepath.Join(k.home, ".cache", "toolwarrant", "tarballs"))
		fallthrough
	case 1:
		fetch.Discard(filepath.Join(k.home, ".cache", "toolwarrant", "trees"))
	}
	args := [][]string{{"seal", "notes", "--yes", "--force"}, {"verify"}, {"verify", "--today"}}[random.IntN(3)]
	cmd := exec.Command("toolwarrant", args...)
	cmd.Dir, cmd.Env = k.repo, k.environ()
	if err := cmd.Start(); err != nil {
		k.t.Fatal(err)
	}
	time.Sleep(time.Duration(random.Int64N(int64(k.takes))))
	_ = cmd.Process.Kill()
	_ = cmd.Wait()
	k.nothingLives()
	k.lockIsWhole(args)
	if round%10 == 9 {
		k.cacheIsSound()
	}
}

// nothingLives wants every process that was started for this home to be gone
// soon: who watches them notices a killed parent when its pipe closes.
func (k *killing) nothingLives() {
	k.t.Helper()
	deadline := time.Now().Add(30 * time.Second)
	for {
		alive := ofHome(k.home)
		if len(alive) == 0 {
			return
		}
		if time.Now().After(deadline) {
			k.t.Fatalf("still there: %v", alive)
		}
		time.Sleep(10 * time.Millisecond)
	}
}

// ofHome lists the processes that name a folder in their command line or
// environment.
func ofHome(home string) []string {
	var out []string
	found, _ := filepath.Glob("/proc/[0-9]*")
	for _, dir := range found {
		line, _ := os.ReadFile(filepath.Join(dir, "cmdline"))
		environ, _ := os.ReadFile(filepath.Join(dir, "environ"))
		if bytes.Contains(line, []byte(home)) || bytes.Contains(environ, []byte(home)) {
			out = append(out, filepath.Base(dir)+" "+strings.ReplaceAll(string(line), "\x00", " "))
		}
	}
	return out
}

func (k *killing) lockIsWhole(args []string) {
	k.t.Helper()
	if lock := k.read(killedLock); lock != k.whole[0] && lock != k.whole[1] {
		k.t.Fatalf("after %v the lock is neither the old one nor the new one:\n%s", args, lock)
	}
	root, err := os.OpenRoot(k.repo)
	if err != nil {
		k.t.Fatal(err)
	}
	defer func() { _ = root.Close() }()
	locks, err := scanner.LoadLocks(root.FS(), scanner.LockDir)
	if err != nil || len(locks) != 1 || locks[0].Invalid != nil || locks[0].Tree == nil {
		k.t.Fatalf("after %v: %+v, %v", args, locks, err)
	}
}

// cacheIsSound verifies what is sealed, from whatever the kills have left. Where
// the registry has the other state by now, what is locked may be gone for good;
// it is offered again.
func (k *killing) cacheIsSound() {
	k.t.Helper()
	for state, lock := range k.whole {
		if k.read(killedLock) == lock {
			k.offer(state)
		}
	}
	k.run(0, "verify")
}
