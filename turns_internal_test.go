package monitoring

import (
	"context"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"
)

// A client lives as long as its program, so nothing of an object that was edited may stay.
func TestNoTurnIsLeft(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var all turns
		cancelled, cancel := context.WithCancel(t.Context())
		end, err := all.take(t.Context(), edited{"", "check 1"})
		require.NoError(t, err)
		other, err := all.take(cancelled, edited{"", "check 2"})
		require.NoError(t, err)
		for _, ctx := range []context.Context{t.Context(), cancelled} {
			go func() {
				if end, err := all.take(ctx, edited{"", "check 1"}); err == nil {
					end()
				}
			}()
		}
		synctest.Wait()
		require.Len(t, all.held, 2)
		cancel()
		end()
		other()
		synctest.Wait()
		require.Empty(t, all.held)
	})
}
