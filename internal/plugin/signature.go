package plugin

import (
	"bytes"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"slices"
	"strconv"
	"strings"
)

// packageFingerprint is the format's digest over the manifest as it stands in
// the archive, and its list of files in its order.
func packageFingerprint(manifest []byte, files []File) string {
	h := sha256.New()
	sum := sha256.Sum256(manifest)
	h.Write(append([]byte(manifestProtocol+"\x00"), sum[:]...))
	for _, f := range files {
		h.Write([]byte(f.Path + "\x00" + f.SHA256 + "\x00" + strconv.Itoa(f.Bytes) + "\x00"))
	}
	return hex.EncodeToString(h.Sum(nil))
}

// signature is SIGNATURE.json.
type signature struct {
	Protocol  string `json:"protocol_version"`
	Publisher string `json:"publisher"`
	Algorithm string `json:"algorithm"`
	Key       string `json:"public_key"`
	Signature string `json:"signature"`
	SignedAt  string `json:"signed_at"`
}

// verifySignature checks SIGNATURE.json over a fingerprint and returns the
// fingerprint of the key. A signature that is there and wrong is never taken
// for none.
func verifySignature(data []byte, publisher, fingerprint string, d *doubts) (string, *Problem) {
	bad := func(text string) (string, *Problem) { return "", wrong(ruleSignature, signatureName, "%s", text) }
	var s signature
	if len(data) < 2 || len(data) > maxSignature {
		return "", wrong(ruleSignature, signatureName, "it has not 2 to %d bytes", maxSignature)
	}
	if err := decode(data, &s); err != nil {
		return bad(err.Error())
	}
	d.doubtJSON(signatureName, data, s)
	switch {
	case s.Protocol != signatureProtocol || s.Algorithm != "ed25519":
		return bad("its protocol or algorithm is unknown")
	case s.SignedAt != "" && !moment(s.SignedAt):
		return bad("its time is no time of RFC 3339")
	case s.Publisher != publisher:
		return bad("it is of another publisher than the manifest")
	}
	key, err := base64.StdEncoding.DecodeString(s.Key)
	if err != nil || len(key) != ed25519.PublicKeySize {
		return bad("its key is not 32 bytes in base64")
	}
	sig, err := base64.StdEncoding.DecodeString(s.Signature)
	if err != nil || len(sig) != ed25519.SignatureSize {
		return bad("its signature is not 64 bytes in base64")
	}
	if !ed25519.Verify(key, []byte(fingerprint), sig) {
		return bad("the signature does not fit the package")
	}
	if weak(key) {
		d.add(ruleWeakKey, signatureName, "the key is of those that anybody can sign with")
	}
	return sum(key), nil
}

// weakKeys are the points of small order of the curve, in every encoding that
// decodes to one, without the bit of their sign (RFC 8032, 5.1.7; Cremers,
// Jackson: Prime, Order Please, table 1).
var weakKeys = []string{
	"0000000000000000000000000000000000000000000000000000000000000000",
	"0100000000000000000000000000000000000000000000000000000000000000",
	"26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
	"c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
	"ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
	"edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
	"eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
}

func weak(key []byte) bool {
	unsigned := bytes.Clone(key)
	unsigned[len(unsigned)-1] &= 0x7f
	return slices.Contains(weakKeys, hex.EncodeToString(unsigned))
}

// moment reports whether s is a time as RFC 3339 writes it. Like the format's
// host it takes hours of one digit and fractions behind a comma.
func moment(s string) bool {
	date, clock, ok := strings.Cut(s, "T")
	if !ok || !calendarDay(date) {
		return false
	}
	clock, ok = withoutZone(clock)
	if !ok {
		return false
	}
	if i := strings.IndexAny(clock, ".,"); i >= 0 {
		if i == len(clock)-1 || !number(clock[i+1:], 1, len(clock), 0, -1) {
			return false
		}
		clock = clock[:i]
	}
	parts := strings.Split(clock, ":")
	return len(parts) == 3 && number(parts[0], 1, 2, 0, 23) && number(parts[1], 2, 2, 0, 59) && number(parts[2], 2, 2, 0, 59)
}

func calendarDay(date string) bool {
	p := strings.Split(date, "-")
	if len(p) != 3 || !number(p[0], 4, 4, 0, 9999) || !number(p[1], 2, 2, 1, 12) {
		return false
	}
	year, _ := strconv.Atoi(p[0])
	month, _ := strconv.Atoi(p[1])
	days := [...]int{31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31}[month-1]
	if month == 2 && year%4 == 0 && (year%100 != 0 || year%400 == 0) {
		days++
	}
	return number(p[2], 2, 2, 1, days)
}

func withoutZone(clock string) (string, bool) {
	if rest, ok := strings.CutSuffix(clock, "Z"); ok {
		return rest, true
	}
	const length = len("+00:00")
	i := len(clock) - length
	if i < 0 || clock[i] != '+' && clock[i] != '-' || clock[i+3] != ':' {
		return "", false
	}
	return clock[:i], number(clock[i+1:i+3], 2, 2, 0, 24) && number(clock[i+4:], 2, 2, 0, 60)
}

// number reports whether s is least to most digits whose value lies in a range;
// a range that ends below zero is open.
func number(s string, least, most, from, to int) bool {
	if len(s) < least || len(s) > most || strings.Trim(s, "0123456789") != "" {
		return false
	}
	if to < 0 {
		return true
	}
	n, err := strconv.Atoi(s)
	return err == nil && n >= from && n <= to
}
