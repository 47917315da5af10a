//go:build !linux

package sandbox

var builtin []Role
