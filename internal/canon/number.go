package canon

import (
	"strconv"
	"strings"
)

// exact reports whether a JSON number literal has the decimal value of the
// shortest form of its double: what RFC 8785 prints is then the same number.
func exact(literal string) bool {
	f, err := strconv.ParseFloat(literal, 64)
	if err != nil {
		return false
	}
	return decimal(literal) == decimal(strconv.FormatFloat(f, 'e', -1, 64))
}

// number is a decimal value in a unique form: 0.digits times ten to exp.
type number struct {
	negative bool
	digits   string
	exp      int
}

func decimal(s string) number {
	n := number{negative: strings.HasPrefix(s, "-")}
	mantissa, exp, _ := strings.Cut(strings.ToLower(strings.TrimPrefix(s, "-")), "e")
	whole, frac, _ := strings.Cut(mantissa, ".")
	n.exp, _ = strconv.Atoi(strings.TrimPrefix(exp, "+"))
	n.exp += len(whole)
	digits := whole + frac
	n.digits = strings.TrimLeft(digits, "0")
	n.exp -= len(digits) - len(n.digits)
	n.digits = strings.TrimRight(n.digits, "0")
	if n.digits == "" {
		return number{}
	}
	return n
}
