package manifest

// Claims reports whether a path is one that a dialect reads.
func Claims(path string) bool {
	d, _ := claim(path)
	return d != nil
}
