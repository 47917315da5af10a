package plugin

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// vector reads one of the collected vectors, or skips.
func vector(t testing.TB, name string) []byte {
	t.Helper()
	dir := filepath.Join("..", "..", "..", "shared", "vectors", "plugin-v1")
	if _, err := os.Stat(dir); err != nil {
		t.Skip("the collected vectors are not beside this repository: nothing is compared with the format's own host")
	}
	data, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// TestVectors wants the verdict of the format's own host for every archive, and
// for each that it accepts its digests, sizes and names.
func TestVectors(t *testing.T) {
	lines := strings.Split(strings.TrimSpace(string(vector(t, "MANIFEST.tsv"))), "\n")
	columns := strings.Split(lines[0], "\t")
	if len(lines) != 101 {
		t.Fatalf("%d lines, want a head and 100 archives", len(lines))
	}
	for _, line := range lines[1:] {
		want := map[string]string{}
		for i, cell := range strings.Split(line, "\t") {
			want[columns[i]] = cell
		}
		t.Run(want["file"], func(t *testing.T) {
			p := Read(vector(t, want["file"]))
			if got := verdict(p); got != want["verdict"] {
				t.Fatalf("%s (%v), want %s: %s", got, p.Rejected, want["verdict"], want["note"])
			}
			got := map[string]string{"archive_sha256": p.SHA256, "archive_bytes": strconv.Itoa(p.Bytes)}
			if p.Rejected == nil {
				got["package_fingerprint"], got["publisher_fingerprint"] = p.Fingerprint, p.Publisher
				got["signature_present"], got["signature_valid"] = strconv.FormatBool(p.Signed), strconv.FormatBool(p.Valid)
				got["uncompressed_bytes"] = strconv.Itoa(p.Content)
				got["plugin_id"], got["plugin_version"] = strconv.QuoteToASCII(p.Manifest.ID), strconv.QuoteToASCII(p.Manifest.Version)
			}
			for name, value := range got {
				if value != want[name] {
					t.Errorf("%s is %s, want %s", name, value, want[name])
				}
			}
		})
	}
}

func verdict(p Package) string {
	if p.Rejected != nil {
		return "reject"
	}
	return "accept"
}

// TestVectorDoubts: what the format's host lets pass is told, and what it was
// built to accept is not, but for what an archive was made to show.
func TestVectorDoubts(t *testing.T) {
	vector(t, "MANIFEST.tsv")
	for file, rule := range map[string]string{
		"accepted-encrypted-flag.zip": "plugin/archive-ambiguous", "accepted-trailing-bytes.zip": "plugin/archive-ambiguous",
		"accepted-setuid-mode.zip": "plugin/archive-ambiguous", "accepted-namedpipe-mode.zip": "plugin/archive-ambiguous",
		"ok-zip-comment.zip": "plugin/archive-ambiguous", "accepted-m-invalid-utf8.zip": "plugin/manifest-ambiguous",
		"ok-casefold-key.zip": "plugin/manifest-ambiguous", "ok-duplicate-key.zip": "plugin/manifest-ambiguous",
		"ok-mcp-empty-query.zip": "plugin/manifest-ambiguous", "ok-m-id-bidi.zip": "plugin/hidden-characters",
		"ok-7mib-ratio-1000.zip": "plugin/high-ratio", "ok-ui-png-polyglot.zip": "plugin/polyglot",
		"ok-unclaimed-skill-file.zip": "plugin/unclaimed-file",
		"ok-unsigned-skill.zip":       "", "ok-signed-skill.zip": "", "ok-pretty-manifest.zip": "", "ok-128-files.zip": "", "ok-msdos-creator.zip": "",
		"ok-reordered-zip-entries.zip": "", "ok-files-null.zip": "", "ok-sig-8192.zip": "", "ok-mcp-https.zip": "", "ok-hook-narrow.zip": "",
	} {
		t.Run(file, func(t *testing.T) {
			told := map[string]bool{}
			for _, d := range Read(vector(t, file)).Doubts {
				told[d.Rule] = true
			}
			if rule == "" && len(told) > 0 || rule != "" && !told[rule] {
				t.Errorf("told of %v, want %q", told, rule)
			}
		})
	}
}

func TestVectorDescriptors(t *testing.T) {
	var known []struct{ Name, Preimage, Fingerprint string }
	if err := json.Unmarshal(vector(t, "fingerprints.json"), &known); err != nil || len(known) != 3 {
		t.Fatal(len(known), err)
	}
	for i, file := range []string{"descriptor-stdio.json", "descriptor-remote.json"} {
		d, err := ParseDescriptor(vector(t, file))
		if err != nil || d.Fingerprint() != known[i].Fingerprint {
			t.Errorf("%s: %s, %v, want %s", file, d.Fingerprint(), err, known[i].Fingerprint)
		}
	}
	s, err := ParseSnapshot(vector(t, "capability-snapshot.json"))
	if err != nil || s.Compute() != known[2].Fingerprint || s.Fingerprint != s.Compute() {
		t.Errorf("the snapshot: %s, %v, want %s", s.Compute(), err, known[2].Fingerprint)
	}
}

// TestVectorSchemas: two of the collected schemas are cut and say how long they
// were; they are made again.
func TestVectorSchemas(t *testing.T) {
	var known []struct{ Schema, Verdict string }
	if err := json.Unmarshal(vector(t, "input-schema-verdicts.json"), &known); err != nil || len(known) < 24 {
		t.Fatal(len(known), err)
	}
	for _, k := range known {
		schema := []byte(k.Schema)
		if start, rest, cut := strings.Cut(k.Schema, "x… ("); cut {
			n, err := strconv.Atoi(strings.TrimSuffix(rest, " bytes)"))
			if err != nil {
				t.Fatal(err)
			}
			schema = append([]byte(start), bytes.Repeat([]byte("x"), n-len(start)-len(`"}`))...)
			schema = append(schema, `"}`...)
		}
		got := "accept"
		if InputSchema(schema) != nil {
			got = "reject"
		}
		if got != k.Verdict {
			t.Errorf("%.80s: %s, want %s", k.Schema, got, k.Verdict)
		}
	}
}
