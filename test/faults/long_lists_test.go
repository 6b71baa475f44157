package faults_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

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

func TestALongListEndsWithItsFirstItemThatDoesNotFit(t *testing.T) {
	onDecode(t, nil)
	item := `{"id":1,"text":"` + strings.Repeat("x", 90) + `"}`
	client := kit.Client(t, testkit.Status(200, listOf("[", item, 2000, `,{"id":"x"},`)+listOf("", item, 5000, "]")))
	failed := kit.ErrAs[*monitoring.DecodeError](t, kit.Second(untyped[[]listed](t.Context(), client)))
	require.Equal(t, "$[2000]", failed.Path)
	require.Less(t, listedDecoded, 3000, "no more than one part of the rest is decoded")
	var partial []*listed
	require.NoError(t, json.Unmarshal(failed.Partial, &partial))
	require.Len(t, partial, 2001, "what is behind the item is not read")
	client = kit.Client(t, testkit.Status(200, listOf("[", `{"region":"eu-west-1","name":"`+strings.Repeat("x", 90)+`"}`, 2000, `,{"region":5}]`)))
	require.Equal(t, "$[2000].region", kit.ErrAs[*monitoring.DecodeError](t, kit.Second(client.Locations.List(t.Context()))).Path)
}

func TestDecodingEndsWithTheContext(t *testing.T) {
	long := listOf("[", `{"id":1,"text":"`+strings.Repeat("x", 1000)+`"}`, 1000, "]")
	readItemByItem := listOf("[", `{"id":-1}`, 10, ",") + long[1:]
	all := func(ctx context.Context, c *monitoring.Client) (any, error) {
		return monitoring.Collect(monitoring.All[listed](ctx, c, "/v1/x", nil))
	}
	for body, most := range map[string]int{long: 200, readItemByItem: 200, `[{"id":1},{"id":2},{"id":3},{"id":4}]`: 4} {
		for _, call := range []func(context.Context, *monitoring.Client) (any, error){untyped[[]listed], all} {
			ctx, cancel := context.WithCancel(t.Context())
			onDecode(t, func() {
				if listedDecoded == 3 {
					cancel()
				}
			})
			err := kit.Second(call(ctx, kit.Client(t, testkit.Status(200, body))))
			require.ErrorIs(t, err, context.Canceled)
			require.ErrorContains(t, err, "GET /v1/x")
			require.LessOrEqual(t, listedDecoded, most, "%.20s", body)
		}
	}
}

func TestTooManyItemsThatCannotBeReadEndTheWalk(t *testing.T) {
	page := func(bad int) *monitoring.Client {
		return kit.Client(t, testkit.Status(200, listOf("[", `{"id":1}`, 50, ",")+listOf("", `{"repeatInterval":"often"}`, bad, ",")+listOf("", `{"id":3}`, 50, "]")))
	}
	for bad, ends := range map[int]bool{100: false, 101: true} {
		for _, ahead := range []int{0, 3} {
			var read []int64
			items, last := 0, error(nil)
			for w, err := range page(bad).MaintenanceWindows.All(t.Context(), monitoring.MaintenanceWindowListOptions{ListOptions: monitoring.ListOptions{Limit: 100, Page: 4}}, monitoring.WithReadAhead(ahead)) {
				last = err
				if _, ok := errors.AsType[*monitoring.ItemError](err); ok {
					items++
				} else if err == nil {
					read = append(read, w.ID)
				}
			}
			require.Equal(t, 100, items)
			if !ends {
				require.Equal(t, []int64{1, 3}, read)
				continue
			}
			require.Equal(t, []int64{1}, read, "the items after the error are not read")
			require.Equal(t, 4, kit.ErrAs[*monitoring.PageError](t, last).Page)
			require.EqualError(t, last, "monitoring: page 4: GET /v1/maintenance-windows: more than 100 items of the page cannot be read")
		}
	}
	var errs []error
	for p, err := range page(101).MaintenanceWindows.Pages(t.Context(), monitoring.MaintenanceWindowListOptions{}) {
		require.Equal(t, len(errs) > 0, p == nil)
		errs = append(errs, err)
	}
	require.Len(t, errs, 2)
	require.Len(t, errs[0].(interface{ Unwrap() []error }).Unwrap(), 100)
	require.ErrorContains(t, errs[1], "more than 100 items")
	err := kit.Second(page(101).MaintenanceWindows.List(t.Context(), monitoring.MaintenanceWindowListOptions{}))
	require.Equal(t, 50, kit.ErrAs[*monitoring.ItemError](t, err).Index)
}

func TestItemsThatCannotBeReadCostLittle(t *testing.T) {
	item := `{"id":1,"text":"` + strings.Repeat("x", 300) + `"}`
	for name, body := range map[string]string{
		"one of many":  listOf("[", item, 1000, `,{"id":-1}]`),
		"a long row":   listOf("[", `{"id":-1,"text":"`+strings.Repeat("x", 100)+`"}`, 3000, `]`),
		"every tenth":  listOf("[", listOf("", item, 9, `,{"id":-1}`), 90, `]`),
		"one at first": listOf(`[{"id":-1},`, item, 1000, `]`),
	} {
		onDecode(t, nil)
		client := kit.Client(t, testkit.Status(200, body))
		for _, err := range monitoring.All[listed](t.Context(), client, "/v1/x", nil) {
			if err != nil {
				require.ErrorContains(t, err, "it is negative", name)
				break
			}
		}
		require.Less(t, listedDecoded, 4*strings.Count(body, "id"), name)
	}
}
