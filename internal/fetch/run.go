package fetch

import (
	"context"
	"errors"
	"io"
	"sync"
	"time"

	"github.com/toolwarrant/toolwarrant/internal/sandbox"
)

const (
	maxAnswer = 1 << 20 // of what a program prints, a stream
	toolGrace = 2 * time.Second
)

// words are what a program printed, each stream up to maxAnswer bytes, and its end.
type words struct {
	out, err []byte
	exit     sandbox.Exit
	git      string // what we told npm to be git: nothing that runs
}

// errLate says that a program was ended because its time was over.
var errLate = errors.New("it did not end in time")

// runToEnd runs a program of the user's, with nothing on its standard input,
// until it ends or its time is over. Nil bounds are those of a program that needs the machine.
func runToEnd(ctx context.Context, most time.Duration, o sandbox.Order, b *bounds) (words, error) {
	ctx, cancel := context.WithTimeout(ctx, most)
	defer cancel()
	p, release, err := b.start(ctx, o)
	if err != nil {
		return words{}, err
	}
	defer release()
	_ = p.Stdin.Close()
	var w words
	var both sync.WaitGroup
	both.Go(func() { w.out = drain(p.Stdout) })
	both.Go(func() { w.err = drain(p.Stderr) })
	<-p.Gone()
	w.exit = p.End(toolGrace) // whoever still holds the streams is gone now
	both.Wait()
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return w, errLate
	}
	return w, nil
}

// drain reads to the end and keeps the first maxAnswer bytes.
func drain(r io.Reader) []byte {
	kept, _ := io.ReadAll(io.LimitReader(r, maxAnswer))
	_, _ = io.Copy(io.Discard, r)
	return kept
}
