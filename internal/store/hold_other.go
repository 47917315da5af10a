//go:build !(linux || darwin || freebsd || netbsd || openbsd)

package store

import "os"

// hold takes nothing here: what was read is compared right before it is replaced.
func hold(*os.File) bool { return true }
