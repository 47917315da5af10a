// Command toolwarrant is the lock file and CI gate for what an agent may call.
package main

import (
	"os"

	"github.com/toolwarrant/toolwarrant/internal/sandbox"
)

func main() {
	if code, ok := sandbox.Child(os.Args, childRoles...); ok {
		os.Exit(code)
	}
	os.Exit(run(os.Args[1:]))
}
