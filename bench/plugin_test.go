package bench

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"github.com/toolwarrant/toolwarrant/internal/plugin"
)

// documents are a plugin of Markdown alone, as an archive and as where in it the
// packed bytes of each entry lie.
type documents struct {
	archive []byte
	sum     [sha256.Size]byte
	packed  [][]byte
	content int
}

// write makes a plugin of n documents.
func write(b *testing.B, n int, text func() []byte) documents {
	b.Helper()
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	var d documents
	add := func(name string, content []byte) {
		f, err := w.Create(name)
		if err == nil {
			_, err = f.Write(content)
		}
		if err != nil {
			b.Fatal(err)
		}
		d.content += len(content)
	}
	var files []map[string]any
	for i := range n {
		content, name := text(), fmt.Sprintf("docs/%d.md", i)
		sum := sha256.Sum256(content)
		files = append(files, map[string]any{"path": name, "sha256": hex.EncodeToString(sum[:]), "bytes": len(content)})
		add(name, content)
	}
	manifest, err := json.Marshal(map[string]any{
		"protocol_version": "plugin.v1", "id": "bench", "name": "Bench", "version": "1.0.0", "publisher": "bench", "description": "Documents.",
		"capabilities": []string{"ui_metadata"}, "ui_metadata": map[string]any{"display_name": "Bench"}, "files": files,
	})
	if err != nil {
		b.Fatal(err)
	}
	add("plugin.json", manifest)
	if err := w.Close(); err != nil {
		b.Fatal(err)
	}
	d.archive = out.Bytes()
	d.sum = sha256.Sum256(d.archive)
	d.locate(b)
	return d
}

func (d *documents) locate(b *testing.B) {
	z, err := zip.NewReader(bytes.NewReader(d.archive), int64(len(d.archive)))
	if err != nil {
		b.Fatal(err)
	}
	for _, f := range z.File {
		at, err := f.DataOffset()
		if err != nil {
			b.Fatal(err)
		}
		d.packed = append(d.packed, d.archive[at:at+int64(f.CompressedSize64)])
	}
}

// least is the least that verifying can be: one SHA-256 of the archive, and
// inflating it.
func (d documents) least(b *testing.B) {
	if sha256.Sum256(d.archive) != d.sum {
		b.Fatal("the archive has changed")
	}
	n := int64(0)
	in := bytes.NewReader(nil)
	out := flate.NewReader(in)
	for _, packed := range d.packed {
		in.Reset(packed)
		if err := out.(flate.Resetter).Reset(in, nil); err != nil {
			b.Fatal(err)
		}
		m, err := io.Copy(io.Discard, out)
		if err != nil {
			b.Fatal(err)
		}
		n += m
	}
	if n != int64(d.content) {
		b.Fatal("not everything was inflated")
	}
}

func (d documents) verify(b *testing.B) {
	if p := plugin.Read(d.archive); p.Rejected != nil || len(p.Doubts) > 0 || p.Content != d.content {
		b.Fatal("the plugin is not accepted as it is:", p.Rejected, p.Doubts)
	}
}

// BenchmarkPluginVerify sets the judging of the two largest kinds of archives
// that plugin.v1 allows (4 MiB packed, 8 MiB inflated) against one SHA-256 and one
// inflation of the same bytes, in turns, on one core.
func BenchmarkPluginVerify(b *testing.B) {
	rnd := rand.New(rand.NewPCG(1, 2))
	words := []string{"notes", "the", "reads", "a", "folder", "before", "it", "answers", "and", "lists", "what", "was", "found"}
	prose := func() []byte {
		var t bytes.Buffer
		for t.Len() < 62<<10 {
			fmt.Fprintf(&t, "%s %d ", words[rnd.IntN(len(words))], rnd.IntN(1000))
		}
		return t.Bytes()
	}
	dense := func() []byte {
		const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+/"
		t := make([]byte, 42<<10)
		for i := range t {
			t[i] = letters[rnd.IntN(len(letters))]
		}
		return t
	}
	for name, text := range map[string]func() []byte{"prose-8MiB-inflated": prose, "dense-4MiB-packed": dense} {
		b.Run(name, func(b *testing.B) {
			defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
			d := write(b, 126, text)
			var ratio, ours, theirs []float64
			for n := 0; b.Loop(); n++ {
				turns := []func(){
					func() { ours = append(ours, milliseconds(func() { d.verify(b) })) },
					func() { theirs = append(theirs, milliseconds(func() { d.least(b) })) },
				}
				if n%2 == 1 {
					slices.Reverse(turns)
				}
				for _, turn := range turns {
					turn()
				}
				ratio = append(ratio, ours[n]/theirs[n])
			}
			b.ReportMetric(float64(len(d.archive))/(1<<20), "MiB")
			b.ReportMetric(float64(d.content)/(1<<20), "inflated-MiB")
			b.ReportMetric(median(ours), "verify-ms")
			b.ReportMetric(median(theirs), "least-ms")
			b.ReportMetric(median(ratio), "verify/least")
			b.ReportMetric(slices.Min(ours)/slices.Min(theirs), "fastest/fastest")
			b.ReportMetric(0, "ns/op")
		})
	}
}
