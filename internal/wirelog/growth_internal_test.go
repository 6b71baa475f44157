package wirelog

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/monitoring-api/monitoring-go/internal/scrub"
	"github.com/monitoring-api/monitoring-go/internal/testkit"
)

// received is an attempt whose response has a body of a type, and a header with the texts.
func received(body string, of reflect.Type, texts ...string) *Attempt {
	return &Attempt{
		Method: "GET", Address: "https://h.test/", StatusCode: 200, ResponseHeader: http.Header{"X-Text": texts},
		Response: Body{Data: []byte(body), Type: of}, Scrubber: scrub.New("the-api-key"),
	}
}

// list is a JSON list of what a function writes for each number.
func list(n int, item func(i int) string) string {
	var b strings.Builder
	for i := range n {
		b.WriteString([]string{"[", ","}[min(i, 1)] + item(i))
	}
	return b.String() + "]"
}

// TestTheTimeOfALogGrowsLikeItsSize compares the least time of two sizes, 16 apart: linear work
// takes 16 times as long, and quadratic work 256 times.
func TestTheTimeOfALogGrowsLikeItsSize(t *testing.T) {
	testkit.SkipUnderRace(t)
	ofPairs, ofGroup := reflect.TypeFor[[]pair](), reflect.TypeFor[group]()
	spelled := func(n int) string { return strings.Repeat(`%25252525+&amp;amp;amp;\\\\u0041`, n/32) }
	for name, make := range map[string]func(size int) *Attempt{
		"many secrets and texts": func(size int) *Attempt {
			return received(list(size/40, func(i int) string { return fmt.Sprintf(`{"key":"key-%08d","value":"secret-%08d"}`, i, i) }), ofPairs)
		},
		"secrets that begin each other": func(size int) *Attempt {
			return received(list(size/1000, func(i int) string {
				return fmt.Sprintf(`{"key":%q,"value":%q}`, strings.Repeat("a", 999), strings.Repeat("a", 3+i%2*900))
			}), ofPairs)
		},
		"one long secret in long texts": func(size int) *Attempt {
			long := strings.Repeat("a", size/3)
			return received(fmt.Sprintf(`[{"key":%q,"value":%q}]`, long, long[1:]), ofPairs, long)
		},
		"texts of escapes": func(size int) *Attempt {
			return received(list(size/1000, func(int) string { return fmt.Sprintf(`{"key":%q,"value":"secret"}`, spelled(300)) }), ofPairs)
		},
		"a long text of escapes": func(size int) *Attempt {
			return received(fmt.Sprintf(`[{"key":%q}]`, spelled(size/2)), ofPairs, spelled(size/2))
		},
		"many headers": func(size int) *Attempt {
			a := received("[]", ofPairs)
			for i := range size / 20 {
				a.ResponseHeader[fmt.Sprintf("X-Of-%08d", i)] = []string{"a text"}
			}
			return a
		},
		"a long error": func(size int) *Attempt {
			a := received("", nil)
			a.Err = scrub.New().Error(errors.New(strings.Repeat("why ", size/4)))
			return a
		},
		"many items": func(size int) *Attempt {
			return received(list(size/2, func(int) string { return "1" }), reflect.TypeFor[[]int]())
		},
		"many members": func(size int) *Attempt {
			return received("{"+strings.Trim(list(size/10, func(i int) string { return fmt.Sprintf(`"m%d":1`, i) }), "[]")+"}", ofGroup)
		},
		"a deep list": func(size int) *Attempt {
			return received(strings.Repeat("[", min(size/2, 9000))+strings.Repeat("]", min(size/2, 9000)), ofGroup)
		},
		"a deep object": func(size int) *Attempt {
			n := min(size/6, 9000)
			return received(strings.Repeat(`{"a":`, n)+"1"+strings.Repeat("}", n), nil)
		},
		"a deep secret": func(size int) *Attempt {
			n := min(size/2, 9000)
			return received(`[{"value":`+strings.Repeat("[", n)+`"x"`+strings.Repeat("]", n)+`}]`, ofPairs)
		},
		"many nulls": func(size int) *Attempt { return received(list(size/5, func(int) string { return "null" }), ofPairs) },
		"no description": func(size int) *Attempt {
			return received(list(size/40, func(i int) string { return fmt.Sprintf(`{"key":"key-%08d","value":"secret-%08d"}`, i, i) }), nil)
		},
	} {
		t.Run(name, func(t *testing.T) {
			least := func(size int) time.Duration {
				a := make(size)
				return testkit.Least(func() { New(io.Discard, types()).Write(t.Context(), a) })
			}
			const small, most = 4 << 10, 64.0 // at 64 KiB a body is cut, so that more of it costs no more
			ratio := most
			for try := 0; try < 3 && ratio >= most; try++ { // a busy machine shares its caches
				ratio = float64(least(16*small)) / float64(max(least(small), 20*time.Microsecond))
			}
			require.Less(t, ratio, most)
		})
	}
}

func TestADeepBodyIsCut(t *testing.T) {
	deep := func(n int) string { return strings.Repeat("[", n) + strings.Repeat("]", n) }
	require.Equal(t, deep(mostDepth), masked(deep(mostDepth), nil))
	require.Equal(t, strings.Repeat("[", mostDepth)+`"[array of 4 bytes]"`+strings.Repeat("]", mostDepth), masked(deep(mostDepth+2), nil))
	for _, one := range []string{"[]", "{}"} {
		many := "[" + strings.Repeat(one+",", mostDepth) + one + "]"
		require.Equal(t, many, masked(many, nil), "values beside each other are not inside each other")
	}
}

// ending is a context that ends at a question.
type ending struct {
	context.Context
	asked, at int
}

func (c *ending) Err() error {
	if c.asked++; c.asked >= c.at {
		return context.DeadlineExceeded
	}
	return nil
}

func TestNothingOfAResponseIsShownIfTheTimeEndsBeforeItsSecretsAreKnown(t *testing.T) {
	body := list(10*asked, func(int) string { return `{"key":"K","value":"secret"}` })
	write := func(at int) string {
		var out strings.Builder
		New(&out, types()).Write(&ending{t.Context(), 0, at}, received(body, reflect.TypeFor[[]pair](), "has a secret"))
		return out.String()
	}
	for at := 1; at <= 20; at++ {
		require.Contains(t, write(at), "> GET https://h.test/\n< 200 OK after 0s\n"+
			fmt.Sprintf("< [not shown, because the time ended before %d bytes were searched for secrets: context deadline exceeded]\n$ curl", len(body)))
	}
	require.Contains(t, write(1000), "< X-Text: has a [redacted]\n< [{\"key\":\"K\",\"value\":\"[redacted]\"},")
	var out strings.Builder
	New(&out, types()).Write(&ending{t.Context(), 0, 1}, received(`{"name":"n"}`, reflect.TypeFor[group]()))
	require.Contains(t, out.String(), "\n< {\"name\":\"n\"}\n", "what is short is shown after the end, too")
}
