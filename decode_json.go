package monitoring

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"
)

// selfReader is a type of this package that does more than encoding/json does when it is
// decoded. As its UnmarshalJSON does nothing but call readJSON, a response is decoded by
// readJSON at once: encoding/json would go through all of it before.
// It reads objects and null.
type selfReader interface{ readJSON(data []byte) error }

var selfReaderType = reflect.TypeFor[selfReader]()

// unmarshal is json.Unmarshal for everything that the service sends: it reads what is
// written in an odd way, too, and its errors are DecodeErrors.
func unmarshal(data []byte, out any) error {
	if r, ok := out.(selfReader); ok {
		return r.readJSON(data)
	}
	_, err := unmarshalAs(data, out, reflect.TypeOf(out).Elem())
	return err
}

// unmarshalAs is unmarshal for a value that stands for one of another type, in order to
// be without its methods. It returns where values begin that belong to an Extra.
func unmarshalAs(data []byte, out any, t reflect.Type) (moved []int, err error) {
	if err = json.Unmarshal(data, out); err == nil {
		return nil, nil
	}
	if !json.Valid(data) {
		return nil, brokenJSON(data, err)
	}
	m := mend(data, t)
	if len(m.unreadable) == 0 {
		reflect.ValueOf(out).Elem().SetZero() // the first try may have left something
		if err = json.Unmarshal(m.out, out); err == nil {
			return m.moved, nil
		}
		return nil, &DecodeError{Partial: data, Err: reasonOf(err)}
	}
	first := m.unreadable[0]
	failed := &DecodeError{Partial: m.out, Err: first.err}
	if first.path == "" { // the body as a whole
		failed.Partial = data
	} else {
		failed.Path = "$" + first.path
	}
	return nil, failed
}

// brokenJSON is the error of what is no JSON.
func brokenJSON(data []byte, err error) error {
	failed := &DecodeError{Err: errors.New("it is no JSON"), broken: true}
	if strings.Contains(err.Error(), "unexpected end") && formOf(data) == formJSON {
		failed.Err = fmt.Errorf("it is cut off after %d bytes: %w", len(data), io.ErrUnexpectedEOF)
	}
	return failed
}

// completer is a response that means nothing without some of its members: what was created
// needs an id.
type completer interface {
	// missing is the JSON path of such a member that is not there; it is empty if nothing
	// is missing.
	missing() string
}

// checkComplete is an error if something is missing in a response.
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
