package plugin

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// host reads the container as the format's host does: with archive/zip, which
// sees the directory alone.
func host(data []byte) (map[string][]byte, error) {
	if len(data) < 1 || len(data) > MaxArchive {
		return nil, errors.New("size")
	}
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return nil, err
	}
	if len(z.File) < 1 || len(z.File) > maxEntries {
		return nil, errors.New("count")
	}
	files, total := map[string][]byte{}, 0
	for _, f := range z.File {
		info := f.FileInfo()
		if !cleanPath(f.Name) || info.IsDir() || info.Mode()&fs.ModeSymlink != 0 || info.Mode().Perm()&0o111 != 0 || f.UncompressedSize64 > maxContent {
			return nil, errors.New("unsafe")
		}
		if _, twice := files[f.Name]; twice {
			return nil, errors.New("twice")
		}
		r, err := f.Open()
		if err != nil {
			return nil, err
		}
		content, err := io.ReadAll(io.LimitReader(r, int64(maxContent-total)+1))
		if err != nil {
			return nil, err
		}
		if total += len(content); total > maxContent {
			return nil, errors.New("content")
		}
		files[f.Name] = content
	}
	return files, nil
}

// sameAsHost wants the verdict over a container, and what is in it, to be those
// of archive/zip.
func sameAsHost(t *testing.T, data []byte) {
	t.Helper()
	want, err := host(data)
	var d doubts
	c, p := open(data, &d)
	if (err != nil) != (p != nil) {
		t.Fatalf("rejected by %v, the format's host: %v", p, err)
	}
	if p != nil {
		return
	}
	if len(c.files) != len(want) {
		t.Fatalf("%d files, the format's host sees %d", len(c.files), len(want))
	}
	for name, content := range want {
		if !bytes.Equal(c.files[name], content) {
			t.Errorf("%q has another content", name)
		}
	}
}

func TestContainerIsTheHosts(t *testing.T) {
	for _, a := range attacks() {
		t.Run(a.name, func(t *testing.T) { sameAsHost(t, a.data) })
	}
	for name, data := range map[string][]byte{"plain": plain().zip(), "streamed": streamed(true), "streamed, unmarked": streamed(false), "wide descriptor": wideDescriptor()} {
		t.Run(name, func(t *testing.T) {
			sameAsHost(t, data)
			if p := Read(data); p.Rejected != nil || len(p.Doubts) > 0 {
				t.Errorf("%v %v", p.Rejected, p.Doubts)
			}
		})
	}
}

// streamed is an archive whose sizes stand behind each entry.
func streamed(marked bool) []byte {
	return with(plain(), func(z *rawZip) {
		for i := range z.entries {
			e := &z.entries[i]
			e.flags, e.lflags, e.lcrc, e.lpacked, e.lsize = flagDescriptor, flagDescriptor, 0, 0, 0
			e.after = descriptor(e.crc, e.packed, e.size, marked)
		}
	})
}

func wideDescriptor() []byte {
	return with(plain(), func(z *rawZip) {
		for i := range z.entries {
			e := &z.entries[i]
			e.flags, e.lflags, e.lcrc, e.lpacked, e.lsize = flagDescriptor, flagDescriptor, 0, 0, 0
			e.after = append(descriptor(e.crc, 0, 0, true)[:8], numbers(uint64(e.packed), uint64(e.size))...)
		}
	})
}

// FuzzContainer holds the reader of containers against archive/zip. Its seeds
// are small: a bomb takes longer than a thousand others.
func FuzzContainer(f *testing.F) {
	const small = 4 << 10
	for _, a := range attacks() {
		if len(a.data) < small && a.rule.ID != ruleHighRatio.ID {
			f.Add(a.data)
		}
	}
	f.Add(streamed(true))
	f.Add(streamed(false))
	if names, err := filepath.Glob(filepath.Join("..", "..", "..", "shared", "vectors", "plugin-v1", "*.zip")); err == nil {
		for _, name := range names {
			if data := vector(f, filepath.Base(name)); len(data) < small {
				f.Add(data)
			}
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) { sameAsHost(t, data) })
}

// FuzzManifest wants no panic, a reason for what is rejected, and of what is
// accepted the same values as encoding/json reads.
func FuzzManifest(f *testing.F) {
	for _, b := range []*built{plain(), full()} {
		b.entries()
		f.Add([]byte(marshalled(b.manifest)))
	}
	for _, row := range manifestRows {
		b := full()
		row.change(b)
		f.Add(b.entries()[0].content)
	}
	f.Add([]byte(`{"id":"a","ID":"b","files":null,"hooks":[[]],"name":"\ud800\xff"}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		var d doubts
		m, p := readManifest(data, &d)
		for _, told := range d.all() {
			if told.Rule == "" || told.Text == "" {
				t.Errorf("a doubt without a rule or words: %+v", told)
			}
		}
		if p != nil {
			if p.Text == "" || p.Rule != ruleManifest.ID {
				t.Errorf("rejected by %+v", p)
			}
			return
		}
		var plain Manifest
		if err := json.Unmarshal(data, &plain); err != nil || !identity(m.ID) || plain.ID != m.ID || len(m.Files) > maxFiles {
			t.Errorf("%v: %+v", err, m)
		}
	})
}

// FuzzSignature wants only a signature of the key and the fingerprint to verify.
func FuzzSignature(f *testing.F) {
	b := plain()
	b.key = testKey()
	entries := b.entries()
	good := entries[len(entries)-1].content
	p := Read(b.zip())
	f.Add(good)
	for _, row := range signatureRows {
		b := plain()
		b.key, b.sign = testKey(), row.change
		entries := b.entries()
		f.Add(entries[len(entries)-1].content)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var d doubts
		key, bad := verifySignature(data, p.Manifest.Publisher, p.Fingerprint, &d)
		switch {
		case bad == nil && !digest(key):
			t.Errorf("it verifies, by the key %q", key)
		case bad != nil && (key != "" || bad.Rule != ruleSignature.ID):
			t.Errorf("it does not verify, by the key %q: %+v", key, bad)
		}
		if _, bad := verifySignature(data, p.Manifest.Publisher, strings.Repeat("0", 64), &d); bad == nil && bytes.Equal(data, good) {
			t.Error("it verifies over another fingerprint")
		}
	})
}

// FuzzMoment holds the reader of times against the library's.
func FuzzMoment(f *testing.F) {
	for _, s := range []string{
		"2026-01-02T03:04:05Z", "2026-01-02T3:04:05Z", "2024-02-29T00:00:00+14:00", "2023-02-29T00:00:00Z", "2026-01-02T03:04:05,5Z", "2026-01-02T03:04:05.Z",
		"2026-01-02t03:04:05z", "2026-13-02T03:04:05Z", "2026-01-02T24:04:05Z", "2026-01-02T03:04:60Z", "2026-01-02T03:04:05+24:00", "2026-01-02T03:04:05-25:61", "x", "",
		"0000-01-01T00:00:00Z", "2026-01-02T03:04:05.123456789012Z", "2026-01-02T03:04:05+0000", "2026-01-00T03:04:05Z", "2026-01-02T03:04:05+24:60",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if _, err := time.Parse(time.RFC3339, s); (err == nil) != moment(s) {
			t.Errorf("%q: %v, the library says %v", s, moment(s), err)
		}
	})
}
