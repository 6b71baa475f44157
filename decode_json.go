package monitoring

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"
)

// selfReader is a type of this package whose UnmarshalJSON only calls readJSON. A response of
// such a type is decoded by calling readJSON directly, because encoding/json would scan the
// whole JSON once more before. It reads objects and null.
type selfReader interface{ readJSON(data []byte) error }

var selfReaderType = reflect.TypeFor[selfReader]()

// unmarshal is json.Unmarshal for responses. It also reads values in unusual forms (see
// mender), and its errors are DecodeErrors.
func unmarshal(data []byte, out any) error {
	if r, ok := out.(selfReader); ok {
		return r.readJSON(data)
	}
	_, err := unmarshalAs(data, out, reflect.TypeOf(out).Elem())
	return err
}

// unmarshalValid is json.Unmarshal. On Go 1.27 it is a faster one that has other errors and may
// set a part of out before it finds that data is not JSON.
var unmarshalValid = json.Unmarshal

// unmarshalAs is unmarshal for an out that has the fields of the type t but not its methods.
// It returns the positions of values that belong to an Extra.
func unmarshalAs(data []byte, out any, t reflect.Type) (moved []int, err error) {
	if err = unmarshalValid(data, out); err == nil {
		return nil, nil
	}
	if !json.Valid(data) {
		return nil, brokenJSON(data)
	}
	m := mend(data, t)
	if m.unreadable == 0 {
		reflect.ValueOf(out).Elem().SetZero() // some fields may have been set before
		if err = json.Unmarshal(m.out, out); err == nil {
			return m.moved, nil
		}
		return nil, &DecodeError{Partial: data, Err: reasonOf(err)}
	}
	first := m.first
	failed := &DecodeError{Partial: m.out, Err: first.err}
	if first.path == "" { // the body as a whole
		failed.Partial = data
	} else {
		failed.Path = "$" + first.path
	}
	return nil, failed
}

// brokenJSON returns the error for data that is not JSON.
func brokenJSON(data []byte) error {
	failed := &DecodeError{Err: errors.New("it is not JSON"), broken: true}
	err := json.Unmarshal(data, new(json.RawMessage))
	if strings.Contains(err.Error(), "unexpected end") && formOf(data) == formJSON {
		failed.Err = fmt.Errorf("it is cut off after %d bytes: %w", len(data), io.ErrUnexpectedEOF)
	}
	return failed
}

// completer is a response that is useless without some of its members, such as the id of a
// created check.
type completer interface {
	// missing returns the JSON path of such a member that is missing; "" if none is.
	missing() string
}

// checkComplete returns an error if such a member is missing in a response.
func checkComplete(data []byte, out any) error {
	if c, ok := out.(completer); ok {
		if path := c.missing(); path != "" {
			return &DecodeError{Path: path, Partial: data, Err: errors.New("it is missing")}
		}
	}
	return nil
}

func (c *TCPCheck) missing() string {
	if c.ID == "" {
		return "$.id"
	}
	return ""
}

func (r *triggerResponse) missing() string {
	if r.Sessions == nil {
		return "$.sessions"
	}
	for i := range r.Sessions {
		if r.Sessions[i].CheckSessionID == "" {
			return fmt.Sprintf("$.sessions[%d].checkSessionId", i)
		}
	}
	return ""
}
