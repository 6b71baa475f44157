package main

import (
	"bufio"
	"crypto/sha256"
	"encoding/csv"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/netip"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	monitoring "github.com/monitoring-api/monitoring-go"
)

// row is a row of the file: a check to create. No two rows have the same name.
type row struct {
	number int // counted as in a spreadsheet: the header is row 1
	check  monitoring.TCPCheckCreate
	digest string // of the request, to notice that a row was changed after it was created
}

// problem is a mistake in a row.
type problem struct {
	row    int
	column string // empty if the problem is with the whole row
	text   string
}

func (p problem) String() string {
	if p.column == "" {
		return fmt.Sprintf("row %d: %s", p.row, p.text)
	}
	return fmt.Sprintf("row %d, column %s: %s", p.row, p.column, p.text)
}

// column is a column of the file.
type column struct {
	name string
	path string // of the member in the request, as a validation error names it
	set  func(c *monitoring.TCPCheckCreate, text string) error
}

var columns = []column{
	{"name", "name", func(c *monitoring.TCPCheckCreate, text string) error { c.Name = text; return nil }},
	{"hostname", "request.hostname", setHostname},
	{"port", "request.port", func(c *monitoring.TCPCheckCreate, text string) (err error) {
		c.Request.Port, err = number(text)
		return err
	}},
	{"activated", "activated", func(c *monitoring.TCPCheckCreate, text string) (err error) {
		c.Activated, err = yesOrNo(text)
		return err
	}},
	{"muted", "muted", func(c *monitoring.TCPCheckCreate, text string) (err error) {
		c.Muted, err = yesOrNo(text)
		return err
	}},
	{"frequency", "frequency", func(c *monitoring.TCPCheckCreate, text string) error {
		n, err := number(text)
		c.Frequency = &n
		return err
	}},
	{"frequency_offset", "frequencyOffset", func(c *monitoring.TCPCheckCreate, text string) error {
		n, err := number(text)
		c.FrequencyOffset = &n
		return err
	}},
	{"locations", "locations", func(c *monitoring.TCPCheckCreate, text string) error {
		names, err := list(text)
		for _, name := range names {
			c.Locations = append(c.Locations, monitoring.Region(name))
		}
		return err
	}},
	{"private_locations", "privateLocations", func(c *monitoring.TCPCheckCreate, text string) (err error) {
		c.PrivateLocations, err = list(text)
		return err
	}},
	{"tags", "tags", func(c *monitoring.TCPCheckCreate, text string) (err error) {
		c.Tags, err = list(text)
		return err
	}},
	{"group_id", "groupId", func(c *monitoring.TCPCheckCreate, text string) error {
		n, err := number(text)
		c.GroupID = monitoring.Value(int64(n))
		return err
	}},
	{"description", "description", func(c *monitoring.TCPCheckCreate, text string) error {
		c.Description = monitoring.Value(text)
		return nil
	}},
	{"degraded_ms", "degradedResponseTime", func(c *monitoring.TCPCheckCreate, text string) error {
		n, err := number(text)
		c.DegradedResponseTime = monitoring.Value(float64(n))
		return err
	}},
	{"max_ms", "maxResponseTime", func(c *monitoring.TCPCheckCreate, text string) error {
		n, err := number(text)
		c.MaxResponseTime = monitoring.Value(float64(n))
		return err
	}},
}

// required is how many columns must be there: the first ones. The others may be missing or
// have empty cells.
const required = 3

func setHostname(c *monitoring.TCPCheckCreate, text string) error {
	c.Request.Hostname = text
	if _, err := netip.ParseAddr(text); err == nil {
		return nil
	}
	if strings.ContainsAny(text, ":/ ") {
		return fmt.Errorf("%q must have neither scheme, port, path nor spaces", text)
	}
	return nil
}

func number(text string) (int, error) {
	n, err := strconv.Atoi(text)
	if err != nil {
		return 0, fmt.Errorf("%q is not a whole number", text)
	}
	return n, nil
}

func yesOrNo(text string) (*bool, error) {
	switch strings.ToLower(text) {
	case "true", "yes", "1":
		return new(true), nil
	case "false", "no", "0":
		return new(false), nil
	}
	return nil, fmt.Errorf("%q is neither true nor false", text)
}

func list(text string) ([]string, error) {
	items := strings.Split(text, ";")
	for i := range items {
		if items[i] = strings.TrimSpace(items[i]); items[i] == "" {
			return nil, fmt.Errorf("there is an empty item in %q", text)
		}
	}
	return items, nil
}

// readRows reads all rows and returns all problems with them. An error means that the file
// is not such a list at all.
func readRows(file io.Reader) (rows []row, problems []problem, err error) {
	in := bufio.NewReader(file)
	if mark, _ := in.Peek(3); string(mark) == "\ufeff" {
		in.Discard(3) // the byte order mark that spreadsheets write
	}
	reader := csv.NewReader(in)
	reader.FieldsPerRecord = -1 // checked below, to report the row
	header, err := reader.Read()
	if err != nil {
		return nil, nil, fmt.Errorf("the file has no header: %w", err)
	}
	order, err := readHeader(header)
	if err != nil {
		return nil, nil, err
	}
	names := make(map[string]int)
	for number := 2; ; number++ {
		cells, err := reader.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, append(problems, problem{number, "", err.Error()}), nil // the rows after it cannot be recognized
		}
		if len(cells) != len(header) {
			problems = append(problems, problem{number, "", fmt.Sprintf("it has %d cells, but the header has %d", len(cells), len(header))})
			continue
		}
		r, wrong := readRow(number, cells, order)
		if first, twice := names[r.check.Name]; twice && r.check.Name != "" {
			wrong = append(wrong, problem{number, "name",
				fmt.Sprintf("%q is the name of row %d, too; the journal tells rows apart by their names", r.check.Name, first)})
		} else {
			names[r.check.Name] = number
		}
		rows, problems = append(rows, r), append(problems, wrong...)
	}
	if len(rows) == 0 && len(problems) == 0 {
		return nil, nil, errors.New("the file has no rows below its header")
	}
	return rows, problems, nil
}

// readHeader returns the columns in the order of the file.
func readHeader(header []string) ([]column, error) {
	var order []column
	seen := make(map[string]bool)
	for _, name := range header {
		name = strings.ToLower(strings.TrimSpace(name))
		i := slices.IndexFunc(columns, func(c column) bool { return c.name == name })
		switch {
		case i < 0 && len(header) == 1 && strings.Contains(name, ";"):
			return nil, errors.New("the cells must be separated by commas, not by semicolons")
		case i < 0:
			return nil, fmt.Errorf("the header has an unknown column %q", name)
		case seen[name]:
			return nil, fmt.Errorf("the header has the column %s twice", name)
		}
		seen[name] = true
		order = append(order, columns[i])
	}
	for _, c := range columns[:required] {
		if !seen[c.name] {
			return nil, fmt.Errorf("the header lacks the column %s", c.name)
		}
	}
	return order, nil
}

// readRow reads and validates one row.
func readRow(number int, cells []string, order []column) (row, []problem) {
	r := row{number: number}
	var problems []problem
	told := make(map[string]bool) // columns that have a problem already
	add := func(column, text string) {
		problems = append(problems, problem{number, column, text})
		told[column] = true
	}
	for i, c := range order {
		text := strings.TrimSpace(cells[i])
		if text == "" {
			if slices.ContainsFunc(columns[:required], func(r column) bool { return r.name == c.name }) {
				add(c.name, "is required")
			}
			continue
		}
		if !utf8.ValidString(text) { // JSON, and so the journal, cannot have it
			add(c.name, "is not UTF-8")
			continue
		}
		if err := c.set(&r.check, text); err != nil {
			add(c.name, err.Error())
		}
	}
	for _, v := range violations(r.check) {
		name := v.Path
		if i := slices.IndexFunc(columns, func(c column) bool { return c.path == v.Path }); i >= 0 {
			name = columns[i].name
		}
		if !told[name] {
			add(name, v.Message)
		}
	}
	if data, err := json.Marshal(r.check); err == nil {
		sum := sha256.Sum256(data)
		r.digest = hex.EncodeToString(sum[:8])
	}
	return r, problems
}

// violations returns the rules of the API that a request breaks.
func violations(check monitoring.TCPCheckCreate) []monitoring.Violation {
	err := check.Validate()
	if invalid, ok := errors.AsType[*monitoring.ValidationError](err); ok {
		return invalid.Violations
	}
	if err != nil {
		return []monitoring.Violation{{Path: "row", Message: err.Error()}}
	}
	return nil
}
