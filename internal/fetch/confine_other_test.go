//go:build !linux

package fetch

// Nothing is confined here, so that nobody plays hostile.
var hostileNames []string

func hostile() int { return 2 }
