package surface

// CueClass is a kind of text that a review should not miss. A cue is no
// verdict: text patterns find few attacks (on a public set of 287 malicious
// tools the best known patterns found 15), so what counts is a cue that was not
// there when the text was approved.
type CueClass string

// The classes.
const (
	OutsideAddress   CueClass = "outside address"    // a host that the text did not name
	OrderToModel     CueClass = "order to the model" // steers which tools are called, or whose word counts
	Concealment      CueClass = "concealment"        // keeps something from the user
	OtherTool        CueClass = "other tool"         // names a tool of another server
	HiddenCharacters CueClass = "hidden characters"
	SensitivePath    CueClass = "sensitive path" // where credentials lie
)

// Cue is one occurrence. Quote is foreign text; for tag characters it is what
// they spell.
type Cue struct {
	Class CueClass
	Kind  string // what was recognised, in our words
	Quote string
}

// cue is a Cue with the key under which the same thing is known again.
type cue struct {
	Cue
	key string
}

// Cues returns what the new text has and the old one lacks, in the order of
// the classes above and then of the text. Two cues are the same if they name
// the same host, tool or path, give the same kind of order, or hide the same
// characters. others are the names of tools of other servers; pass the ones of
// the text's own server to nobody, they may be named freely.
func Cues(old, new string, others ToolNames) []Cue {
	had := map[string]bool{}
	for _, c := range allCues(old, others) {
		had[c.key] = true
	}
	var out []Cue
	for _, c := range allCues(new, others) {
		if !had[c.key] {
			had[c.key] = true
			out = append(out, c.Cue)
		}
	}
	return out
}

// TextCues returns the cues of a text of which nothing is known before.
func TextCues(text string) []Cue { return Cues("", text, nil) }

func allCues(s string, others ToolNames) []cue {
	if s == "" {
		return nil
	}
	words := cut(s, true)
	out := addressCues(s)
	out = append(out, phraseCues(words, OrderToModel, orders)...)
	out = append(out, markupCues(s)...)
	out = append(out, phraseCues(words, Concealment, concealments)...)
	out = append(out, toolCues(s, others)...)
	out = append(out, hiddenCues(s)...)
	return append(out, pathCues(s)...)
}

func newCue(c CueClass, kind, quote, key string) cue {
	return cue{Cue{c, kind, clip(quote)}, string(c) + "\x00" + key}
}
