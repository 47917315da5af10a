// Package plugin judges plugin.v1 archives: a ZIP of at most 4 MiB that holds
// plugin.json, the files that plugin.json lists with their digests, and perhaps
// SIGNATURE.json. It reads bytes that it is handed, writes nothing and runs
// nothing.
//
// An archive is accepted or rejected exactly as the format's own host does it
// (the extension runtime of CyberAgent Workbench), down to what that host lets
// pass: what this package thinks of such looseness is told beside the verdict,
// as warnings of rules of its own. The order of judging:
//
//  1. The container: 1 to 130 entries with clean relative paths, none a folder,
//     a link or executable, none twice, 8 MiB of content in all.
//  2. The manifest: strict JSON, every field bounded, every kind of contribution
//     declared, every file listed.
//  3. Each listed file is there with its length and SHA-256, and no other.
//  4. The contents: skills, documents, images, user interface metadata.
//  5. The package fingerprint, and the signature over it where there is one.
//
// The package fingerprint is the SHA-256 over "plugin.v1", NUL, the 32 bytes of
// the manifest's SHA-256, and for each listed file in the order of the list its
// path, NUL, its SHA-256 in hex, NUL, its length in decimal digits, NUL. An
// Ed25519 signature is over the 64 hex digits of the fingerprint. A publisher's
// fingerprint is the SHA-256 of the 32 bytes of the key.
//
// The ZIP is read by this package alone, as APPNOTE.TXT 6.3 describes it: a
// reader that looks at one of the two headers of an entry cannot see that they
// disagree, and what lies between entries nobody else looks at.
package plugin
