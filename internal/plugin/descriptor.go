package plugin

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
)

// Descriptor is how a host of plugin.v1 describes one MCP server (its document
// mcp-client.v1). The order of the members is that of the fingerprint.
type Descriptor struct {
	Protocol     string   `json:"protocol_version"`
	ID           string   `json:"id"`
	Name         string   `json:"name"`
	Transport    string   `json:"transport"` // stdio or streamable_http
	Target       string   `json:"target"`    // an absolute path, or an https address
	Arguments    []string `json:"arguments,omitempty"`
	Credential   string   `json:"credential_ref,omitempty"` // name of a stored credential
	Capabilities []string `json:"declared_capabilities"`
	Scope        string   `json:"scope"` // run or workspace
	Run          string   `json:"run_id,omitempty"`
	Workspace    string   `json:"workspace_id"`
	Source       Origin   `json:"source"`
	Timeout      int64    `json:"call_timeout_ms"`
	MaxResult    int      `json:"max_result_bytes"`
}

// Origin is where a descriptor comes from.
type Origin struct {
	Kind        string `json:"kind"` // manual or plugin
	URI         string `json:"uri"`
	Version     string `json:"version,omitempty"`
	Commit      string `json:"commit,omitempty"`
	SHA256      string `json:"sha256,omitempty"`
	Plugin      string `json:"plugin_id,omitempty"`
	Publisher   string `json:"publisher,omitempty"`
	Fingerprint string `json:"fingerprint,omitempty"`
}

const (
	descriptorProtocol = "mcp-client.v1"
	maxDescriptor      = 128 << 10
	maxTarget          = 4096
	transportStdio     = "stdio"
	transportHTTP      = "streamable_http"
)

// ParseDescriptor reads one descriptor of at most 128 KiB.
func ParseDescriptor(data []byte) (Descriptor, error) {
	var d Descriptor
	if len(data) == 0 || len(data) > maxDescriptor {
		return d, fmt.Errorf("a descriptor has 1 to %d bytes", maxDescriptor)
	}
	if err := decode(data, &d); err != nil {
		return d, err
	}
	return d, d.judge()
}

// Fingerprint is the SHA-256 in hex of the descriptor's JSON without white
// space, its capabilities sorted, "&", "<" and ">" escaped.
func (d Descriptor) Fingerprint() string {
	d.Capabilities = slices.Sorted(slices.Values(d.Capabilities))
	return fingerprint(d)
}

// fingerprint is the SHA-256 of what encoding/json makes of v, which is how the
// format writes JSON down. The types that are handed in can all be written.
func fingerprint(v any) string {
	out, _ := json.Marshal(v)
	return sum(out)
}

// descriptor is a contribution as the host judges it before anybody has
// installed it: of a workspace and a source that stand for any.
func (s Server) descriptor() Descriptor {
	return Descriptor{
		Protocol: descriptorProtocol, ID: s.ID, Name: s.Name, Transport: s.Transport, Target: s.Target, Arguments: s.Arguments,
		Credential: s.Credential, Capabilities: s.Capabilities, Scope: "workspace", Workspace: "validation",
		Source: Origin{Kind: "manual", URI: "plugin-validation"}, Timeout: s.Timeout, MaxResult: s.MaxResult,
	}
}

func (d Descriptor) judge() error {
	for _, judge := range []func() error{d.judgeBounds, d.judgeScope, d.Source.judge, d.judgeTarget, d.judgeArguments, d.judgeCapabilities} {
		if err := judge(); err != nil {
			return err
		}
	}
	return nil
}

func (d Descriptor) judgeBounds() error {
	const minTimeout, maxTimeout, maxResult, maxArguments = 100, 300000, 128 << 10, 32
	switch {
	case d.Protocol != descriptorProtocol:
		return fmt.Errorf("its protocol is not %q", descriptorProtocol)
	case !identity(d.ID) || !identity(d.Name):
		return errors.New("its id or name is no identity")
	case d.Transport != transportStdio && d.Transport != transportHTTP:
		return fmt.Errorf("its transport is neither %s nor %s", transportStdio, transportHTTP)
	case d.Timeout < minTimeout || d.Timeout > maxTimeout:
		return fmt.Errorf("its call timeout is not %d to %d ms", minTimeout, maxTimeout)
	case d.MaxResult < 1 || d.MaxResult > maxResult:
		return fmt.Errorf("the most bytes of a result are not 1 to %d", maxResult)
	case len(d.Arguments) > maxArguments:
		return fmt.Errorf("it has more than %d arguments", maxArguments)
	}
	return nil
}

func (d Descriptor) judgeScope() error {
	switch {
	case d.Scope != "run" && d.Scope != "workspace" || !identity(d.Workspace):
		return errors.New("its scope or workspace is invalid")
	case d.Scope == "run" && !identity(d.Run), d.Scope == "workspace" && d.Run != "":
		return errors.New("a scope of a run names the run, another one does not")
	}
	return nil
}

func (o Origin) judge() error {
	if o.Kind != "manual" && o.Kind != "plugin" {
		return errors.New("its source is neither manual nor a plugin")
	}
	for _, s := range []string{o.URI, o.Version, o.Commit, o.Plugin, o.Publisher} {
		if !text(s, maxTarget) {
			return fmt.Errorf("a text of its source is not at most %d bytes of plain text", maxTarget)
		}
	}
	for _, s := range []string{o.SHA256, o.Fingerprint} {
		if s != "" && !digest(s) {
			return errors.New("a digest of its source is not 64 lower-case hex digits")
		}
	}
	if o.URI == "" || o.Kind == "plugin" && (o.Plugin == "" || o.Fingerprint == "") {
		return errors.New("its source lacks the address, the plugin's id or its fingerprint")
	}
	return nil
}

func (d Descriptor) judgeTarget() error {
	if !named(d.Target, maxTarget) {
		return fmt.Errorf("its target is not 1 to %d bytes of plain text", maxTarget)
	}
	if d.Transport == transportStdio {
		if d.Target[0] != '/' || d.Credential != "" {
			return errors.New("a stdio target is an absolute path and gets no credential")
		}
		return nil
	}
	u, err := url.Parse(d.Target)
	if err != nil || u.Scheme != "https" || u.Host == "" || u.User != nil || u.RawQuery != "" || u.Fragment != "" || len(d.Arguments) > 0 {
		return errors.New("a remote target is an https address without user, query and fragment, and has no arguments")
	}
	return nil
}

func (d Descriptor) judgeArguments() error {
	const maxArgument, maxCredential = 1024, 64
	for _, a := range d.Arguments {
		if !text(a, maxArgument) {
			return fmt.Errorf("an argument is not at most %d bytes of plain text", maxArgument)
		}
		if sensitive(a) {
			return errors.New("an argument is or announces a credential")
		}
	}
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' || r == '_'
	}
	if len(d.Credential) > maxCredential || strings.ContainsFunc(d.Credential, func(r rune) bool { return !plain(r) }) {
		return fmt.Errorf("its credential is not named by at most %d letters, digits, - and _", maxCredential)
	}
	return nil
}

// sensitiveNames are the options that the format takes for credentials. Longer
// names that end in one pass; ruleSecretArgument tells of them.
var sensitiveNames = []string{"token", "access-token", "auth-token", "api-token", "api-key", "password", "passwd", "secret",
	"client-secret", "authorization", "bearer", "credential", "credentials"}

func sensitive(argument string) bool {
	low := strings.ToLower(strings.TrimSpace(argument))
	name, _, _ := strings.Cut(low, "=")
	name = strings.ReplaceAll(strings.TrimLeft(name, "-/"), "_", "-")
	return strings.HasPrefix(low, "bearer ") || slices.Contains(sensitiveNames, name)
}

func (d Descriptor) judgeCapabilities() error {
	const most = 3
	if len(d.Capabilities) == 0 || len(d.Capabilities) > most {
		return fmt.Errorf("it does not declare 1 to %d capabilities", most)
	}
	for _, c := range d.Capabilities {
		if c != "tools" && c != "resources" && c != "prompts" {
			return errors.New("it declares something else than tools, resources and prompts")
		}
	}
	if c, twice := repeated(d.Capabilities); twice {
		return fmt.Errorf("it declares %s twice", c)
	}
	return nil
}
