package bench

import (
	"os"
	"slices"
	"testing"

	"github.com/toolwarrant/toolwarrant/internal/inspect"
	"github.com/toolwarrant/toolwarrant/internal/sandbox"
)

// BenchmarkSandbox reads one real server under every profile that works here, in
// turns, and reports what each costs against none: the median of the ratios over
// turns, and the ratio of the two fastest readings.
func BenchmarkSandbox(b *testing.B) {
	dir, err := os.MkdirTemp("", "toolwarrant-bench-")
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = os.RemoveAll(dir) })
	if err := os.Chmod(dir, 0o755); err != nil { // as root a confined server is somebody else
		b.Fatal(err)
	}
	argv := installedAt(b, dir)
	profiles := []sandbox.Profile{sandbox.None}
	for _, p := range sandbox.Profiles() {
		if reason := sandbox.Try(p); reason != "" {
			b.Logf("%s does not work here: %s", p, reason)
			continue
		}
		profiles = append(profiles, p)
	}
	times, ratios := map[sandbox.Profile][]float64{}, map[sandbox.Profile][]float64{}
	for n := 0; b.Loop(); n++ {
		turn := map[sandbox.Profile]float64{}
		order := slices.Concat(profiles[n%len(profiles):], profiles[:n%len(profiles)])
		for _, p := range order {
			turn[p] = milliseconds(func() { confined(b, argv, p) })
			times[p] = append(times[p], turn[p])
		}
		for _, p := range profiles {
			ratios[p] = append(ratios[p], turn[p]/turn[sandbox.None])
		}
	}
	for _, p := range profiles {
		b.ReportMetric(median(times[p]), string(p)+"-ms")
		if p != sandbox.None {
			b.ReportMetric(median(ratios[p]), string(p)+"/none")
			b.ReportMetric(slices.Min(times[p])/slices.Min(times[sandbox.None]), string(p)+"/none-fastest")
		}
	}
	b.ReportMetric(0, "ns/op") // of all together: of no use
}

func confined(b *testing.B, argv []string, p sandbox.Profile) {
	b.Helper()
	r := inspect.Read(b.Context(), inspect.Order{Argv: argv, Env: []string{"PATH=" + os.Getenv("PATH"), "LANG=C.UTF-8"}, Profile: p})
	if !r.Complete() {
		b.Fatalf("%s: not read: %s at %s: %s\n%s", p, r.Reason, r.Stage, r.Detail, r.LastWords)
	}
}
