package updates

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/monitoring-api/monitoring-go/internal/rawjson"

	"github.com/monitoring-api/monitoring-go/internal/testkit"
)

// requireGrowthLikeSize compares two sizes, 16 apart: linear work takes 16 times as long, and
// quadratic work 256 times.
func requireGrowthLikeSize(t *testing.T, step func(n int) func()) {
	t.Helper()
	took := func(n int) time.Duration {
		best := time.Hour
		for range 3 {
			best = min(best, testkit.Spent(step(n)))
		}
		return best
	}
	small := took(2000)
	require.Less(t, took(32_000), 80*small+20*time.Millisecond)
}

func listed(n int, item string) string {
	var out strings.Builder
	for i := range n {
		if i > 0 {
			out.WriteByte(',')
		}
		out.WriteString(strings.ReplaceAll(item, "#", fmt.Sprint(i)))
	}
	return "[" + out.String() + "]"
}

func TestAListOfWithheldSecretsIsCheckedInTimeThatGrowsLikeItsSize(t *testing.T) {
	testkit.SkipUnderRace(t)
	requireGrowthLikeSize(t, func(n int) func() {
		u := change(t, `{"books":`+listed(n, `{"key":"#","value":null}`)+`}`, func(f *fields) { f.Books = f.Books[1:] })
		u.Secrets = []Place{{Path: []string{"books"}, List: true}}
		b, err := u.Body()
		require.NoError(t, err)
		return func() {
			broken := b.Broken(Rules{})
			require.Len(t, broken, 1)
			require.Equal(t, "books", broken[0].Path)
		}
	})
}

// What is deep is compared as one value, and each comparison looks at all of it: there must be few.
func TestADeepValueBesideAWithheldSecretIsComparedAFewTimes(t *testing.T) {
	testkit.SkipUnderRace(t)
	deep := func(inner string) string {
		value := strings.Repeat(`[1,`, 5000) + inner + strings.Repeat("]", 5000)
		return `{"id":1,"books":[{"key":"a","value":null,"deep":` + value + `}]}`
	}
	least := func(step func()) time.Duration {
		best := time.Hour
		for range 5 {
			best = min(best, testkit.Spent(step))
		}
		return best
	}
	was, is := deep("1"), deep("2")
	once := least(func() { rawjson.Canonical([]byte(was)) })
	u := change(t, was, func(f *fields) { f.Name = new("n") })
	there := change(t, is, func(*fields) {})
	b, err := u.Body()
	require.NoError(t, err)
	for name, step := range map[string]func(){
		"the difference from what is there": func() { require.NotEmpty(t, u.DiffFrom(there)) },
		"the answer to an update":           func() { require.Empty(t, b.Answered([]byte(is)).Reset) },
	} {
		require.Less(t, least(step), 30*once+5*time.Millisecond, name)
	}
}
