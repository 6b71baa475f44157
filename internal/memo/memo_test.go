package memo_test

import (
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/monitoring-api/monitoring-go/internal/memo"
)

func TestAllWhoUseANewMapAtOnceUseTheSame(t *testing.T) {
	var m memo.Map
	var stored atomic.Int32
	var all sync.WaitGroup
	for range 50 {
		all.Go(func() {
			if _, loaded := m.LoadOrStore("a", 1); !loaded {
				stored.Add(1)
			}
		})
	}
	all.Wait()
	require.Equal(t, int32(1), stored.Load())
	m.Store("b", 2)
	b, ok := m.Load("b")
	require.True(t, ok)
	require.Equal(t, 2, b)
	_, ok = new(memo.Map).Load("b")
	require.False(t, ok)
}
