package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// decode reads a description. It accepts a byte order mark, and raw control characters inside
// strings, which some generators leave in examples although JSON forbids them.
func decode(in io.Reader) (map[string]any, error) {
	data, err := io.ReadAll(in)
	if err != nil {
		return nil, err
	}
	data = clean(data)
	var description map[string]any
	if err := json.Unmarshal(data, &description); err != nil {
		return nil, fmt.Errorf("the description is not a JSON object: %w", err)
	}
	if _, ok := description["paths"].(map[string]any); !ok {
		return nil, errors.New("the description has no paths: it is empty or not an OpenAPI description")
	}
	return description, nil
}

// clean escapes raw control characters inside strings. What it reads is not JSON yet, so it looks
// at each byte itself.
func clean(data []byte) []byte {
	data = bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))
	var out []byte // nil as long as nothing was escaped
	copied, inString := 0, false
	for i := 0; i < len(data); i++ {
		switch c := data[i]; {
		case !inString:
			inString = c == '"'
		case c == '"':
			inString = false
		case c == '\\':
			i++
		case c < ' ':
			out = append(out, data[copied:i]...)
			out = fmt.Appendf(out, `\u%04x`, c)
			copied = i + 1
		}
	}
	if out == nil {
		return data
	}
	return append(out, data[copied:]...)
}
