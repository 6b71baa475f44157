package faults_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/internal/testkit"
	"github.com/monitoring-api/monitoring-go/test/internal/kit"
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

func TestTheErrorOfALongListNamesTheFirstItemThatDoesNotFit(t *testing.T) {
	body := listOf("[", `{"region":"eu-west-1","name":"`+strings.Repeat("x", 90)+`"}`, 2000, `,{"region":5},{"region":6}]`)
	client := kit.Client(t, testkit.Status(200, body))
	var failed *monitoring.DecodeError
	require.ErrorAs(t, kit.Second(client.Locations.List(t.Context())), &failed)
	require.Equal(t, "$[2000].region", failed.Path)
	var partial []monitoring.Location
	require.NoError(t, json.Unmarshal(failed.Partial, &partial))
	require.Len(t, partial, 2001, "what is behind the item is not read")
}

func TestALongListEndsWithItsFirstItemThatDoesNotFit(t *testing.T) {
	onDecode(t, nil)
	client := kit.Client(t, testkit.Status(200, listOf("[", `{"id":-1,"text":"`+strings.Repeat("x", 90)+`"}`, 5000, "]")))
	var failed *monitoring.DecodeError
	require.ErrorAs(t, kit.Second(monitoring.Do[[]*listed](t.Context(), client, "GET", "/v1/x", nil, nil)), &failed)
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
		for of, call := range map[string]func(context.Context, *monitoring.Client) error{
			"Do": func(ctx context.Context, c *monitoring.Client) error {
				return kit.Second(monitoring.Do[[]listed](ctx, c, "GET", "/v1/x", nil, nil))
			},
			"All": func(ctx context.Context, c *monitoring.Client) error {
				return kit.Second(monitoring.Collect(monitoring.All[listed](ctx, c, "/v1/x", nil)))
			},
		} {
			t.Run(of+", "+name, func(t *testing.T) {
				ctx, cancel := context.WithCancel(t.Context())
				onDecode(t, func() {
					if listedDecoded == 3 {
						cancel()
					}
				})
				err := call(ctx, kit.Client(t, testkit.Status(200, c.body)))
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
		client := kit.Client(t, testkit.Status(200, body), monitoring.WithTimeout(20*time.Second), monitoring.WithMaxRetries(0))
		began := time.Now()
		_, err := monitoring.Do[[]listed](t.Context(), client, "GET", "/v1/x", nil, nil)
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
				client := kit.Client(t, testkit.Status(200, page(bad)))
				var read []int64
				items, last := 0, error(nil)
				for w, err := range client.MaintenanceWindows.All(t.Context(), monitoring.MaintenanceWindowListOptions{ListOptions: monitoring.ListOptions{Limit: 100, Page: 4}}, monitoring.WithReadAhead(ahead)) {
					last = err
					if _, ok := errors.AsType[*monitoring.ItemError](err); ok {
						items++
					} else if err == nil {
						read = append(read, w.ID)
					}
				}
				require.Equal(t, min(bad, 100), items)
				var failed *monitoring.PageError
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
	client := kit.Client(t, testkit.Status(200, page(101)))
	pages := 0
	for p, err := range client.MaintenanceWindows.Pages(t.Context(), monitoring.MaintenanceWindowListOptions{}) {
		if pages++; pages == 1 {
			require.NotNil(t, p)
			require.Len(t, err.(interface{ Unwrap() []error }).Unwrap(), 100)
		} else {
			require.Nil(t, p)
			require.ErrorContains(t, err, "more than 100 items")
		}
	}
	require.Equal(t, 2, pages)
	var failed *monitoring.ItemError
	require.ErrorAs(t, kit.Second(client.MaintenanceWindows.List(t.Context(), monitoring.MaintenanceWindowListOptions{})), &failed)
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
		client := kit.Client(t, testkit.Status(200, body))
		for _, err := range monitoring.All[listed](t.Context(), client, "/v1/x", nil) {
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
