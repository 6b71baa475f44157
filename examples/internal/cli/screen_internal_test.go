package cli

import (
	"bytes"
	"os"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

func TestWidthCountsColumnsOfATerminal(t *testing.T) {
	tests := []struct {
		name, text string
		want       int
	}{
		{"nothing takes nothing", "", 0},
		{"Latin letters take one", "Größe", 5},
		{"a letter with a mark of its own takes one", "Gro\u0308ße", 5},
		{"Chinese takes two", "日本語", 6},
		{"Korean takes two, in parts too", "한국\u1112\u1161\u11ab", 6},
		{"fullwidth letters take two", "Ａ１", 4},
		{"an emoji takes two", "🚀", 2},
		{"a family is one emoji", "\U0001F468\u200d\U0001F469\u200d\U0001F467", 2},
		{"a skin tone belongs to its emoji", "\U0001F44D\U0001F3FD", 2},
		{"a flag is one emoji", "🇩🇪🇫🇷", 4},
		{"a sign that is shown as an emoji takes two", "\u26A0\uFE0F", 2},
		{"a digit on a key takes two", "1\uFE0F\u20E3", 2},
		{"a space without width takes none", "a\u200bb", 2},
		{"Thai marks take none", "ก\u0e48น", 2},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) { require.Equal(t, tt.want, Width(tt.text)) })
	}
}

func TestTruncateNeverCutsACharacter(t *testing.T) {
	family := "\U0001F468\u200d\U0001F469\u200d\U0001F467"
	require.Equal(t, "日本", Truncate("日本", 4))
	require.Equal(t, "日…", Truncate("日本語", 4), "a character is not cut in half")
	require.Equal(t, family+"…", Truncate(family+family+family, 3))
	require.Equal(t, "e\u0301…", Truncate("e\u0301e\u0301e\u0301", 2))
}

func TestWrap(t *testing.T) {
	tests := []struct {
		name, text string
		width      int
		want       []string
	}{
		{"nothing is one line", "", 5, []string{""}},
		{"words stay whole", "one two three", 8, []string{"one two", "three"}},
		{"a region that nearly fits breaks after its hyphen", "ap-southeast-1", 13, []string{"ap-southeast-", "1"}},
		{"a part that is too long is broken", "ap-southeast-1", 8, []string{"ap-", "southeas", "t-1"}},
		{"a long word is broken", "abcdefgh", 3, []string{"abc", "def", "gh"}},
		{"wide characters count two", "日本語", 5, []string{"日本", "語"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := Wrap(tt.text, tt.width)
			require.Equal(t, tt.want, got)
			for _, line := range got {
				require.LessOrEqual(t, Width(line), tt.width)
			}
		})
	}
}

var columns = []Column{{Title: "CHECK", Min: 6}, {Title: "STATUS", Status: true}, {Title: "TIME", Right: true}}

func TestTable(t *testing.T) {
	tests := []struct {
		name  string
		width int
		rows  [][]string
		want  string
	}{
		{
			"columns line up below wide characters", 0, [][]string{{"日本", "PASSED", "1 ms"}, {"🚀 e\u0301", "FAILED", "10 ms"}, {"abcd", "PASSED", ""}},
			"CHECK  STATUS   TIME\n日本   PASSED   1 ms\n🚀 e\u0301   FAILED  10 ms\nabcd   PASSED\n",
		},
		{
			"control characters and line breaks are taken out", 0, [][]string{{"a\tb\x1b[31m\n\ac\u2028d", "X", "-"}},
			"CHECK     STATUS  TIME\na b  c d  X          -\n",
		},
		{
			"texts are broken into lines when they are too wide", 24, [][]string{{"Payment gRPC health", "PASSED", "240 ms"}},
			"CHECK     STATUS    TIME\nPayment   PASSED  240 ms\ngRPC\nhealth\n",
		},
		{
			"rows become blocks when even that is too wide", 20, [][]string{{"Payment gRPC health", "PASSED", "240 ms"}, {"x", "FAILED", "-"}},
			"CHECK   Payment gRPC\n        health\nSTATUS  PASSED\nTIME    240 ms\n\nCHECK   x\nSTATUS  FAILED\nTIME    -\n",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var b strings.Builder
			(&Screen{Writer: &b, Width: tt.width}).Table(columns, tt.rows)
			require.Equal(t, tt.want, b.String())
			for line := range strings.Lines(b.String()) {
				require.True(t, tt.width == 0 || Width(strings.TrimRight(line, "\n")) <= tt.width, line)
			}
		})
	}
}

func TestColorsDoNotShiftATable(t *testing.T) {
	var plain, colored strings.Builder
	rows := [][]string{{"a", "PASSED", "1 ms"}, {"b", "FAILED", "2 ms"}, {"c", "DEGRADED", "3 ms"}, {"d", "OTHER", "4 ms"}}
	(&Screen{Writer: &plain}).Table(columns, rows)
	(&Screen{Writer: &colored, Color: true}).Table(columns, rows)
	require.Contains(t, colored.String(), "\x1b[32mPASSED\x1b[0m    1 ms")
	require.Equal(t, plain.String(), Uncolor(colored.String()))
	require.NotContains(t, plain.String(), "\x1b")
}

func TestAFileABufferAndTheNullDeviceAreNoTerminals(t *testing.T) {
	file, err := os.CreateTemp(t.TempDir(), "")
	require.NoError(t, err)
	defer file.Close()
	null, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	require.NoError(t, err)
	defer null.Close()
	for _, s := range []*Screen{NewScreen(file, env(nil)), NewScreen(null, env(nil)), NewScreen(new(bytes.Buffer), env(nil))} {
		require.False(t, s.Live || s.Color)
		require.Zero(t, s.Width)
	}
	require.Equal(t, 60, NewScreen(file, env(map[string]string{"COLUMNS": "60"})).Width)
	require.Equal(t, leastWidth, NewScreen(file, env(map[string]string{"COLUMNS": "3"})).Width, "no table fits three columns")
	require.Zero(t, NewScreen(file, env(map[string]string{"COLUMNS": "wide"})).Width)
}

func TestProgressOnATerminalRewritesItsLineAndLeavesNothing(t *testing.T) {
	for _, width := range []int{20, 60, 140} {
		synctest.Test(t, func(t *testing.T) {
			var b bytes.Buffer
			p := NewProgress(&Screen{Writer: &b, Live: true, Width: width})
			p.Update("%d of 2 finished", 0)
			p.Line("PASSED", "Checkout")
			p.Update("%s", strings.Repeat("長い ", 50))
			time.Sleep(time.Second + time.Millisecond)
			p.Update("2 of 2 done")
			p.Stop()
			p.Stop() // does nothing
			require.Equal(t, "PASSED    Checkout\n", shown(b.String()))
			require.Contains(t, b.String(), "2 of 2 done, 1s")
			for part := range strings.FieldsFuncSeq(b.String(), func(r rune) bool { return r == '\r' || r == '\n' }) {
				require.Less(t, Width(part), width, "a line that wraps cannot be rewritten")
			}
		})
	}
}

func TestANoteIsNeverCut(t *testing.T) {
	const link = "  Checkout  https://app.test/check-sessions/1234567890"
	for _, live := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			var b bytes.Buffer
			p := NewProgress(&Screen{Writer: &b, Live: live, Width: 20})
			p.Update("0 of 2 finished")
			p.Note(link + "\r")
			p.Update("1 of 2 finished")
			p.Stop()
			require.Equal(t, link, strings.TrimRight(shown(b.String()), " \n"))
		})
	}
}

func TestProgressElsewhereIsALineNowAndThen(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var b bytes.Buffer
		p := NewProgress(&Screen{Writer: &b})
		p.Update("0 of 2 finished")
		time.Sleep(35 * time.Second)
		p.Line("PASSED", "Checkout")
		p.Stop()
		require.Equal(t, "0 of 2 finished, 30s\nPASSED    Checkout\n", b.String())
	})
}

// shown returns what a terminal shows after a text with carriage returns.
func shown(text string) string {
	var lines []string
	for line := range strings.SplitSeq(text, "\n") {
		var cells []string
		at := 0
		put := func(cell string) {
			if at == len(cells) {
				cells = append(cells, "")
			}
			cells[at] = cell
			at++
		}
		for _, r := range line {
			if r == '\r' {
				at = 0
				continue
			}
			put(string(r))
			for range Width(string(r)) - 1 {
				put("") // the other half of a wide character
			}
		}
		lines = append(lines, strings.TrimRight(strings.Join(cells, ""), " "))
	}
	return strings.Join(lines, "\n")
}
