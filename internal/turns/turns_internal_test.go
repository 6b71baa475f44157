package turns

import (
	"context"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"
)

func TestNoTurnIsLeft(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var all Turns
		cancelled, cancel := context.WithCancel(t.Context())
		end, err := all.Take(t.Context(), Object{"", "check 1"})
		require.NoError(t, err)
		other, err := all.Take(cancelled, Object{"", "check 2"})
		require.NoError(t, err)
		for _, ctx := range []context.Context{t.Context(), cancelled} {
			go func() {
				if end, err := all.Take(ctx, Object{"", "check 1"}); err == nil {
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
