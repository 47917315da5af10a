// Package eval holds measurements, which run as tests and are in no shipped
// binary. They read labelled data from a folder named shared beside the
// repository and skip where it is absent.
//
// The capability measurement splits the data by server. Rules are written with
// one half in view; the other is only counted, never read, so that its figures
// say what to expect of a server nobody has seen.
package eval
