package surface

import "strings"

// pattern is a sequence of steps that must all be found in one sentence. A
// step is a set of words; up to gap words may stand before each but the first.
type pattern struct {
	kind  string
	gap   int
	steps []map[string]bool
}

// spell builds a pattern: steps by blanks, the words of one step by "|".
func spell(kind string, gap int, s string) pattern {
	p := pattern{kind: kind, gap: gap}
	for _, step := range strings.Fields(s) {
		p.steps = append(p.steps, set(strings.ReplaceAll(step, "|", " ")))
	}
	return p
}

// orders speak to the model. Direction matters: "call X before this" documents
// a dependency, "this before any other tool" grabs the first place. "You MUST
// call" is common in honest servers; it is a cue to look at when new, no more.
var orders = []pattern{
	spell("sets instructions aside", 2, "ignore|disregard|forget|override|bypass|discard previous|prior|above|earlier|all|any|your|other|system|existing instructions|instruction|rules|prompt|prompts|guidelines|directives|guardrails"),
	spell("gives new instructions", 0, "new|updated|real|actual|hidden system|instructions|instruction instructions|prompt|for|are|follow"),
	spell("redefines the model", 0, "you are now"),
	spell("redefines the model", 0, "from now on"),
	spell("puts itself before other tools", 1, "before using|calling|invoking|running|any|other any|other|another|all tool|tools|function|functions|action|actions"),
	spell("puts itself before other tools", 0, "before any|every|all|each other tool|tools|call|action"),
	spell("puts itself before other tools", 2, "always call|use|invoke|run this tool|function|first|before"),
	spell("puts itself before other tools", 0, "before every|each|any tool|call|action|request|response|answer"),
	spell("puts itself in the place of others", 1, "prefer|use|choose this tool|one|server|instead over|instead|rather"),
	spell("says what must be called", 1, "must|always call|invoke|run|execute"),
	spell("says what must be called", 1, "must|always use this"),
	spell("asks for the conversation", 4, "pass|include|send|put|append|provide conversation|chat|system history|transcript|prompt|messages"),
}

// concealments keep the user out.
var concealments = []pattern{
	spell("not to be told", 3, "not|don't|never|dont tell|inform|mention|notify|alert|disclose|reveal|report user|users|human|anyone|them|operator"),
	spell("not to be shown", 4, "not|don't|never|dont show|display|expose to|user user|users|this|human"),
	spell("not to be mentioned", 1, "not|don't|never|dont mention|reveal|disclose|discuss this|these|that tool|step|steps|instruction|instructions|file|parameter|call"),
	spell("without the user", 2, "without telling|informing|notifying|alerting|asking user|users|human|anyone|permission"),
	spell("without the user", 1, "without user|user's|users knowledge|consent|noticing|approval|knowing|confirmation"),
	spell("kept from the user", 4, "hide|hidden|conceal|keep|secret|invisible from|to user|users|human"),
	spell("not to be seen", 1, "user|users|human|they|operator must|should|need|does|will|can not|never|n't see|know|notice|be|realize|learn"),
	spell("in secret", 2, "silently|quietly send|forward|upload|copy|include|read|call|exfiltrate|append|add|bcc|transmit"),
	spell("in secret", 0, "secretly|covertly|surreptitiously|stealthily"),
}

// phraseCues finds each kind once, at its first place.
func phraseCues(t text, class CueClass, patterns []pattern) []cue {
	var out []cue
	seen := map[string]bool{}
	for _, p := range patterns {
		if seen[p.kind] {
			continue
		}
		if from, to, ok := p.find(t.words); ok {
			seen[p.kind] = true
			out = append(out, newCue(class, p.kind, t.quote(from, to), p.kind))
		}
	}
	return out
}

// find returns the first and last word of the first match.
func (p pattern) find(words []word) (from, to int, ok bool) {
	for i := range words {
		if !p.steps[0][words[i].text] {
			continue
		}
		if end := p.match(words, i); end >= 0 {
			return i, end, true
		}
	}
	return 0, 0, false
}

// match follows the steps from word i, taking the nearest word for each.
func (p pattern) match(words []word, i int) int {
	at := i
	for _, step := range p.steps[1:] {
		next := -1
		for j := at + 1; j < len(words) && j <= at+1+p.gap && words[j].sentence == words[i].sentence; j++ {
			if step[words[j].text] {
				next = j
				break
			}
		}
		if next < 0 {
			return -1
		}
		at = next
	}
	return at
}

// markups pose as the frame around a conversation.
var markups = []string{"<important>", "<system>", "</system>", "<|im_start|>", "<|system|>", "[system]", "[inst]", "<<sys>>",
	"<instructions>", "<secret>", "### system", "<system-reminder>", "<admin>"}

func markupCues(s string) []cue {
	low := lower(s)
	for _, m := range markups {
		if i := strings.Index(low, m); i >= 0 {
			return []cue{newCue(OrderToModel, "poses as the system", s[i:i+len(m)], "poses as the system")}
		}
	}
	return nil
}
