package kit

import (
	"context"
	"iter"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/internal/operations"
	"github.com/monitoring-api/monitoring-go/internal/schema"
)

// Operation is a row of internal/operations with a call.
type Operation struct {
	Name     string               // as the document writes it: method and path
	Row      operations.Operation // of the table; Status, Kind and File follow from it
	Status   int                  // of a success
	Kind     string               // read, poll, list, update, delete, stream, cancel, trigger or create; decides about retries
	File     string               // the prefix of its files in testdata, if it is not the name in small letters without ids
	Response string               // the body of its response, if testdata has none
	IDs      []string             // in the path
	OwnID    string               // the member of the response that has the last of them; id if a row has none
	OrNull   bool                 // whether the response may be null
	Query    string
	Body     string
	Call     func(context.Context, *monitoring.Client, []string, []monitoring.CallOption) (any, error)
	All      func(context.Context, *monitoring.Client, []string, []monitoring.CallOption) (int, error) // the iterator of a list
}

// Do makes the call with the ids of the row.
func (o Operation) Do(ctx context.Context, client *monitoring.Client, opts ...monitoring.CallOption) (any, error) {
	return o.Call(ctx, client, o.IDs, opts)
}

// Try is Do without the value.
func (o Operation) Try(ctx context.Context, client *monitoring.Client) error {
	return Second(o.Do(ctx, client))
}

var (
	placeholder = regexp.MustCompile(`\{\w+\}`)
	idSegment   = regexp.MustCompile(`/\{\w+\}`)
)

// Path returns the path of the request with ids, and its query.
func (o Operation) Path(ids ...string) string {
	n := 0
	return placeholder.ReplaceAllStringFunc(o.Row.Path(), func(string) string {
		n++
		return url.PathEscape(ids[n-1])
	}) + o.Query
}

// Numbered reports whether the ids are numbers, which need no escape.
func (o Operation) Numbered() bool { return slices.Contains(o.Row.IDs, operations.Number) }

func isNumber(s string) bool {
	_, err := strconv.ParseInt(s, 10, 64)
	return err == nil
}

// hasKind reports whether an id is of a kind.
func hasKind(id string, kind operations.ID) bool {
	return kind == operations.Text || (kind == operations.Number) == isNumber(id) && (kind == operations.UUID) == schema.IsUUID(id)
}

func number(s string) int64 {
	n, _ := strconv.ParseInt(s, 10, 64)
	return n
}

// TriggerResponse is the response of a trigger, as Operations have it.
type TriggerResponse struct {
	Sessions []monitoring.CheckSession `json:"sessions"`
}

// of turns a method that returns T into the call of a row.
func of[T any](
	f func(context.Context, *monitoring.Client, []string, []monitoring.CallOption) (T, error),
) func(context.Context, *monitoring.Client, []string, []monitoring.CallOption) (any, error) {
	return func(ctx context.Context, c *monitoring.Client, id []string, o []monitoring.CallOption) (any, error) {
		return f(ctx, c, id, o)
	}
}

// allOf turns an iterator into a function that counts its items.
func allOf[T any](
	f func(context.Context, *monitoring.Client, []string, []monitoring.CallOption) iter.Seq2[T, error],
) func(context.Context, *monitoring.Client, []string, []monitoring.CallOption) (int, error) {
	return func(ctx context.Context, c *monitoring.Client, id []string, o []monitoring.CallOption) (int, error) {
		list, err := monitoring.Collect(f(ctx, c, id, o))
		return len(list), err
	}
}

// pageItems returns the items of a page.
func pageItems[T any](p *monitoring.Page[T], err error) ([]T, error) {
	if err != nil {
		return nil, err
	}
	return p.Items, nil
}

// rows are the calls of the operations, with a file for each part of the API. A plain GET needs a
// name, ids and a call.
var rows = slices.Concat(checkRows, runRows, accountRows)

// Operations is the table of operations with calls, in the order of internal/operations. It drives
// all tests that must pass for each operation: what is sent, faults, ids, read-ahead, and
// routes of the in-process fake. A test fails with the name of an operation that has no row.
var Operations = func() (list []Operation) {
	for _, row := range operations.All() {
		i := slices.IndexFunc(rows, func(o Operation) bool { return o.Name == row.Name })
		if i < 0 {
			continue
		}
		o := rows[i]
		o.Row, o.Status, o.Kind = row, row.Status, kindOf(row, o)
		if o.OwnID == "" {
			o.OwnID = "id"
		}
		if o.File == "" {
			o.File = strings.NewReplacer(" /", "-", "/", "-").Replace(strings.ToLower(idSegment.ReplaceAllString(row.Name, "")))
		}
		list = append(list, o)
	}
	return list
}()

// WrongID returns the kind of the first id of the row that has another one; "" if all fit.
func (o Operation) WrongID() operations.ID {
	for i, kind := range o.Row.IDs {
		if i >= len(o.IDs) || !hasKind(o.IDs[i], kind) {
			return kind
		}
	}
	return ""
}

// Unlisted returns the names of the rows that internal/operations does not have, and of those that
// are there twice.
func Unlisted() (names []string) {
	seen := make(map[string]bool)
	for _, o := range rows {
		if _, ok := operations.Find(o.Name); !ok || seen[o.Name] {
			names = append(names, o.Name)
		}
		seen[o.Name] = true
	}
	return names
}

// kindOf returns the kind of an operation, which decides about retries and about what an odd
// response means.
func kindOf(row operations.Operation, o Operation) string {
	switch {
	case row.Pages != operations.Whole:
		return "list"
	case row.Class == operations.Poll:
		return "poll"
	case row.Method() == http.MethodPut, row.Method() == http.MethodPatch:
		return "update"
	case row.Method() == http.MethodDelete:
		return "delete"
	case row.Class == operations.Idempotent:
		return "cancel"
	case row.Class == operations.Unsafe && strings.HasSuffix(row.Path(), "/trigger"):
		return "trigger"
	case row.Class == operations.Unsafe:
		return "create"
	case o.Response != "":
		return "stream"
	}
	return "read"
}

// FirstOfKind has the first operation of each kind.
var FirstOfKind = func() map[string]func(context.Context, *monitoring.Client) error {
	first := make(map[string]func(context.Context, *monitoring.Client) error)
	for _, o := range Operations {
		if first[o.Kind] == nil {
			first[o.Kind] = o.Try
		}
	}
	return first
}()
