package lockfile

import (
	"cmp"
	"encoding/json"
)

// Event names a kind of difference. It says what happened, not how bad it is.
type Event string

// The events.
const (
	LaunchChanged      Event = "launch-changed"
	ServerInfoChanged  Event = "server-info-changed"
	Instructions       Event = "instructions-changed"
	VersionChanged     Event = "package-version"
	TreeChanged        Event = "package-tree"
	BytesChanged       Event = "package-bytes"
	InstallScriptAdded Event = "install-script"
	CapabilityServer   Event = "server-capability-gained"
	CapabilityLost     Event = "server-capability-lost"
	UnservedChanged    Event = "unserved-changed"

	ItemAdded   Event = "added"
	ItemRemoved Event = "removed"
	ItemRenamed Event = "renamed"

	CapabilityGained   Event = "capability-gained"
	BecameDestructive  Event = "became-destructive"
	DescriptionChanged Event = "description-changed"
	TextChanged        Event = "parameter-text-changed"
	TitleChanged       Event = "title-changed"
	ParameterAdded     Event = "parameter-added"
	ParameterRemoved   Event = "parameter-removed"
	EnumWidened        Event = "enum-widened"
	TypeWidened        Event = "type-widened"
	ConstraintDropped  Event = "constraint-dropped"
	DefaultChanged     Event = "default-changed"
	AdditionalOpened   Event = "additional-properties-opened"
	SchemaChanged      Event = "schema-changed"
	ReadOnlyLost       Event = "read-only-lost"
	AnnotationChanged  Event = "annotation-changed"
	OtherChanged       Event = "other-changed"
	SerializerNoise    Event = "serializer-noise"
)

// Events that only a look at all tools can settle: noise, or a change.
const (
	additionalNoise Event = "additional-properties-false"
	outputNoise     Event = "output-schema"
)

// Members and paths that are told apart.
const (
	instructionsPath     = "server.instructions"
	capabilitiesPath     = "server.capabilities"
	descriptionMember    = "description"
	inputSchemaMember    = "inputSchema"
	outputSchemaMember   = "outputSchema"
	annotationsMember    = "annotations"
	titleMember          = "title"
	additionalProperties = "additionalProperties"
)

// Change is one difference between two locks. Old and New hold the JSON of the
// value, nil where there is none.
type Change struct {
	Event    Event
	List     string // tools, resources, resourceTemplates, prompts; empty for launch and server
	Item     string // key of the item; of a renamed one the new key
	Path     string // JSON path within the item, launch or server
	Old, New json.RawMessage
	Gained   []string // capabilities that the new side has and the old one lacks
}

// compare orders changes: by list, item, path, event.
func compare(a, b Change) int {
	return cmp.Or(
		cmp.Compare(rank(a), rank(b)),
		cmp.Compare(a.Item, b.Item),
		cmp.Compare(a.Path, b.Path),
		cmp.Compare(a.Event, b.Event),
	)
}

func rank(c Change) int {
	for i, list := range Lists {
		if c.List == list {
			return i + 2
		}
	}
	if c.Event == LaunchChanged {
		return 0
	}
	return 1
}
