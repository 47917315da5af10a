package canon

import (
	"crypto/sha256"
	"encoding/hex"
)

// Domain separates digests of different things that have the same bytes.
type Domain string

// The domains of lockVersion 1. A change of any of them is a new lockVersion.
const (
	Tool         Domain = "toolwarrant.tool.1"
	Resource     Domain = "toolwarrant.resource.1"
	Template     Domain = "toolwarrant.template.1"
	Prompt       Domain = "toolwarrant.prompt.1"
	Instructions Domain = "toolwarrant.instructions.1"
	Capabilities Domain = "toolwarrant.capabilities.1"
	Surface      Domain = "toolwarrant.surface.1"
	Launch       Domain = "toolwarrant.launch.1"
	Code         Domain = "toolwarrant.code.1"
	NPMTree      Domain = "toolwarrant.npm-tree.1"
	PyPITree     Domain = "toolwarrant.pypi-tree.1"
	PluginItem   Domain = "toolwarrant.plugin-item.1"
	PluginSkill  Domain = "toolwarrant.plugin-skill.1"
	PluginFiles  Domain = "toolwarrant.plugin-files.1"
)

// PluginTree is the domain of a plugin that is a folder: of one line a file, "r" or
// "x", the SHA-256 and the path. No lock holds one.
const PluginTree Domain = "toolwarrant.plugin-tree.1"

// Digest is "sha256:" and the SHA-256, in lower-case hex, of the domain, one
// zero byte and the data:
//
//	printf '%s\0%s' DOMAIN DATA | sha256sum
func Digest(d Domain, data []byte) string {
	h := sha256.New()
	h.Write([]byte(d))
	h.Write([]byte{0})
	h.Write(data)
	return "sha256:" + hex.EncodeToString(h.Sum(nil))
}
