package plugin

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Hook is one rule that a host applies at a point of an agent's life
// (restricted-hooks.v1). It runs no code: it denies, annotates, removes fields,
// or leaves a record.
type Hook struct {
	Protocol string   `json:"protocol_version"`
	ID       string   `json:"id"`
	Event    string   `json:"event"`
	Action   string   `json:"action"`
	Failure  string   `json:"failure_policy"`
	Timeout  int      `json:"timeout_ms"`
	Tools    []string `json:"tool_names,omitempty"`
	Remove   []string `json:"remove_fields,omitempty"`
	Message  string   `json:"message,omitempty"`
}

const (
	hookProtocol = "restricted-hooks.v1"
	preTool      = "pre_tool"
	postTool     = "post_tool"
)

var (
	hookEvents   = []string{preTool, postTool, "run_started", "run_completed", "session_opened", "session_closed", "compaction", "subagent", "checkpoint"}
	hookActions  = []string{"deny", "annotate", "narrow", "record"}
	hookFailures = []string{"continue", "deny"}
)

func (h Hook) judge() error {
	const maxTimeout, maxTools, maxRemove, maxMessage = 2000, 64, 32, 1024
	switch {
	case h.Protocol != hookProtocol:
		return fmt.Errorf("its protocol is not %q", hookProtocol)
	case !identity(h.ID):
		return errors.New("its id is no identity")
	case !slices.Contains(hookEvents, h.Event) || !slices.Contains(hookActions, h.Action) || !slices.Contains(hookFailures, h.Failure):
		return errors.New("its event, action or failure policy is unknown")
	case h.Timeout < 1 || h.Timeout > maxTimeout:
		return fmt.Errorf("its timeout is not 1 to %d ms", maxTimeout)
	case len(h.Tools) > maxTools || len(h.Remove) > maxRemove:
		return fmt.Errorf("it names more than %d tools or %d fields", maxTools, maxRemove)
	case !text(h.Message, maxMessage):
		return fmt.Errorf("its message is not at most %d bytes of plain text", maxMessage)
	}
	if err := h.judgeAction(); err != nil {
		return err
	}
	return h.judgeNames()
}

func (h Hook) judgeAction() error {
	narrow := h.Action == "narrow"
	switch {
	case (h.Action == "deny" || h.Action == "annotate") && h.Message == "":
		return errors.New("it denies or annotates without a message")
	case !narrow && len(h.Remove) > 0:
		return errors.New("it removes fields and is not narrow")
	case narrow && (h.Event != preTool || len(h.Remove) == 0):
		return errors.New("narrow is for pre_tool, and removes a field at least")
	case h.Event == postTool && (h.Action == "deny" || h.Failure == "deny"):
		return errors.New("it denies what is over")
	case h.Event != preTool && h.Event != postTool && len(h.Tools) > 0:
		return errors.New("it names tools at an event that has none")
	}
	return nil
}

func (h Hook) judgeNames() error {
	for _, n := range slices.Concat(h.Tools, h.Remove) {
		if !named(n, maxIdentity) {
			return fmt.Errorf("a name is not 1 to %d bytes of plain text", maxIdentity)
		}
	}
	for _, n := range h.Remove {
		if strings.ContainsAny(n, `.[]/\`) {
			return errors.New("a field to remove is no plain name")
		}
	}
	for _, list := range [][]string{h.Tools, h.Remove} {
		if n, twice := repeated(list); twice {
			return fmt.Errorf("%s is there twice", quote(n))
		}
	}
	return nil
}
