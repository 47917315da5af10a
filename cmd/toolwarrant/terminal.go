package main

import (
	"bufio"
	"fmt"
	"strconv"
	"strings"
	"sync"

	"github.com/toolwarrant/toolwarrant/finding"
	"github.com/toolwarrant/toolwarrant/scanner"
)

// width is the terminal's, as COLUMNS says it; 80 where nothing does.
func (a *app) width() int {
	if n, err := strconv.Atoi(a.getenv("COLUMNS")); err == nil && n >= 40 {
		return n
	}
	return 80
}

// interactive reports whether a person can be asked.
func (a *app) interactive() bool {
	return isTerminal(a.stdin) && isTerminal(a.stderr)
}

// ask puts a question that "y" or "yes" affirms; everything else is a no.
func (a *app) ask(question string) bool {
	_, _ = fmt.Fprintf(a.stderr, "%s [y/N] ", question)
	line, err := bufio.NewReader(a.stdin).ReadString('\n')
	answer := strings.ToLower(strings.TrimSpace(line))
	return err == nil && (answer == "y" || answer == "yes")
}

// progress tells on stderr what runs: on a terminal one line that vanishes, in
// a log a line for each target that is done.
func (a *app) progress(quiet bool) func(scanner.Event) {
	if quiet {
		return nil
	}
	var mu sync.Mutex
	live := isTerminal(a.stderr)
	return func(e scanner.Event) {
		mu.Lock()
		defer mu.Unlock()
		name := finding.Claim(e.Target).Short(40)
		switch {
		case live && e.Done:
			_, _ = fmt.Fprint(a.stderr, "\r\x1b[K")
		case live:
			_, _ = fmt.Fprintf(a.stderr, "\r\x1b[K%s %s", e.Phase, name)
		case e.Done:
			_, _ = fmt.Fprintf(a.stderr, "toolwarrant: %s: %s\n", name, finding.Claim(e.Phase).Short(80))
		}
	}
}
