package toolwarrant_test

// room is one folder with one purpose, and what its shipped files may do.
type room struct {
	// dir is the folder, slash-separated from the module's root; a row for some
	// files of a folder is a pattern (path.Match) and comes before the folder's.
	dir     string
	purpose string
	// imports are rooms of this module; {"*"} is every room that is shipped.
	imports []string
	// powers are packages of the standard library that reach outside the program's
	// own memory, or whose answers differ from run to run.
	powers []string
	// modules are the third-party modules that belong here.
	modules []string
	// unshipped rooms are imported by test files and by each other only.
	unshipped bool
}

// rooms is the whole module, with the rooms that are planned: those have a row
// before they have a folder. A power or a module that a room does not use is
// taken out of its row, so that the table says what is, not what was.
var rooms = []room{
	{
		dir: "cmd/toolwarrant", purpose: "flags, streams, the one exit table; hands scanner its inputs and writes what it returns",
		imports: []string{"*"},
		powers:  []string{"context", "io", "io/fs", "os", "os/signal", "runtime/debug", "syscall", "time"},
		modules: []string{"github.com/alecthomas/kong", "github.com/mattn/go-isatty"},
	},
	{
		dir: "scanner/rule_*.go", purpose: "one rule a file: its documentation, its examples, a pure check",
		imports: []string{"finding", "lockfile", "internal/surface"},
	},
	{
		dir: "scanner", purpose: "runs the pipeline over targets; the rules, in one ordered list",
		imports: []string{"finding", "lockfile", "internal/canon", "internal/fetch", "internal/inspect", "internal/manifest", "internal/pattern", "internal/plugin", "internal/policy", "internal/secret", "internal/surface"},
		powers:  []string{"context", "io", "io/fs", "runtime"},
	},
	{
		dir: "finding", purpose: "the vocabulary of results, their JSON forms, and the quoting of a server's own words",
	},
	{
		dir: "lockfile", purpose: "the approval record: types, canonical bytes, parse, differences without levels",
		imports: []string{"internal/canon", "internal/pattern"},
		modules: []string{"github.com/tailscale/hujson"},
	},
	{
		dir: "sarif", purpose: "a report as SARIF 2.1.0",
		imports: []string{"finding"},
		powers:  []string{"io"},
		modules: []string{"github.com/owenrumney/go-sarif/v2"},
	},
	{
		dir: "internal/action", purpose: "the four processes of the action",
		imports: []string{"finding", "sarif", "internal/github", "internal/policy", "internal/report", "internal/sandbox", "internal/secret", "internal/tree"},
		powers:  []string{"context", "crypto/rand", "io", "io/fs", "os", "os/exec", "os/signal", "runtime", "syscall", "time"},
	},
	{
		dir: "bench", purpose: "measurements; in no shipped binary",
		imports: []string{"*"}, unshipped: true,
	},
	{
		dir: "internal/canon", purpose: "RFC 8785 bytes, digests with a domain, the frozen Unicode table, the scan before any parser",
		modules: []string{"github.com/gowebpki/jcs", "github.com/tailscale/hujson"},
	},
	{
		dir: "internal/eval", purpose: "measurements over collected data; in no shipped binary",
		imports: []string{"*"}, unshipped: true,
	},
	{
		dir: "internal/fakegit", purpose: "a git server over http for tests; in no shipped binary",
		powers:    []string{"io", "log", "net/http", "net/http/cgi", "os", "os/exec"},
		unshipped: true,
	},
	{
		dir: "internal/fakegithub", purpose: "a GitHub with one repository for tests; in no shipped binary",
		powers:    []string{"crypto/sha1", "net/http", "net/http/httptest", "os/exec"},
		unshipped: true,
	},
	{
		dir: "internal/fakemcp", purpose: "a hostile MCP server for tests; in no shipped binary",
		powers:    []string{"flag", "io", "net", "os", "os/exec", "os/signal", "runtime", "syscall", "time"},
		unshipped: true,
	},
	{
		dir: "internal/fakenpm", purpose: "an npm registry in memory for tests; in no shipped binary",
		powers:    []string{"archive/tar", "compress/gzip", "crypto/sha512", "net/http"},
		unshipped: true,
	},
	{
		dir: "internal/fetch", purpose: "a pinned source to verified bytes",
		imports: []string{"finding", "internal/canon", "internal/manifest", "internal/pattern", "internal/sandbox", "internal/secret", "internal/store"},
		powers:  []string{"context", "crypto/rand", "crypto/tls", "crypto/x509", "io", "io/fs", "log", "net", "net/http", "os", "os/exec", "runtime", "syscall", "time"},
		modules: []string{"github.com/Masterminds/semver", "github.com/go-git/go-git/v5"},
	},
	{
		dir: "internal/github", purpose: "event payload, reviews, the one comment, issues, branches",
		imports: []string{"finding", "internal/pattern", "internal/report", "internal/secret"},
		powers:  []string{"context", "io", "io/fs", "net/http", "time"},
		modules: []string{"github.com/google/go-github/v62"},
	},
	{
		dir: "internal/inspect", purpose: "start a server, list what it declares, stop it; the closed list of methods; the environment it gets",
		imports: []string{"finding", "internal/canon", "internal/fetch", "internal/manifest", "internal/sandbox", "internal/secret", "internal/surface"},
		powers:  []string{"context", "io", "os", "runtime", "time"},
	},
	{
		dir: "internal/manifest", purpose: "find and read every declaration, each value with its place; one file a dialect",
		imports: []string{"finding", "internal/canon", "internal/pattern", "internal/secret"},
		powers:  []string{"io", "io/fs"},
		modules: []string{"github.com/pelletier/go-toml/v2", "github.com/tailscale/hujson", "go.yaml.in/yaml/v3"},
	},
	{
		dir: "internal/pattern", purpose: "regular expressions that are compiled when they are first used",
	},
	{
		dir: "internal/plugin", purpose: "plugin.v1 archives: container, manifest, contents, fingerprint, signature",
		imports: []string{"finding", "internal/canon", "internal/pattern", "internal/secret", "internal/surface"},
		powers:  []string{"io"},
	},
	{
		dir: "internal/policy", purpose: "policy.yaml: types, defaults, and inputs that may only tighten it",
		imports: []string{"finding", "internal/canon", "internal/pattern"},
		modules: []string{"github.com/bmatcuk/doublestar", "go.yaml.in/yaml/v3"},
	},
	{
		dir: "internal/report", purpose: "results as text, JSON, JUnit and markdown, for people and programs",
		imports: []string{"finding", "internal/pattern"},
		powers:  []string{"io"},
	},
	{
		dir: "internal/sandbox/kernel_linux.go", purpose: "the calls of the kernel that take an address and have no other way in: seccomp and Landlock",
		powers:  []string{"unsafe"},
		modules: []string{"golang.org/x/sys"},
	},
	{
		dir: "internal/sandbox", purpose: "start a child confined, see what it reaches for, and leave no process behind",
		imports: []string{"finding"},
		powers:  []string{"context", "os", "os/exec", "os/signal", "runtime", "syscall", "time"},
		modules: []string{"golang.org/x/sys"},
	},
	{
		dir: "internal/secret", purpose: "values that cannot be printed, stored or marshalled",
		imports: []string{"internal/pattern"},
	},
	{
		dir: "internal/store", purpose: "writes locks and this user's approvals: atomically, never through a link",
		imports: []string{"lockfile"},
		powers:  []string{"crypto/rand", "io/fs", "os", "syscall"},
	},
	{
		dir: "internal/surface", purpose: "what a target declares, its capabilities with evidence, the classes of suspicious words",
		imports: []string{"internal/canon"},
	},
	{
		dir: "internal/tree", purpose: "a revision of a git repository as an fs.FS, read from its objects",
		imports: []string{"finding", "internal/secret"},
		powers:  []string{"context", "io", "io/fs", "os", "os/exec", "time"},
		modules: []string{"github.com/go-git/go-billy/v5", "github.com/go-git/go-git/v5"},
	},
}

// testModules are for test files only, in every room.
var testModules = []string{
	"github.com/google/go-cmp",
	"github.com/modelcontextprotocol/go-sdk",
	"github.com/rogpeppe/go-internal",
	"github.com/santhosh-tekuri/jsonschema/v6",
	"golang.org/x/text",
}

// pure are the packages of the standard library that every room may import:
// bytes in, bytes out. Each other one is a power.
var pure = []string{
	"bufio", "bytes", "cmp", "container/heap", "embed", "errors", "fmt", "iter", "maps", "math", "path", "path/filepath", "reflect", "regexp", "slices", "sort",
	"strconv", "strings", "sync", "sync/atomic", "unicode", "unicode/utf16", "unicode/utf8",
	"archive/tar", "compress/flate", "compress/gzip", "crypto/ed25519", "crypto/sha256", "crypto/sha512", "crypto/subtle", "encoding/base64", "encoding/binary", "encoding/hex", "encoding/json", "encoding/xml", "hash/crc32", "net/netip", "net/url",
}

// powerful are functions of pure packages that reach outside all the same, and
// the power that they need.
var powerful = map[string]string{
	"fmt.Print": "os", "fmt.Printf": "os", "fmt.Println": "os", "fmt.Scan": "os", "fmt.Scanf": "os", "fmt.Scanln": "os",
	"path/filepath.Abs": "os", "path/filepath.EvalSymlinks": "os", "path/filepath.Glob": "os",
	"path/filepath.Walk": "os", "path/filepath.WalkDir": "os",
}

// banned are packages, functions and names of folders that no file may use, and
// what to do instead.
var (
	bannedPackages = map[string]string{
		"unsafe": "find a way within the type system, or let the one file that has it as a power make the call",
		"C":      "releases are built without cgo",
		"plugin": "nothing is loaded into this program",
	}
	bannedFunctions = map[string]string{
		"os.DirFS": "it follows links out of the tree; use os.OpenRoot and its FS",
	}
	bannedNames = []string{"common", "core", "helper", "helpers", "misc", "model", "models", "shared", "util", "utils"}
)
