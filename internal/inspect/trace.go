package inspect

import (
	"fmt"
	"io"
	"time"

	"github.com/toolwarrant/toolwarrant/finding"
)

// tracer writes one line per message: target, direction (> is ours), method,
// bytes, milliseconds since the reading began. It never writes content; a
// method that the server made up is content too.
type tracer struct {
	to     io.Writer
	target string
	began  time.Time
}

func newTracer(o Order, began time.Time) *tracer {
	return &tracer{o.Trace, finding.Claim(o.Target).Short(finding.ClaimWidth), began}
}

func (t *tracer) line(direction rune, method string, bytes int) {
	if t.to == nil {
		return
	}
	if !traced[method] {
		method = "other"
	}
	_, _ = fmt.Fprintf(t.to, "%s\t%c\t%s\t%d\t%d\n", t.target, direction, method, bytes, time.Since(t.began).Milliseconds())
}

// traced are the methods of the protocol that either side may send here.
var traced = map[string]bool{
	discover.name: true, initialize.name: true, initialized.name: true,
	listTools.name: true, listResources.name: true, listTemplates.name: true, listPrompts.name: true,
	"ping": true, "roots/list": true, "sampling/createMessage": true, "elicitation/create": true,
	"notifications/message": true, "notifications/progress": true, "notifications/cancelled": true,
	"notifications/tools/list_changed": true, "notifications/resources/list_changed": true,
	"notifications/prompts/list_changed": true, "notifications/resources/updated": true,
}
