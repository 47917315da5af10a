package lockfile

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strconv"

	"github.com/toolwarrant/toolwarrant/internal/canon"
)

// The files that a plugin.v1 archive does not list.
const (
	pluginManifest  = "plugin.json"
	pluginSignature = "SIGNATURE.json"
)

// Fingerprint is the digest of what a version holds. Of a format that can be
// signed it is plugin.v1's, which the signature is over: the SHA-256 over
// "plugin.v1", NUL, the 32 bytes of the manifest's SHA-256, and for each listed
// file its path, NUL, its SHA-256 in hex, NUL, its length in digits, NUL. Of others
// it is over the canonical JSON of files.
func (v PluginVersion) Fingerprint() string {
	if v.Signature.State == SignatureUnsignable {
		return canon.Digest(canon.PluginFiles, mustCanonical(append([]PluginFile{}, v.Files...)))
	}
	if len(v.Files) == 0 {
		return ""
	}
	manifest, _ := hex.DecodeString(v.Files[0].SHA256)
	h := sha256.New()
	_, _ = h.Write(slices.Concat([]byte("plugin.v1"), []byte{0}, manifest))
	for _, f := range v.Files[1:] {
		if f.Path != pluginSignature {
			_, _ = h.Write([]byte(f.Path + "\x00" + f.SHA256 + "\x00" + strconv.FormatInt(f.Bytes, 10) + "\x00"))
		}
	}
	return "sha256:" + hex.EncodeToString(h.Sum(nil))
}
