package sandbox

// Word is the first argument of a process that is this binary again in another
// role; the second names the role, and its order arrives as JSON on descriptor 3.
const Word = "__child"

// Role is one thing that this binary does when it is started by itself.
type Role struct {
	Name string
	Run  func(args []string) (code int) // args follow the role's name
}

// Child runs the role that args (as os.Args) name. Call it first in main, and
// in TestMain of every package whose tests start something; where it reports
// true, exit with the code.
func Child(args []string, more ...Role) (code int, handled bool) {
	if len(args) < 3 || args[1] != Word {
		return 0, false
	}
	for _, r := range append(builtin, more...) {
		if r.Name == args[2] {
			return r.Run(args[3:]), true
		}
	}
	return 2, true
}
