package plugin

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strconv"
	"strings"

	"github.com/toolwarrant/toolwarrant/internal/canon"
)

// decode reads one JSON value into a struct whose members are all that may
// occur. Like the format's host it takes members in any case and the last of two
// with one name, and repairs broken UTF-8; doubtJSON tells of that. What it
// returns are our words, without any of the text.
func decode(data []byte, into any) error {
	if deep := new(canon.Error); errors.As(canon.Guard(data, canon.MaxDepth), &deep) && deep.Reason == canon.TooDeep {
		return errors.New("it is nested too deeply")
	}
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	if err := dec.Decode(into); err != nil {
		return decodeError(err)
	}
	if err := dec.Decode(&struct{}{}); !errors.Is(err, io.EOF) {
		return errors.New("something follows the JSON value")
	}
	return nil
}

// decodeError keeps of the library's error what kind it is and where.
func decodeError(err error) error {
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax):
		return fmt.Errorf("it is not JSON, at byte %d", syntax.Offset)
	case errors.As(err, &kind):
		return fmt.Errorf("the member %s is of the wrong type", quote(kind.Field))
	}
	if name, ok := strings.CutPrefix(err.Error(), "json: unknown field "); ok {
		if plain, err := strconv.Unquote(name); err == nil {
			return fmt.Errorf("it has a member that the format does not know, %s", quote(plain))
		}
	}
	return errors.New("it is not a JSON object of this format")
}

// doubtJSON tells what decode took otherwise than other readers may.
func (d *doubts) doubtJSON(place string, data []byte, form any) {
	var bad *canon.Error
	if errors.As(canon.Guard(data, canon.MaxDepth), &bad) {
		d.add(ruleManifestAmbiguous, place, "%s at byte %d, which is read as U+FFFD", bad.Reason, bad.Offset)
	}
	w := &walker{dec: json.NewDecoder(bytes.NewReader(data)), known: map[string]bool{}, doubts: d}
	w.dec.UseNumber()
	w.learn(reflect.TypeOf(form))
	w.value(place + "#")
}

// walker reads JSON that decode has taken, key by key.
type walker struct {
	dec    *json.Decoder
	known  map[string]bool
	doubts *doubts
}

// learn collects the names of members, as they are to be spelt.
func (w *walker) learn(t reflect.Type) {
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice:
		w.learn(t.Elem())
	case reflect.Struct:
		for f := range t.NumField() {
			name, _, _ := strings.Cut(t.Field(f).Tag.Get("json"), ",")
			w.known[name] = true
			w.learn(t.Field(f).Type)
		}
	}
}

// value walks one value. It stops where the text is no JSON any more, which
// decode has ruled out.
func (w *walker) value(at string) bool {
	tok, err := w.dec.Token()
	if err != nil {
		return false
	}
	switch tok {
	case json.Delim('{'):
		return w.object(at)
	case json.Delim('['):
		for i := 0; w.dec.More(); i++ {
			if !w.value(fmt.Sprintf("%s/%d", at, i)) {
				return false
			}
		}
		return w.closed()
	}
	if s, ok := tok.(string); ok {
		w.shown(at, s)
	}
	return true
}

func (w *walker) closed() bool {
	_, err := w.dec.Token()
	return err == nil
}

func (w *walker) object(at string) bool {
	seen := map[string]bool{}
	for w.dec.More() {
		tok, err := w.dec.Token()
		name, ok := tok.(string)
		if err != nil || !ok {
			return false
		}
		folded := strings.ToLower(strings.ToUpper(name))
		switch {
		case seen[folded]:
			w.doubts.add(ruleManifestAmbiguous, at, "the member %s is there twice; the last one counts", quote(name))
		case !w.known[name]:
			w.doubts.add(ruleManifestAmbiguous, at, "the member %s is spelt otherwise than the format spells it", quote(name))
		}
		seen[folded] = true
		if !w.value(at + "/" + name) {
			return false
		}
	}
	return w.closed()
}

// shown tells of a text that does not look like what it is.
func (w *walker) shown(at, s string) {
	if hides(s) {
		w.doubts.add(ruleHidden, at, "the text %s holds characters that do not show", quote(s))
	}
}
