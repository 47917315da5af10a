//go:build !race

package main

// raced says that the race detector is in this program.
const raced = false
