package plugin

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// InputSchema judges the input schema of a tool as a host of plugin.v1 does when
// it lists a server: one JSON object of at most 64 KiB whose references stay in
// the document, whatever they stand for there.
func InputSchema(data []byte) error {
	const least, most, depth = 2, 64 << 10, 64
	if len(data) < least || len(data) > most || !utf8.Valid(data) {
		return fmt.Errorf("it is not %d to %d bytes of UTF-8", least, most)
	}
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber()
	var root map[string]any
	if dec.Decode(&root) != nil {
		return errors.New("it is no JSON object")
	}
	if dec.Decode(&struct{}{}) != io.EOF {
		return errors.New("something follows the JSON object")
	}
	if kind, ok := root["type"].(string); ok && kind != "object" {
		return errors.New("it takes no object")
	}
	return references(root, depth)
}

// references walks a schema of at most depth levels below this one.
func references(v any, depth int) error {
	if depth < 0 {
		return errors.New("it is nested too deeply")
	}
	switch t := v.(type) {
	case []any:
		for _, e := range t {
			if err := references(e, depth-1); err != nil {
				return err
			}
		}
	case map[string]any:
		for name, e := range t {
			to, _ := e.(string)
			switch {
			case strings.HasPrefix(name, "$dynamic"):
				return errors.New("it refers to what is only known later")
			case (name == "$ref" || name == "$recursiveRef") && !strings.HasPrefix(to, "#"):
				return errors.New("it refers to another document")
			}
			if err := references(e, depth-1); err != nil {
				return err
			}
		}
	}
	return nil
}
