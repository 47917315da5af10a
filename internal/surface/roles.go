package surface

// role is what a small word does in a sentence.
type role uint8

// The roles.
const (
	skipped     role = 1 << iota // may stand between the start of a sentence and its verb
	joins                        // may stand between two verbs of one sentence
	preposition                  // ends the direct object
	filler                       // is no object
	negator                      // takes back what it says until the clause ends
	nounFirst                    // is a verb elsewhere, but a noun as part of a name
)

var roleTable = []struct {
	role  role
	words string
}{
	{skipped, `this the a an tool function use used to allows allow you can will also optionally please lets let
		enables enable helps for it which that be is agent agents users user utility method endpoint provides ability
		claude llm model then either and or first both may deprecated unsafe safely quickly partially bulk batch`},
	{joins, `and or then also optionally to can will may either by both`},
	{preposition, `from in on to with for by using at into onto via within across under against through as when where
		whose that which if before after without over between matching inside during while based`},
	{filler, `a an the all any new existing specific single multiple one more and or of its their your this these up out`},
	{negator, `not never no without cannot doesn't don't can't won't isn't nor neither rather instead`},
	{nounFirst, `email mail message sms comment mention contact text share color label`},
}

// negate marks the words that stand under a negator and clears what the
// lexicon said of them. A denial takes nothing away but itself: the name, the
// parameters and the other sentences still count.
func negate(words []word) {
	on := false
	for i := range words {
		w := &words[i]
		if w.opens || w.breaks {
			on = false
		}
		if w.role&negator != 0 {
			// "not only lists but deletes" denies nothing.
			on = i+1 >= len(words) || words[i+1].text != "only"
			continue
		}
		if w.text == "but" || w.text == "unless" || w.text == "until" {
			on = false
		}
		if on {
			w.negated, w.verb, w.noun = true, 0, 0
		}
	}
}
