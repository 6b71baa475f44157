package monitoring

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

func TestALoopThatIsLeftDoesNotWaitForThePagesAhead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newShelf(450, true)
		s.latency, s.slow = time.Second, map[string]bool{"2": true, "3": true}
		began := time.Now()
		for _, err := range testClient(t, s).Variables.All(t.Context(), VariableListOptions{}, WithReadAhead(2)) {
			require.NoError(t, err)
			synctest.Wait() // the pages ahead are being fetched
			break
		}
		require.Equal(t, time.Second, time.Since(began))
	})
}

func TestPagesThatWereTakenAreForgotten(t *testing.T) {
	s := newShelf(450, true)
	l, options, err := newAnyLister[counted](testClient(t, s), "/v1/variables", nil, []CallOption{WithItemID("key")})
	require.NoError(t, err)
	options.Limit = maxPageSize
	ahead := newReadAhead(t.Context(), func(ctx context.Context, number int) (*Page[counted], error) {
		return l.fetch(ctx, ListOptions{Limit: options.Limit, Page: number}, nil)
	}, 1, 2)
	defer ahead.stop()
	for number, want := range []int{2, 2, 2, 1, 0} {
		page, err := ahead.next(t.Context(), number+1)
		require.NoError(t, err)
		require.Equal(t, number+1, page.Page)
		require.Len(t, ahead.pending, want, "after page %d", number+1)
	}
}
