package inspect

import (
	"time"

	"github.com/toolwarrant/toolwarrant/internal/sandbox"
)

// Limits bound one reading. Reaching one is named in the result, never a cut
// that looks whole. A zero member means its default.
type Limits struct {
	Probe      time.Duration // for the answer to server/discover; 15 s
	Initialize time.Duration // 30 s
	Page       time.Duration // for each page of a list; 15 s
	Server     time.Duration // for everything together; 120 s
	Grace      time.Duration // for the server to end after its input was closed, and again after SIGTERM; 2 s
	Line       int           // bytes of one line; 16 MiB
	Output     int           // bytes of standard output; 64 MiB
	Words      int           // bytes of standard error that are kept; 16 KiB
	Pages      int           // of one list; 1,000
	Items      int           // of one list; 20,000
	Questions  int           // requests of the server that are answered; 1,000
	Memory     int64         // bytes of resident memory of the tree; 1 GiB
	Processes  int           // 256
	Files      int           // open files of one process; 1,024
}

func (l Limits) orDefault() Limits {
	set(&l.Probe, 15*time.Second)
	set(&l.Initialize, 30*time.Second)
	set(&l.Page, 15*time.Second)
	set(&l.Server, 120*time.Second)
	set(&l.Grace, 2*time.Second)
	set(&l.Line, 16<<20)
	set(&l.Output, 64<<20)
	set(&l.Words, 16<<10)
	set(&l.Pages, 1000)
	set(&l.Items, 20000)
	set(&l.Questions, 1000)
	set(&l.Memory, 1<<30)
	set(&l.Processes, 256)
	set(&l.Files, 1024)
	return l
}

func set[T int | int64 | time.Duration](p *T, value T) {
	if *p == 0 {
		*p = value
	}
}

func (l Limits) sandbox() sandbox.Limits {
	return sandbox.Limits{Memory: l.Memory, Processes: l.Processes, Files: l.Files}
}
