package testkit

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// Expectations returns the lines about a body in internal/schema/testdata, split into words. The
// README in the folder expect says how they are written.
func Expectations(t testing.TB, testdata, name string) [][]string {
	t.Helper()
	lines := words(t, filepath.Join(testdata, "expect", name+".txt"))
	if len(lines[0]) > 1 {
		return lines
	}
	shared := words(t, filepath.Join(testdata, lines[0][0]+".txt"))
	lines = lines[1:]
	for _, line := range shared {
		if !slices.ContainsFunc(lines, func(own []string) bool {
			return own[0] == line[0] || own[1] == none && (strings.HasPrefix(line[0], own[0]+".") || strings.HasPrefix(line[0], own[0]+"["))
		}) {
			lines = append(lines, line)
		}
	}
	return lines
}

// none says in an expectation that no value is taken.
const none = "none"

func words(t testing.TB, file string) (lines [][]string) {
	t.Helper()
	for line := range strings.Lines(string(read(t, file))) {
		lines = append(lines, strings.Fields(line))
	}
	return lines
}

// Sample returns a body with every member of its description, from internal/schema/testdata.
func Sample(t testing.TB, testdata, name string) map[string]any {
	t.Helper()
	sample := object(t, filepath.Join(testdata, "samples", name+".json"))
	if first := words(t, filepath.Join(testdata, "expect", name+".txt"))[0]; len(first) == 1 {
		maps.Copy(sample, object(t, filepath.Join(testdata, first[0]+".json")))
		for _, line := range Expectations(t, testdata, name) {
			if line[1] == none {
				delete(sample, line[0])
			}
		}
	}
	return sample
}

func object(t testing.TB, file string) (o map[string]any) {
	t.Helper()
	d := json.NewDecoder(strings.NewReader(string(read(t, file))))
	d.UseNumber()
	if err := d.Decode(&o); err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	return o
}

func read(t testing.TB, file string) []byte {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatalf("each body has a sample and expectations: %v", err)
	}
	return data
}
