package action

import (
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/toolwarrant/toolwarrant/internal/github"
	"github.com/toolwarrant/toolwarrant/internal/sandbox"
	"github.com/toolwarrant/toolwarrant/internal/secret"
)

// Runner is what an environment says of the run.
type Runner struct {
	Event, EventPath string // the name of the event, and the file that describes it
	SHA, Ref         string // what GitHub started the run for
	Workspace        string // where the repository is checked out; absolute
	Repository       string // owner/name
	API, Server      string // addresses
	Workflow         string // the file of the workflow, from the repository's root; empty where it is not known
	Run              github.Run
	Hosted           bool   // on a machine of GitHub's, which is gone after the job
	Output, Summary  string // files of commands; empty for none
	Inputs           map[string]string
	Environ          []string // what processes of ours get
	Guarded          []sandbox.Guarded
	Token            secret.Value `json:"-"`
}

// kept are the variables that processes of ours need: programs, folders, the way
// to the network and npm's own settings of this user. Every other one stays behind.
var kept = []string{
	"PATH", "HOME", "TMPDIR", "LANG", "SYSTEMROOT",
	"HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy", "NO_PROXY", "no_proxy",
	"SSL_CERT_FILE", "SSL_CERT_DIR", "NODE_EXTRA_CA_CERTS", "NPM_CONFIG_USERCONFIG", "npm_config_userconfig",
}

// ReadRunner reads an environment. The warnings are about inputs that nobody knows.
func ReadRunner(environ []string) (r Runner, warnings []string, err error) {
	v := variables(environ)
	r = Runner{
		Event: v["GITHUB_EVENT_NAME"], EventPath: v["GITHUB_EVENT_PATH"], SHA: v["GITHUB_SHA"], Ref: v["GITHUB_REF"],
		Workspace: v["GITHUB_WORKSPACE"], Repository: v["GITHUB_REPOSITORY"], API: v["GITHUB_API_URL"], Server: v["GITHUB_SERVER_URL"],
		Workflow: workflowFile(v["GITHUB_WORKFLOW_REF"], v["GITHUB_REPOSITORY"]), Hosted: v["RUNNER_ENVIRONMENT"] == "github-hosted",
		Output: v["GITHUB_OUTPUT"], Summary: v["GITHUB_STEP_SUMMARY"], Inputs: map[string]string{}, Guarded: guarded(v),
	}
	r.Run.ID, _ = strconv.ParseInt(v["GITHUB_RUN_ID"], 10, 64) // without one nothing is posted
	r.Run.Attempt, _ = strconv.Atoi(v["GITHUB_RUN_ATTEMPT"])
	for _, name := range []string{"GITHUB_EVENT_NAME", "GITHUB_WORKSPACE", "GITHUB_REPOSITORY"} {
		if v[name] == "" {
			return r, nil, fmt.Errorf("the variable %s is not set: this command runs on a runner of GitHub", name)
		}
	}
	warnings = append(r.environ(v), r.inputs(v)...)
	r.Token = secret.New(v["INPUT_GITHUB-TOKEN"])
	if r.Token.Len() == 0 {
		r.Token = secret.New(v["INPUT_GITHUB_TOKEN"])
	}
	return r, warnings, nil
}

// files are those of the kept variables that name a file or folder which decides
// whom we believe.
var files = []string{"HOME", "SSL_CERT_FILE", "SSL_CERT_DIR", "NODE_EXTRA_CA_CERTS", "NPM_CONFIG_USERCONFIG", "npm_config_userconfig"}

// environ keeps what processes of ours need, but for what leads into the checkout:
// on a pull request its author has put there whatever lies there, a git of their
// own, say, for the process with the token to run.
func (r *Runner) environ(v map[string]string) (warnings []string) {
	for _, name := range kept {
		value, ok := v[name]
		switch {
		case !ok:
			continue
		case name == "PATH":
			list := filepath.SplitList(value)
			outside := slices.DeleteFunc(slices.Clone(list), func(dir string) bool { return !filepath.IsAbs(dir) || r.holds(dir) })
			if len(outside) < len(list) {
				warnings = append(warnings, "what PATH names in the checkout, or by no whole path, is left out")
			}
			value = strings.Join(outside, string(filepath.ListSeparator))
		case slices.Contains(files, name) && r.holds(value):
			warnings = append(warnings, "the variable "+name+" leads into the checkout, and is left out")
			continue
		}
		r.Environ = append(r.Environ, name+"="+value)
	}
	return warnings
}

// holds reports whether a path lies in the checkout, as it is written or where it
// leads. One that is not absolute may.
func (r *Runner) holds(name string) bool {
	if !filepath.IsAbs(name) {
		return true
	}
	root, err := filepath.EvalSymlinks(r.Workspace)
	if err != nil {
		root = r.Workspace
	}
	real, err := filepath.EvalSymlinks(name)
	if err != nil {
		real = name
	}
	return slices.ContainsFunc([]string{name, real}, func(name string) bool {
		return under(name, root) || under(name, r.Workspace)
	})
}

func under(name, root string) bool {
	rel, err := filepath.Rel(root, name)
	return err == nil && filepath.IsLocal(rel)
}

func variables(environ []string) map[string]string {
	out := map[string]string{}
	for _, e := range environ {
		if name, value, ok := strings.Cut(e, "="); ok {
			out[name] = value
		}
	}
	return out
}

const inputPrefix = "INPUT_"

// inputs reads the inputs. A plain step cannot set names with a hyphen from every
// shell, so an underscore stands for it too.
func (r *Runner) inputs(v map[string]string) (warnings []string) {
	known := map[string]string{}
	for _, in := range github.Inputs {
		upper := strings.ToUpper(in.Name)
		known[inputPrefix+upper], known[inputPrefix+strings.ReplaceAll(upper, "-", "_")] = in.Name, in.Name
	}
	for _, name := range slices.Backward(slices.Sorted(maps.Keys(v))) { // a hyphen sorts first, so that the runner's own name has the last word
		value := v[name]
		in, ok := known[name]
		switch {
		case !strings.HasPrefix(name, inputPrefix) || in == tokenInput:
		case !ok:
			warnings = append(warnings, "there is no input "+strings.ToLower(strings.TrimPrefix(name, inputPrefix)))
		case strings.TrimSpace(value) != "":
			r.Inputs[in] = strings.TrimSpace(value)
		}
	}
	slices.Sort(warnings)
	return warnings
}

const tokenInput = "github-token"

// input is an input's value, or what action.yml has in its place.
func (r Runner) input(name string) string {
	if value := r.Inputs[name]; value != "" {
		return value
	}
	for _, in := range github.Inputs {
		if in.Name == name {
			return in.Default
		}
	}
	return ""
}

// sarifInput names the file of the log for code scanning.
const sarifInput = "sarif-file"

// check holds the inputs against the values that they may have. Where the log is
// to be written is left at its default if it is not a place.
func (r *Runner) check() error {
	if value := r.input(sarifInput); !filepath.IsLocal(value) || !plainValue(value) || ofGit(value) {
		delete(r.Inputs, sarifInput)
		return fmt.Errorf("the input %s leads out of the checkout or into its git folder, or has a character that no output may have", sarifInput)
	}
	if r.timeout() <= 0 {
		return errors.New("the input timeout is no length of time, as 90s or 15m")
	}
	for _, in := range github.Inputs {
		value := r.Inputs[in.Name]
		if value != "" && in.Values != nil && !slices.Contains(in.Values, value) {
			return fmt.Errorf("the input %s is none of %s", in.Name, strings.Join(in.Values, ", "))
		}
	}
	if !filepath.IsLocal(r.input("path")) {
		return fmt.Errorf("the input path leads out of the checkout")
	}
	if r.input("sandbox") == string(sandbox.None) {
		return fmt.Errorf("the input sandbox is none: on a runner nothing is started unconfined; live: none starts nothing")
	}
	return nil
}

// timeout is the time for the scan; 0 where the input is no length of time.
func (r Runner) timeout() time.Duration {
	d, err := time.ParseDuration(r.input("timeout"))
	if err != nil || d <= 0 || d > maxTimeout {
		return 0
	}
	return d
}

// maxTimeout is longer than any job may take.
const maxTimeout = 7 * 24 * time.Hour

// ofGit reports whether a path goes through a git folder, however it is spelt.
func ofGit(name string) bool {
	return slices.ContainsFunc(strings.Split(filepath.ToSlash(filepath.Clean(name)), "/"), func(part string) bool {
		return strings.EqualFold(strings.TrimRight(part, ". "), ".git")
	})
}

// workflowFile is the path in "owner/name/.github/workflows/x.yml@ref".
func workflowFile(ref, repository string) string {
	name, _, _ := strings.Cut(ref, "@")
	name, ok := strings.CutPrefix(name, repository+"/")
	if !ok || !filepath.IsLocal(name) {
		return ""
	}
	return name
}

// guarded are the places of a runner that no server may reach: those of a
// container action (actions/runner, ContainerActionHandler) and those that this
// environment names.
func guarded(v map[string]string) []sandbox.Guarded {
	out := []sandbox.Guarded{
		{What: "the docker socket", Path: "/var/run/docker.sock"}, {What: "the docker socket", Path: "/run/docker.sock"},
		{What: "the runner's temporary folder", Path: "/github/runner_temp"}, {What: "the runner's home", Path: "/github/home"},
		{What: "the event's file", Path: "/github/workflow"}, {What: "the runner's file commands", Path: "/github/file_commands"},
	}
	for _, g := range []struct{ what, name string }{
		{"the runner's temporary folder", "RUNNER_TEMP"}, {"the event's file", "GITHUB_EVENT_PATH"}, {"the runner's file commands", "GITHUB_ENV"},
		{"the runner's file commands", "GITHUB_OUTPUT"}, {"the runner's file commands", "GITHUB_PATH"}, {"the runner's file commands", "GITHUB_STATE"},
		{"the runner's file commands", "GITHUB_STEP_SUMMARY"},
	} {
		if filepath.IsAbs(v[g.name]) {
			out = append(out, sandbox.Guarded{What: g.what, Path: v[g.name]})
		}
	}
	if filepath.IsAbs(v["GITHUB_WORKSPACE"]) {
		out = append(out, sandbox.Guarded{What: "the checkout's git folder", Path: filepath.Join(v["GITHUB_WORKSPACE"], ".git", "config")})
	}
	if socket, ok := strings.CutPrefix(v["DOCKER_HOST"], "unix://"); ok && filepath.IsAbs(socket) {
		out = append(out, sandbox.Guarded{What: "the docker socket", Path: socket})
	}
	return out
}
