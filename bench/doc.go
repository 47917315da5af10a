// Package bench compares the program with the least that could do the same, in
// one run on one machine, and prints ratios. It is in no shipped binary, and
// nothing in it fails for being slow: a time says nothing about another machine.
//
//	go test ./bench -bench . -benchtime 20x
//
// It installs one npm package into a temporary folder and skips where npm or
// its registry is not to be had. How a comparison of 10,000 tools grows from
// one of 1,000 is measured beside the code: go test ./lockfile -bench Diff.
package bench
