package sarif

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/url"
	"path"
	"strings"

	sarif "github.com/owenrumney/go-sarif/v2/sarif"

	"github.com/toolwarrant/toolwarrant/finding"
)

// result is one finding. seen counts findings of one identity, which GitHub would
// show as one alert.
func result(p placed, rules catalogue, seen map[string]int) *sarif.Result {
	related := relatedOf(p)
	text := finding.Claim(p.Message).String()
	if p.Hint != "" {
		text += "\nhint: " + finding.Claim(p.Hint).String()
	}
	return &sarif.Result{
		RuleID: ptr(p.Rule), RuleIndex: ptr(uint(rules.index[p.Rule])), Level: ptr(string(p.Level)),
		Message:             *message(plain(text) + links(related)),
		Locations:           []*sarif.Location{{PhysicalLocation: physical(p.at)}},
		RelatedLocations:    related,
		PartialFingerprints: map[string]any{"primaryLocationLineHash": identity(p, seen)},
		PropertyBag:         sarif.PropertyBag{Properties: properties(p.Finding)},
	}
}

// identity is the finding's fingerprint and, as GitHub's own has it, which
// occurrence this is.
func identity(p placed, seen map[string]int) string {
	print := p.Fingerprint
	if print == "" {
		print = fallback(p.Rule, p.Target, p.at.File, p.Message)
	}
	seen[p.Rule+"\x00"+print]++
	return fmt.Sprintf("%s:%d", print, seen[p.Rule+"\x00"+print])
}

func fallback(parts ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	return hex.EncodeToString(sum[:16])
}

func properties(f finding.Finding) sarif.Properties {
	p := sarif.Properties{"outcome": f.Outcome.String()}
	if f.Known {
		p["known"] = true
	}
	if f.Cause != "" {
		p["cause"] = string(f.Cause)
	}
	if f.Target != "" {
		p["target"] = finding.Claim(f.Target).Short(finding.ClaimWidth)
	}
	return p
}

// plain is text in which nothing is a link.
func plain(text string) string { return unlinked.Replace(text) }

var unlinked = strings.NewReplacer(`\`, `\\`, `[`, `\[`, `]`, `\]`, "://", `\[:\]//`)

// relatedOf are the further places of a finding, numbered from 1.
func relatedOf(p placed) []*sarif.Location {
	var out []*sarif.Location
	for _, l := range p.Related {
		if inside(l.File) && l != p.at {
			out = append(out, &sarif.Location{Id: ptr(uint(len(out) + 1)), PhysicalLocation: physical(l), Message: message(relation(l))})
		}
	}
	return out
}

func relation(l finding.Location) string {
	if strings.HasSuffix(l.File, ".lock.json") {
		return "the lock"
	}
	return "another place"
}

// links name the related places in the message, without which GitHub hides them.
func links(related []*sarif.Location) string {
	var parts []string
	for _, l := range related {
		parts = append(parts, fmt.Sprintf("[%s](%d)", *l.Message.Text, *l.Id))
	}
	if len(parts) == 0 {
		return ""
	}
	return "\nsee " + strings.Join(parts, ", ")
}

// physical is a place with every member that GitHub asks for. The region is the
// one character at which a declaration begins: its end is not known.
func physical(l finding.Location) *sarif.PhysicalLocation {
	line, column := max(l.Line, 1), max(l.Column, 1)
	return &sarif.PhysicalLocation{
		ArtifactLocation: &sarif.ArtifactLocation{URI: ptr(uri(l.File)), URIBaseId: ptr(rootBase)},
		Region:           &sarif.Region{StartLine: &line, StartColumn: &column, EndLine: ptr(line), EndColumn: ptr(column + 1)},
	}
}

// uri is a path below the root as a relative reference (RFC 3986, 4.2). A colon
// is encoded too: in a first segment it would read as a scheme.
func uri(file string) string {
	parts := strings.Split(path.Clean(file), "/")
	for i, p := range parts {
		parts[i] = strings.ReplaceAll(url.PathEscape(p), ":", "%3A")
	}
	return strings.Join(parts, "/")
}
