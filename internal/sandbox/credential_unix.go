//go:build unix

package sandbox

import "syscall"

// credential is the user that a child runs as: nil keeps ours. Its list of
// supplementary groups is empty, so ours are dropped.
func credential(uid int) *syscall.Credential {
	if uid == 0 {
		return nil
	}
	return &syscall.Credential{Uid: uint32(uid), Gid: uint32(uid)}
}
