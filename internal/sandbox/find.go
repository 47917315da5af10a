package sandbox

// Find is the path of the file that a start of name would execute: looked up as
// Start does it, in the PATH of env, or from dir where name is a path. The error
// is a *StartError.
func Find(name, dir string, env []string) (string, error) {
	path, failed := lookUp(name, dir, env)
	if failed != nil {
		return "", failed
	}
	return path, nil
}
