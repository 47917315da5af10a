package lockfile

import (
	"encoding/json"
	"errors"

	"github.com/toolwarrant/toolwarrant/internal/canon"
)

// Launch is how a host starts or reaches the target. Values that may be
// credentials are not in it.
type Launch struct {
	Transport string              `json:"transport"`
	Argv      []Arg               `json:"argv,omitempty"`
	Env       map[string]Variable `json:"env,omitempty"`
	Dir       string              `json:"dir,omitempty"`
	EnvFile   string              `json:"envFile,omitempty"`
	URL       *Arg                `json:"url,omitempty"`
	Headers   map[string]Variable `json:"headers,omitempty"`
	Helper    string              `json:"helper,omitempty"`
	Digest    string              `json:"digest,omitempty"`
}

// Arg is an argument: its text, or for one that is or follows a secret a label
// and the number of bytes that are left out.
type Arg struct {
	Text   string
	Secret *Masked
}

// Masked stands for a value that is not written down.
type Masked struct {
	Label  string `json:"secret"`
	Length int    `json:"length"`
}

// String shows the argument without its secret.
func (a Arg) String() string {
	if a.Secret != nil {
		return "[" + a.Secret.Label + " …]"
	}
	return a.Text
}

// MarshalJSON writes a string or a Masked.
func (a Arg) MarshalJSON() ([]byte, error) {
	if a.Secret != nil {
		return json.Marshal(*a.Secret)
	}
	return json.Marshal(a.Text)
}

// UnmarshalJSON reads either form, strictly.
func (a *Arg) UnmarshalJSON(b []byte) error {
	if len(b) > 0 && b[0] == '"' {
		return json.Unmarshal(b, &a.Text)
	}
	var members map[string]json.RawMessage
	if err := json.Unmarshal(b, &members); err != nil || len(members) != 2 || members["secret"] == nil || members["length"] == nil {
		return errors.New("an argument is a text, or a secret and its length")
	}
	a.Secret = new(Masked)
	return json.Unmarshal(b, a.Secret)
}

// Variable says where the value of an environment variable or header comes
// from. Value is set for variables that steer code or routes, and only there.
type Variable struct {
	Ref     []string `json:"ref,omitempty"`     // names that it refers to, sorted
	Literal bool     `json:"literal,omitempty"` // it holds text of its own
	Value   *Arg     `json:"value,omitempty"`
}

// Seal computes the digest.
func (l Launch) Seal() (Launch, error) {
	l.Digest = ""
	b, err := json.Marshal(l)
	if err != nil {
		return l, err
	}
	canonical, err := canon.Canonical(b)
	if err != nil {
		return l, err
	}
	l.Digest = canon.Digest(canon.Launch, canonical)
	return l, nil
}
