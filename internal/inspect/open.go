package inspect

import (
	"bytes"
	"encoding/json"
	"slices"
	"time"

	"github.com/toolwarrant/toolwarrant/internal/canon"
	"github.com/toolwarrant/toolwarrant/internal/surface"
)

// The eras of the protocol.
const (
	legacy = "legacy"
	modern = "modern"
)

// modernVersion is the one revision of the modern era that we speak,
// legacyVersions are those of the other, newest first.
const modernVersion = "2026-07-28"

var legacyVersions = []string{"2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"}

// unsupportedVersion is the error of the modern era that lists what a server
// speaks.
const unsupportedVersion = -32022

// hello is what a server says when a session opens.
type hello struct {
	era, protocol string
	server        surface.Server
	instructions  *string
	declared      map[string]bool
}

// open finds the era. The specification's rule for stdio: server/discover
// first; an answer is the modern era, any ordinary error or silence the older
// one, which is opened with initialize on the same process. It must not hinge on
// one error code: servers differ.
func (s *session) open(probe bool) (hello, *failure) {
	if !probe {
		return s.initialize(legacyVersions[0])
	}
	m, f := s.discover(s.limits.Probe)
	switch {
	case f != nil && f.reason == Timeout && s.ctx.Err() == nil:
		s.probe = s.id
		return s.initialize(legacyVersions[0])
	case f != nil:
		return hello{}, f
	case m.fault != nil && m.fault.code == unsupportedVersion:
		return s.choose(m.fault.data, true)
	case m.fault != nil:
		return s.initialize(legacyVersions[0])
	}
	return s.discovered(m.result)
}

func (s *session) discover(limit time.Duration) (message, *failure) {
	s.meta = &meta{Protocol: modernVersion, Client: client}
	m, f := s.ask(discover, params{}, limit)
	s.meta = nil
	return m, f
}

// choose picks a version from those that an error lists.
func (s *session) choose(data json.RawMessage, mayInitialize bool) (hello, *failure) {
	by, _ := object(data)
	return s.pick(versions(by["supported"]), mayInitialize)
}

// versions reads a list of versions; what is none is empty.
func versions(raw json.RawMessage) (list []string) {
	if json.Unmarshal(raw, &list) != nil {
		return nil
	}
	return list
}

// pick goes on with the newest version that both sides speak.
func (s *session) pick(supported []string, mayInitialize bool) (hello, *failure) {
	if slices.Contains(supported, modernVersion) {
		m, f := s.discover(s.limits.Initialize)
		switch {
		case f != nil:
			return hello{}, f
		case m.fault != nil:
			return hello{}, refused(m.fault)
		}
		return s.discovered(m.result)
	}
	for _, v := range legacyVersions {
		if mayInitialize && slices.Contains(supported, v) {
			return s.initialize(v)
		}
	}
	return hello{}, fatal(Protocol, "it speaks no revision of the protocol that is known here")
}

func refused(e *fault) *failure {
	f := fatal(ErrorAnswer, "it answered with error %d", e.code)
	f.answer = e.message
	return f
}

// discovered reads a DiscoverResult. What is none comes from a server that
// answers everything: it is opened the older way.
func (s *session) discovered(result json.RawMessage) (hello, *failure) {
	by, _ := object(result)
	supported := versions(by["supportedVersions"])
	if len(supported) == 0 {
		return s.initialize(legacyVersions[0])
	}
	if slices.Contains(supported, modernVersion) {
		s.meta = &meta{Protocol: modernVersion, Client: client}
		return s.greet(by, hello{era: modern, protocol: modernVersion})
	}
	return s.pick(supported, true)
}

func (s *session) initialize(version string) (hello, *failure) {
	m, f := s.ask(initialize, params{ProtocolVersion: version, Capabilities: &struct{}{}, ClientInfo: &client}, s.limits.Initialize)
	late := s.late
	s.probe, s.late = 0, nil
	failed := f != nil && f.reason == Timeout && s.ctx.Err() == nil || f == nil && m.fault != nil
	switch {
	case failed && late != nil:
		return s.discovered(late.result)
	case f != nil:
		return hello{}, f
	case m.fault != nil && m.fault.code == unsupportedVersion:
		return s.choose(m.fault.data, false)
	case m.fault != nil:
		return hello{}, refused(m.fault)
	}
	by, _ := object(m.result)
	spoken, _ := text(by["protocolVersion"])
	if spoken == "" {
		return hello{}, fatal(Protocol, "its answer to initialize names no protocol version")
	}
	h, f := s.greet(by, hello{era: legacy, protocol: spoken})
	if f != nil {
		return hello{}, f
	}
	if err := s.out.send(initialized, nil, nil, s.limits.Page); err != nil {
		return hello{}, deaf(err)
	}
	return h, nil
}

// greet reads what both eras say of a server.
func (s *session) greet(by map[string]json.RawMessage, h hello) (hello, *failure) {
	if f := s.readCapabilities(by["capabilities"], &h); f != nil {
		return hello{}, f
	}
	if raw := by["instructions"]; raw != nil && string(raw) != "null" {
		words, ok := text(raw)
		if !ok {
			return hello{}, fatal(Protocol, "its instructions are no text")
		}
		words = string(s.slot.Neutral([]byte(words)))
		h.instructions = &words
	}
	h.server.Name, h.server.Version = identity(by, h.era)
	return h, nil
}

func (s *session) readCapabilities(raw json.RawMessage, h *hello) *failure {
	canonical, err := canon.Canonical(s.slot.Neutral(raw))
	if err != nil || len(raw) == 0 {
		return fatal(Protocol, "its capabilities are missing or cannot be read")
	}
	members, err := object(canonical)
	if err != nil {
		return fatal(Protocol, "its capabilities are no object")
	}
	h.server.Capabilities = canonical
	h.declared = map[string]bool{}
	for name, value := range members {
		h.declared[name] = !bytes.Equal(value, []byte("null"))
	}
	return nil
}

// identity reads serverInfo, which decides nothing: what is wrong in it is left out.
func identity(by map[string]json.RawMessage, era string) (name, version string) {
	raw := by["serverInfo"]
	if era == modern {
		m, _ := object(by["_meta"])
		raw = m["io.modelcontextprotocol/serverInfo"]
	}
	info, _ := object(raw)
	name, _ = text(info["name"])
	version, _ = text(info["version"])
	return name, version
}
