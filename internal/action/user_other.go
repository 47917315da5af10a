//go:build !unix

package action

import "os/exec"

const plainFile = 0

func closeOnStart(int, int) {}

func apart(*exec.Cmd) bool { return false }

func ownerOf(string) (uid, gid int, ok bool) { return 0, 0, false }
