package await

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

func TestTheFirstEndOfAThingCounts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBoard(func(_, _ *string) bool { return true })
		one := b.add("a", nil, maxHold, time.Now())
		stopped := 0
		b.begin([]context.CancelFunc{func() { stopped++ }})
		b.end(ending[string]{of: one, reason: Failed, failure: errRefused})
		b.end(ending[string]{of: one, reason: Done, state: new("ended")})
		require.Equal(t, 1, stopped, "it ends the poller")
		require.Len(t, b.ends, 1)
		require.Equal(t, End[string]{ID: "a", Reason: Failed, Err: errRefused}, b.finish(<-b.ends))
	})
}
