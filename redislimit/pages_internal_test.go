package redislimit

import (
	"fmt"
	"maps"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/monitoring-api/monitoring-go"
)

// measured has the figures of a file that TestFigures has written, by row, case and label.
type measured map[string]map[string]float64

func readFigures(t *testing.T, file string) measured {
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	all, row := make(measured), ""
	for _, line := range strings.Split(string(text), "\n")[1:] {
		if !strings.HasPrefix(line, " ") {
			row = line
			continue
		}
		name, figures, _ := strings.Cut(strings.TrimSpace(line), ": ")
		values := make(map[string]float64)
		for _, m := range regexp.MustCompile(`(?:^|, )([^(]+) (\S+) \(at`).FindAllStringSubmatch(figures, -1) {
			value, err := strconv.ParseFloat(m[2], 64)
			require.NoError(t, err, line)
			values[m[1]] = value
		}
		require.NotEmpty(t, values, line)
		all[row+": "+name] = values
	}
	return all
}

// of has the figures with a label, of the cases whose row and name match, in order.
func (m measured) of(t *testing.T, limit monitoring.RateLimit, cases, label string) (list []float64) {
	is := regexp.MustCompile(fmt.Sprintf("%d in %s, ", limit.Requests, limit.Per))
	for _, name := range slices.Sorted(maps.Keys(m)) {
		if value, ok := m[name][label]; ok && is.MatchString(name) && regexp.MustCompile(cases).MatchString(name) {
			list = append(list, value)
		}
	}
	slices.Sort(list)
	require.NotEmpty(t, list, "%s of %s", label, cases)
	return list
}

// The pages tell the worst of the figures. With -figures, the table is written anew.
func TestFiguresOfThePagesAreThoseOfTheFile(t *testing.T) {
	figures := readFigures(t, "testdata/figures.txt")
	var rows strings.Builder
	refused := 0.0
	for _, row := range []struct{ says, cases, first, second string }{
		{"healthy, also with replies of Redis after 150 ms: the first window, later", "^healthy.* 8 processes", "% of the first window", "later"},
		{"Redis stalled for 15 s: during it, in the next window", " 8 processes.*stalled for 15s", "% during it", "after it"},
		{"Redis killed for 15 s without its data", " 8 processes.*data lost for 15s", "% during it", "after it"},
		{"Redis's clock set back or forward, by up to an hour", " 8 processes, set by", "% of the next window", "later"},
		{"one process cut off for 60 s", " 8 processes.*cut off from one process for 1m0s", "% during it", "after it"},
		{"half of the processes killed: 15 s, later", "half of 8 are killed", "% of 15 s", "later"},
		{"32 processes, Redis stalled for 15 s: during it, in the next window", " 32 processes.*stalled for 15s", "% during it", "after it"},
	} {
		fmt.Fprintf(&rows, "| %s |", row.says)
		for _, limit := range bothLimits {
			fmt.Fprintf(&rows, " %.0f, %.0f |", figures.of(t, limit, row.cases, row.first)[0], figures.of(t, limit, row.cases, row.second)[0])
			refused = max(refused, slices.Max(figures.of(t, limit, row.cases, "refused")))
		}
		rows.WriteString("\n")
	}
	most := func(limit monitoring.RateLimit) float64 {
		return 100 * limit.Per.Seconds() / (limit.Per + slack(limit.Per)).Seconds()
	}
	healthy := func(limit monitoring.RateLimit) float64 { return figures.of(t, limit, "^healthy", "later")[0] }
	commands := 0.0
	for _, limit := range bothLimits {
		require.Greater(t, figures.of(t, limit, "replies late: .* processes with .*(150|300|400|500)ms", "% of the limit")[0], 90.0)
		require.Greater(t, figures.of(t, limit, "replies late: .*700ms", "% of the limit")[0], 80.0)
		commands = max(commands, slices.Max(figures.of(t, limit, "^healthy", "commands for a request")))
	}
	require.Contains(t, source, "local KEPT = 120000")
	require.Contains(t, source, "math.min(KEPT, 400 * (waiting / missing) ^ 3)")
	kept := "| Their part is kept for |"
	for n := 2.0; n <= 7; n++ {
		kept += fmt.Sprintf(" %.0f s |", min(120, 0.4*n*n*n))
	}
	if *table != "" {
		text, err := os.ReadFile("README.md")
		require.NoError(t, err)
		old := regexp.MustCompile(`(?s)(\| 100 in 10 s \| 600 in 60 s \|\n[^\n]+\n).*?\n\n`)
		written := old.ReplaceAll(text, []byte("${1}"+rows.String()+"\n"))
		require.NoError(t, os.WriteFile("README.md", written, 0o644))
	}
	require.Zero(t, refused)
	for page, sentences := range map[string][]string{
		"README.md": {
			rows.String(),
			kept,
			"No request was refused in any of them",
			fmt.Sprintf("can use at most %.0f %% of 100 in 10 seconds, and %.0f %% of 600 in 60 seconds", most(hundred), most(minute)),
			fmt.Sprintf("A Redis that hangs costs a call %.2f seconds once", timeout.Seconds()),
			fmt.Sprintf("If all are killed, the next one waits up to %.1f seconds for a place",
				slices.Max(figures.of(t, hundred, "^processes that end", "s for a place, the longest of 8"))),
			"If replies take 150 to 500 ms, more than 90 % is used; if they take 700 ms for some processes, more than 80 %",
			fmt.Sprintf("A request costs %.1f commands or fewer", commands),
			fmt.Sprintf("With 32 processes, an attempt waits for its turn up to %.1f seconds", 32*hundred.Per.Seconds()/most(hundred)),
		},
		"../docs/rate-limits.md": {fmt.Sprintf("%.0f to %.0f%% of the limit", healthy(hundred), healthy(minute))},
	} {
		text, err := os.ReadFile(page)
		require.NoError(t, err)
		for _, sentence := range sentences {
			says := strings.Contains(strings.ReplaceAll(string(text), "\n", " "), strings.ReplaceAll(sentence, "\n", " "))
			require.True(t, says, "%s must say, or figures.txt is not of this version:\n%s", page, sentence)
		}
	}
}
