package redislimit

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/internal/route"
)

func TestTheLedgerTellsEachEntryUntilRedisConfirmsIt(t *testing.T) {
	epoch := time.Now()
	at := func(ms int) time.Time { return epoch.Add(time.Duration(ms) * time.Millisecond) }
	l := newLine("", route.Pattern{}, scriptLimit) // a part of its window is 32 ms
	other := newLine("GET /v1/checks", route.Pattern{}, scriptLimit)
	clock := redisClock{epoch: epoch}
	var b ledger
	tell := func() *request {
		req := &request{Lines: []requestLine{{line: l}, {line: other}}}
		b.tell(req, &clock)
		return req
	}

	b.use(l, at(0))
	require.Empty(t, tell().News, "without Redis's clock no time can be told")
	clock.sync(at(0), at(0), 1000000)
	b.use(other, at(10))
	b.use(l, at(20)) // of the same part of the window as the first
	b.use(l, at(40))
	b.use(l, at(45))
	b.undo(l)
	require.Equal(t, []news{{1, 2, 1000020}, {2, 1, 1000010}, {1, 1, 1000045}}, tell().News)

	b.use(l, at(50)) // what was sent does not change
	b.undo(l)
	b.undo(l)
	b.use(l, at(60))
	l.returned = []int64{999990}
	b.unused(l, at(70))
	require.Empty(t, l.returned)
	all := []news{{1, 2, 1000020}, {2, 1, 1000010}, {1, 1, 1000045}, {1, 1, 1000060}, {1, -1, 999990}}
	require.Equal(t, all, tell().News)
	require.Zero(t, tell().Told)

	b.drop(2)
	require.Equal(t, int64(2), tell().Told)
	require.Equal(t, all[2:], tell().News)
	b.forget(at(60).Add(window(scriptLimit)+lead), l)
	require.Equal(t, int64(4), tell().Told, "what is too old for any window counts as told")
	require.Equal(t, all[4:], tell().News)
	b.drop(1)
	require.Empty(t, b.entries)
	require.False(t, b.concerns(l))
}

func TestTheLedgerKeepsPlacesOfARouteAsLongAsTheCommonWindow(t *testing.T) {
	epoch := time.Now()
	common := newLine("", route.Pattern{}, scriptLimit)
	short := newLine("GET /v1/checks", route.Pattern{}, monitoring.RateLimit{Requests: 5, Per: time.Second})
	var b ledger
	b.use(short, epoch)
	b.forget(epoch.Add(window(scriptLimit)+lead-time.Millisecond), common)
	require.True(t, b.concerns(short))
	b.forget(epoch.Add(window(scriptLimit)+lead), common)
	require.False(t, b.concerns(short))
}
