package policy

import "strings"

// oneOf joins words for a message.
func oneOf(words []string) string {
	var shown []string
	for _, w := range words {
		if w != "" {
			shown = append(shown, w)
		}
	}
	if len(shown) < 2 {
		return strings.Join(shown, "")
	}
	last := len(shown) - 1
	return strings.Join(shown[:last], ", ") + " or " + shown[last]
}

// nearest returns the word that somebody may have meant, or nothing: the one
// with the fewest slips, case and dashes aside, at most one in three characters.
func nearest(typed string, words []string) string {
	const longest = 40
	if len(typed) > longest {
		return ""
	}
	best, least := "", (len(typed)+2)/3+1
	for _, w := range words {
		if d := slips(bare(typed), bare(w)); w != "" && d < least {
			best, least = w, d
		}
	}
	return best
}

func bare(s string) string {
	return strings.NewReplacer("-", "", "_", "", " ", "").Replace(strings.ToLower(s))
}

// slips is the Levenshtein distance in bytes: insertions, deletions and
// replacements.
func slips(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		before := row[0]
		row[0] = i + 1
		for j := range len(b) {
			replace := before
			if a[i] != b[j] {
				replace++
			}
			before = row[j+1]
			row[j+1] = min(replace, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
