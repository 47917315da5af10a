//go:build linux && !amd64 && !arm64

package sandbox

// No profile is offered where its filter was never tried.
const (
	nativeArch   = 0
	foreignCalls = 0x40000000
)
