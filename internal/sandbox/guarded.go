package sandbox

// Guarded is something that no confined program may reach.
type Guarded struct {
	What string // for people, as "the docker socket"
	Path string // absolute: a file, a folder or a socket
}
