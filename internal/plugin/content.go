package plugin

import (
	"bytes"
	"encoding/json"
	"hash/crc32"
	"slices"
	"strings"
	"unicode/utf8"
)

// judgeContents judges documents, images and user interface metadata, in the
// order of the list.
func (m *Manifest) judgeContents(files map[string][]byte, d *doubts) *Problem {
	for _, f := range m.Files {
		content := files[f.Path]
		folder, _, _ := strings.Cut(f.Path, "/")
		switch {
		case folder == "docs":
			if len(content) == 0 || !utf8.Valid(content) || !inert(string(content)) {
				return wrong(ruleContent, f.Path, "it is no plain text")
			}
		case folder == "ui" && strings.HasSuffix(f.Path, ".json"):
			if !utf8.Valid(content) || !json.Valid(content) {
				return wrong(ruleContent, f.Path, "it is not JSON")
			}
		case folder == "ui" && strings.HasSuffix(f.Path, ".png"):
			if !bytes.HasPrefix(content, pngMark) {
				return wrong(ruleContent, f.Path, "it is no PNG")
			}
			if !wholePNG(content) {
				d.add(rulePolyglot, f.Path, "it starts as a PNG and is not one, or something follows the image")
			}
		case folder == "ui":
			if len(content) < webpHead || string(content[:4]) != "RIFF" || string(content[8:webpHead]) != "WEBP" {
				return wrong(ruleContent, f.Path, "it is no WebP")
			}
			if size := uint64(little.Uint32(content[4:])); size+8 != uint64(len(content)) {
				d.add(rulePolyglot, f.Path, "it starts as a WebP and has another length than it says")
			}
		}
	}
	return nil
}

var pngMark = []byte("\x89PNG\r\n\x1a\n")

const webpHead = 12

// wholePNG reports whether data is chunks from IHDR to IEND, each with its right
// checksum, and nothing behind (PNG, third edition, 5.3).
func wholePNG(data []byte) bool {
	rest := data[len(pngMark):]
	for first := true; len(rest) >= 12; first = false {
		n := int64(rest[0])<<24 | int64(rest[1])<<16 | int64(rest[2])<<8 | int64(rest[3])
		if n > int64(len(rest))-12 {
			return false
		}
		kind, chunk := string(rest[4:8]), rest[4:8+n]
		sum := rest[8+n:]
		want := uint32(sum[0])<<24 | uint32(sum[1])<<16 | uint32(sum[2])<<8 | uint32(sum[3])
		if crc32.ChecksumIEEE(chunk) != want || first != (kind == "IHDR") {
			return false
		}
		rest = rest[12+n:]
		if kind == "IEND" {
			return n == 0 && len(rest) == 0
		}
	}
	return false
}

// doubtUnclaimed tells of files below skills that no skill claims: nobody has
// looked into them.
func (m *Manifest) doubtUnclaimed(d *doubts) {
	for _, f := range m.Files {
		claims := func(s Skill) bool { return s.Manifest == f.Path || s.Content == f.Path }
		if strings.HasPrefix(f.Path, "skills/") && !slices.ContainsFunc(m.Skills, claims) {
			d.add(ruleUnclaimed, f.Path, "no skill claims it, so that it may hold anything")
		}
	}
}
