package docs_test

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// measured is a figure that the simulations have written: of a load in a row, such as
// "% of the limit 98.67 (at least 98)".
type measured struct {
	row, load, what string
	value           float64
}

var aFigure = regexp.MustCompile(`(?:^|, )([^,(]+(?:, [^,(]+)*?) (-?[\d.e+]+) \(at (?:least|most) [\d.e+]+\)`)

// figuresIn reads a file of figures.
func figuresIn(t *testing.T, file string) (list []measured) {
	t.Helper()
	row := ""
	for line := range strings.Lines(read(t, file)) {
		load, figures, ok := strings.Cut(strings.TrimSpace(line), ": ")
		if !strings.HasPrefix(line, " ") || !ok {
			row = strings.TrimSpace(line)
			continue
		}
		for _, m := range aFigure.FindAllStringSubmatch(figures, -1) {
			value, err := strconv.ParseFloat(m[2], 64)
			require.NoError(t, err, line)
			list = append(list, measured{row, load, m[1], value})
		}
	}
	require.Greater(t, len(list), 200, "%s: figures were not found", file)
	return list
}

const (
	limits = "bench/limits.txt"
	fleets = "redislimit/testdata/figures.txt"
	bench  = "bench/README.md"
)

// claim is what a page says of figures: that all of them reach a value, or that none exceeds it.
type claim struct {
	page, says      string
	file, row, load string // prefixes
	what            string
	least, most     float64 // the one that is 0 is not claimed; -1 claims that there is none
}

var claims = []claim{
	{"README.md", "uses over 98% of the limit", limits, "responses after the same time", "", "% answered of the limit", 98, 0},
	{"docs/rate-limits.md", "96 to 98% of the limit, and no 429", fleets, "healthy", "", "later", 96, 0},
	{"docs/rate-limits.md", "96 to 98% of the limit, and no 429", fleets, "healthy", "", "refused", 0, -1},
	{"docs/rate-limits.md", "under 6% are refused", limits, "neighbors: processes", "", "% refused", 0, 6},
	{bench, "| 98 % of the limit, no 429; ", limits, "an even pace", "", "% of the limit", 98, 0},
	{bench, "| 98 % of the limit, no 429; ", limits, "an even pace", "", "refused", 0, -1},
	{bench, "each 5 seconds have the same number within 8 %", limits, "an even pace", "", "% from the average, in any 5 s", 0, 8},
	{bench, "| 98 % of the limit is answered in time", limits, "responses after the same time", "100", "% answered of the limit", 98, 0},
	{bench, "| 97 % of what is possible is answered in time", limits, "a tail of slow", "", "% answered of what is possible", 97, 0},
	{bench, "| 99 % of these calls wait less than 0.2 s", limits, "classes: ", "", "s wait, p99", 0, 0.2},
	{bench, "| at most 6 % of the requests are refused, no call fails", limits, "neighbors: processes", "", "% refused", 0, 6},
	{bench, "| at most 6 % of the requests are refused, no call fails", limits, "neighbors: processes", "", "failed", 0, -1},
	{bench, "| at most 14 % of the requests are refused, no call fails", limits, "small neighbors", "", "% refused", 0, 14},
	{bench, "| at most 14 % of the requests are refused, no call fails", limits, "small neighbors", "", "failed", 0, -1},
	{bench, "| 95 % of the ends are seen within 71 s", limits, "waits: polls of 500", "beside 8 callers that begin", "s until an end is seen, p95", 0, 71},
	{bench, "others have 94 % of what they have if they are told, or more", limits, "unknown routes", "", "% of what others have if they are told", 94, 0},
	{bench, "each route has 72 % of its own, or more", limits, "unknown routes", "", "% of a route's limit, the least", 72, 0},
	{bench, "| at most 9 % of the requests are refused |", limits, "neighbors: operations", "", "% refused", 0, 9},
	{bench, "| 99 % of the reads do not wait; if they come at random, they wait 2 s or less |", limits, "waits: the same with reads without deadlines", "beside five", "s wait of the reads, p99", 0, -1},
	{bench, "| 99 % of the reads do not wait; if they come at random, they wait 2 s or less |", limits, "waits: the same with many reads at random", "", "s wait of the reads, p99", 0, 2},
	{"docs/rate-limits.md", "an even 5 a second do not wait", limits, "waits: the same with reads without deadlines", "beside five", "s wait of the reads, p99", 0, -1},
	{"docs/rate-limits.md", "99 of 100 wait 2 seconds at most", limits, "waits: the same with many reads at random", "", "s wait of the reads, p99", 0, 2},
	{bench, "| 266 of 300 calls that are possible are answered in the first minute |", limits, "a jump of the latency", "", "answered in the first minute", 266, 0},
	{bench, "others have 53 % of what they have if they are told, or more", limits, "many unknown routes", "", "% of what others have if they are told", 53, 0},
	{bench, "| 95 % of the ends are seen within 20 s", limits, "waits: polls of 500", "beside 8 callers in the background", "s until an end is seen, p95", 0, 20},
	{bench, "| 90 % of it is used again within 75 s", limits, "a limit that changes", "", "s until 90 % is used again", 0, 75},
	{bench, "| 20 calls without deadlines are answered within 2 minutes", limits, "calls without a deadline", "20 calls", "s, the longest", 0, 120},
	{bench, "at random | 87 % of the limit", limits, "refused at random", "one of 100", "% of the limit", 87, 0},
	{bench, "at random | 55 % of the limit", limits, "refused at random", "one of 50", "% of the limit", 55, 0},
	{bench, "at random | 12 % of the limit", limits, "refused at random", "one of 20", "% of the limit", 12, 0},
	{bench, "at random | 3 % of the limit", limits, "refused at random", "one of 7", "% of the limit", 3, 0},
	{bench, "| at most 87 % of its requests are refused", limits, "a neighbor with bursts", "", "% of its requests refused", 0, 87},
	{bench, "| none of its requests is refused", limits, "a neighbor with bursts", "beside a limit of 300", "% of its requests refused", 0, -1},
}

// TestThePagesHaveTheFiguresOfTheFiles compares what the pages say with the files that the
// simulations write. A figure that is far better than a page says fails, too: the page is old.
func TestThePagesHaveTheFiguresOfTheFiles(t *testing.T) {
	files := map[string][]measured{limits: figuresIn(t, limits), fleets: figuresIn(t, fleets)}
	said := make(map[string]string) // the texts of the claims of a page
	for _, c := range claims {
		text := strings.Join(strings.Fields(read(t, c.page)), " ")
		require.True(t, strings.Contains(text, strings.TrimSpace(c.says)), "%s does not say %q", c.page, c.says)
		said[c.page] += c.says + "\n"
		var values []float64
		for _, m := range files[c.file] {
			if m.what == c.what && strings.HasPrefix(m.row, c.row) && strings.HasPrefix(m.load, c.load) {
				values = append(values, m.value)
			}
		}
		require.NotEmpty(t, values, "%s has no figures for %q", c.file, c.says)
		least, most := slices.Min(values), slices.Max(values)
		const told = "%s says %q, but %s has %g to %g"
		switch {
		case c.most == -1:
			require.Zero(t, most, told, c.page, c.says, c.file, least, most)
		case c.most != 0:
			require.True(t, most <= c.most && most > c.most*0.5, told, c.page, c.says, c.file, least, most)
		default:
			require.True(t, math.Round(least) >= c.least && least < c.least+1.5, told, c.page, c.says, c.file, least, most)
		}
	}
	for _, page := range append(pages(t), bench) {
		text := strings.Join(strings.Fields(proseOf(read(t, page))), " ")
		if page == bench {
			_, text, _ = strings.Cut(text, "## Loads on the limiter")
		}
		for _, figure := range regexp.MustCompile(`\d+ ?%`).FindAllString(text, -1) {
			require.Contains(t, said[page], figure, "%s: no claim in figures_test.go says where this figure is from", page)
		}
	}
}

// TestTheTablesHaveTheFiguresThatWereMeasured compares bench/README.md with the files that
// bench/measure writes.
func TestTheTablesHaveTheFiguresThatWereMeasured(t *testing.T) {
	page := read(t, bench)
	require.True(t, strings.Contains(page, read(t, "bench/limiters.txt")), "%s: the table is not that of limiters.txt", bench)
	numbers := regexp.MustCompile(`(\d+) KiB more`).FindAllStringSubmatch(read(t, "bench/importsize.txt"), -1)
	require.Len(t, numbers, 2)
	for _, m := range numbers {
		require.Contains(t, page, grouped(t, m[1], 1)+" KiB for", "importsize.txt")
	}
	rows := 0
	for line := range strings.Lines(read(t, "bench/waits.txt")) {
		m := regexp.MustCompile(`^(\d+) requests; lag p50 (\S+), p95 (\S+), p99 (\S+)\n`).FindStringSubmatch(line)
		require.NotNil(t, m, line)
		cells := grouped(t, m[1], 10) + " | " + rounded(t, m[2]) + " | " + rounded(t, m[3]) + " | " + rounded(t, m[4])
		require.Contains(t, page, " | "+cells+" |", "waits.txt: %s", line)
		rows++
	}
	require.Equal(t, 5, rows)
}

// grouped rounds a number up or down to a unit, and writes it as 1,120.
func grouped(t *testing.T, text string, unit int) string {
	n, err := strconv.Atoi(text)
	require.NoError(t, err)
	if n = (n + unit/2) / unit * unit; n >= 1000 {
		return fmt.Sprintf("%d,%03d", n/1000, n%1000)
	}
	return strconv.Itoa(n)
}

func rounded(t *testing.T, text string) string {
	d, err := time.ParseDuration(text)
	require.NoError(t, err)
	switch {
	case d < time.Millisecond/2:
		return "under 1 ms"
	case d < time.Second:
		return fmt.Sprintf("%d ms", d.Round(time.Millisecond).Milliseconds())
	}
	return fmt.Sprintf("%.0f s", d.Seconds())
}
