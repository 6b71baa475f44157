package monitoring

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/monitoring-api/monitoring-go/internal/exchange"
	"github.com/monitoring-api/monitoring-go/internal/lenient"
)

// listed is an item that counts how often it is decoded, and refuses negative numbers.
type listed struct {
	ID   int `json:"id"`
	Text string
}

var (
	listedDecoded int
	whenDecoded   func()
)

func (l *listed) UnmarshalJSON(data []byte) error {
	listedDecoded++
	if whenDecoded != nil {
		whenDecoded()
	}
	type plain listed
	if err := json.Unmarshal(data, (*plain)(l)); err != nil {
		return err
	}
	if l.ID < 0 {
		return errors.New("it is negative")
	}
	return nil
}

// onDecode calls f for each item that is decoded.
func onDecode(t *testing.T, f func()) {
	t.Helper()
	listedDecoded, whenDecoded = 0, f
	t.Cleanup(func() { whenDecoded = nil })
}

func TestALongListIsReadLikeAShortOne(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	space := func() string { return strings.Repeat(" \n", random.IntN(3)) }
	for range rounds(30) {
		var b strings.Builder
		b.WriteString(space() + "[" + space())
		for i := range random.IntN(3000) {
			if i > 0 {
				b.WriteString(space() + "," + space())
			}
			item := []string{"null", `{"id":1}`, `{"id":2.0,"name":"][{\"}","other":[[],{}]}`, `{"name":"` + strings.Repeat("x", random.IntN(200)) + `"}`}
			b.WriteString(item[random.IntN(4)])
		}
		text := b.String() + space() + "]" + space()
		var want, got []MaintenanceWindow
		require.NoError(t, unmarshal([]byte(text), &want))
		require.NoError(t, unmarshalList(t.Context(), []byte(text), &got, nil))
		require.Equal(t, want, got)
		if len(text) < lenient.PartSize {
			continue
		}
		end := strings.LastIndexByte(text, ']')
		comma := strings.IndexByte(text[lenient.PartSize/2:], ',') + lenient.PartSize/2
		for name, broken := range map[string]string{
			"cut": text[:end], "with a comma at its end": text[:end] + ",]", "with more after it": text + "x", "with another end": text[:end] + "}",
			"with two commas": text[:comma] + "," + text[comma:], "of items without a comma": text[:end] + " 1]",
		} {
			var failed *DecodeError
			require.ErrorAs(t, unmarshalList(t.Context(), []byte(broken), &got, nil), &failed, name)
			require.True(t, failed.means() == exchange.Lost, name)
		}
	}
	for text, want := range map[string][]int{"null": nil, " [ ] ": {}, "[1]": {1}} {
		list := []int{7}
		require.NoError(t, unmarshalList(t.Context(), []byte(text), &list, nil))
		require.Equal(t, want, list)
	}
}

func TestTheErrorOfALongListNamesTheFirstItemThatDoesNotFit(t *testing.T) {
	body := listOf("[", `{"region":"eu-west-1","name":"`+strings.Repeat("x", 90)+`"}`, 2000, `,{"region":5},{"region":6}]`)
	client := testClient(t, status(200, body))
	for _, call := range []func() error{
		func() error { return second(client.Locations.List(t.Context())) },
		func() error { return second(Do[[]Location](t.Context(), client, "GET", "/v1/x", nil, nil)) },
	} {
		var failed *DecodeError
		require.ErrorAs(t, call(), &failed)
		require.Equal(t, "$[2000].region", failed.Path)
		var partial []Location
		require.NoError(t, json.Unmarshal(failed.Partial, &partial))
		require.Len(t, partial, 2001, "what is behind the item is not read")
	}
}

func TestALongListEndsWithItsFirstItemThatDoesNotFit(t *testing.T) {
	onDecode(t, nil)
	client := testClient(t, status(200, listOf("[", `{"id":-1,"text":"`+strings.Repeat("x", 90)+`"}`, 5000, "]")))
	var failed *DecodeError
	require.ErrorAs(t, second(Do[[]*listed](t.Context(), client, "GET", "/v1/x", nil, nil)), &failed)
	require.Equal(t, "$[0]", failed.Path)
	require.Equal(t, "[null]", string(failed.Partial))
	require.Less(t, listedDecoded, 1000, "no more than one part of the list is decoded")
}

func TestDecodingEndsWithTheContext(t *testing.T) {
	long := listOf("[", `{"id":1,"text":"`+strings.Repeat("x", 1000)+`"}`, 3000, "]")
	odd := listOf("[", `{"id":-1}`, 10, ",") + long[1:] // the first part is read item by item
	for name, c := range map[string]struct {
		body string
		most int // items that may be decoded
	}{
		"a long list": {long, 200}, "a long list with items that cannot be read": {odd, 200}, "a short list": {`[{"id":1},{"id":2},{"id":3},{"id":4}]`, 4},
	} {
		for of, call := range map[string]func(context.Context, *Client) error{
			"Do": func(ctx context.Context, c *Client) error {
				return second(Do[[]listed](ctx, c, "GET", "/v1/x", nil, nil))
			},
			"All": func(ctx context.Context, c *Client) error { return second(Collect(All[listed](ctx, c, "/v1/x", nil))) },
		} {
			t.Run(of+", "+name, func(t *testing.T) {
				ctx, cancel := context.WithCancel(t.Context())
				onDecode(t, func() {
					if listedDecoded == 3 {
						cancel()
					}
				})
				err := call(ctx, testClient(t, status(200, c.body)))
				require.ErrorIs(t, err, context.Canceled)
				require.ErrorContains(t, err, "GET /v1/x")
				require.LessOrEqual(t, listedDecoded, c.most)
			})
		}
	}
}

func TestTheTimeoutOfAnAttemptEndsItsDecoding(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		onDecode(t, func() { time.Sleep(time.Second) })
		body := listOf("[", `{"id":1,"text":"`+strings.Repeat("x", 8000)+`"}`, 1000, "]")
		client := testClient(t, status(200, body), WithTimeout(20*time.Second), WithMaxRetries(0))
		began := time.Now()
		_, err := Do[[]listed](t.Context(), client, "GET", "/v1/x", nil, nil)
		require.ErrorContains(t, err, "the attempt timed out after 20s")
		require.NotErrorIs(t, err, context.DeadlineExceeded)
		require.Less(t, time.Since(began), 40*time.Second)
	})
}

// TestTooManyItemsThatCannotBeReadEndTheWalk has 250 items on each page, of which many cannot be
// read.
func TestTooManyItemsThatCannotBeReadEndTheWalk(t *testing.T) {
	page := func(bad int) string {
		return listOf("[", `{"id":1}`, 50, ",") + listOf("", `{"repeatInterval":"often"}`, bad, ",") + listOf("", `{"id":3}`, 50, "]")
	}
	for bad, ends := range map[int]bool{1: false, 99: false, 100: false, 101: true, 5000: true} {
		for _, ahead := range []int{0, 3} {
			t.Run(fmt.Sprintf("%d, %d ahead", bad, ahead), func(t *testing.T) {
				client := testClient(t, status(200, page(bad)))
				var read []int64
				items, last := 0, error(nil)
				for w, err := range client.MaintenanceWindows.All(t.Context(), MaintenanceWindowListOptions{ListOptions: ListOptions{Limit: 100, Page: 4}}, WithReadAhead(ahead)) {
					last = err
					if _, ok := errors.AsType[*ItemError](err); ok {
						items++
					} else if err == nil {
						read = append(read, w.ID)
					}
				}
				require.Equal(t, min(bad, 100), items)
				var failed *PageError
				require.Equal(t, ends, errors.As(last, &failed), last)
				if !ends {
					require.Equal(t, []int64{1, 3}, read)
					return
				}
				require.Equal(t, []int64{1}, read, "the items after the error are not read")
				require.Equal(t, 4, failed.Page)
				require.EqualError(t, last, "monitoring: page 4: GET /v1/maintenance-windows: more than 100 items of the page cannot be read")
			})
		}
	}
	client := testClient(t, status(200, page(101)))
	pages := 0
	for p, err := range client.MaintenanceWindows.Pages(t.Context(), MaintenanceWindowListOptions{}) {
		if pages++; pages == 1 {
			require.NotNil(t, p)
			require.Len(t, err.(interface{ Unwrap() []error }).Unwrap(), 100)
		} else {
			require.Nil(t, p)
			require.ErrorContains(t, err, "more than 100 items")
		}
	}
	require.Equal(t, 2, pages)
	var failed *ItemError
	require.ErrorAs(t, second(client.MaintenanceWindows.List(t.Context(), MaintenanceWindowListOptions{})), &failed)
	require.Equal(t, 50, failed.Index)
}

func TestItemsThatCannotBeReadCostLittle(t *testing.T) {
	for name, body := range map[string]string{
		"one of many":  listOf("[", `{"id":1,"text":"`+strings.Repeat("x", 300)+`"}`, 5000, `,{"id":-1}]`),
		"a long row":   listOf("[", `{"id":-1,"text":"`+strings.Repeat("x", 100)+`"}`, 5000, `]`),
		"every tenth":  listOf("[", listOf("", `{"id":1,"text":"`+strings.Repeat("x", 100)+`"}`, 9, `,{"id":-1}`), 90, `]`),
		"one at first": listOf(`[{"id":-1},`, `{"id":1,"text":"`+strings.Repeat("x", 300)+`"}`, 5000, `]`),
	} {
		onDecode(t, nil)
		client := testClient(t, status(200, body))
		for _, err := range All[listed](t.Context(), client, "/v1/x", nil) {
			if err != nil {
				require.ErrorContains(t, err, "it is negative", name)
				if listedDecoded > 0 {
					break
				}
			}
		}
		require.Less(t, listedDecoded, 4*strings.Count(body, "id"), name)
	}
}
