package exchange

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"

	"github.com/monitoring-api/monitoring-go/internal/testkit"
)

// atOnce joins the parts of a body.
func atOnce(int64) error { return nil }

// endless is a body without an end.
type endless struct{}

func (endless) Read(p []byte) (int, error) { return len(p), nil }

func TestReadingABodyTakesLittleMoreMemoryThanItsSize(t *testing.T) {
	const size, limit = 20 << 20, 64 << 20
	for name, c := range map[string]struct {
		announced int64
		most      float64
	}{"with its size announced": {size, 1.3}, "of unknown size": {-1, 2.2}} {
		t.Run(name, func(t *testing.T) {
			body := io.LimitReader(endless{}, size)
			used := testkit.Allocated(func() {
				read, err := readAll(body, c.announced, limit, atOnce)
				require.NoError(t, err)
				require.Len(t, read, size)
			})
			require.Less(t, float64(used), c.most*size)
		})
	}
	for name, announced := range map[string]int64{"unknown": -1, "announced as the limit": limit, "announced as little": 5} {
		t.Run("too large and "+name, func(t *testing.T) {
			used := testkit.Allocated(func() {
				_, err := readAll(endless{}, announced, limit, atOnce)
				require.ErrorIs(t, err, errTooLarge)
			})
			require.Less(t, float64(used), 1.35*limit)
			if announced < 0 {
				require.Less(t, float64(used), 1.1*limit)
			}
		})
	}
	used := testkit.Allocated(func() {
		_, err := readAll(strings.NewReader("short"), limit, limit, atOnce)
		require.NoError(t, err)
	})
	require.Less(t, used, uint64(trustedSize+1<<20), "Content-Length alone does not allocate more than trustedSize")
}

func TestABodyIsReadWholeForEveryReader(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	noise := make([]byte, 3*mostChunk)
	for i := range noise {
		noise[i] = byte(random.Uint32())
	}
	for range testkit.Rounds(40) {
		data := noise[random.IntN(len(noise)):]
		announced := []int64{-1, int64(len(data)), int64(len(data)) / 2, int64(len(data)) + 7, 6 << 20}[random.IntN(5)]
		readers := []io.Reader{bytes.NewReader(data), iotest.HalfReader(bytes.NewReader(data)), iotest.DataErrReader(bytes.NewReader(data))}
		read, err := readAll(readers[random.IntN(3)], announced, 8<<20, atOnce)
		require.NoError(t, err)
		require.True(t, bytes.Equal(data, read))
	}
	broken := errors.New("broken")
	for _, announced := range []int64{-1, 3, 100, 6 << 20} {
		_, err := readAll(io.MultiReader(strings.NewReader("abc"), iotest.ErrReader(broken)), announced, 1<<20, atOnce)
		require.ErrorIs(t, err, broken, "announced %d", announced)
	}
}

func TestABodyMayBeAsLongAsTheLimitButNotLonger(t *testing.T) {
	for _, limit := range []int64{0, 1, 5, 511, 512, 513, 1536, 4096} {
		for _, announced := range []int64{-1, 0, 1, limit - 1, limit, limit + 1} {
			for over, fine := range map[int64]bool{-1: true, 0: true, 1: false} {
				if limit+over < 0 {
					continue
				}
				data := strings.Repeat("x", int(limit+over))
				for name, reader := range map[string]io.Reader{
					"plain": strings.NewReader(data), "with its end": iotest.DataErrReader(strings.NewReader(data)), "byte by byte": iotest.OneByteReader(strings.NewReader(data)),
				} {
					read, err := readAll(reader, announced, limit, atOnce)
					require.Equal(t, fine, err == nil, "limit %d, announced %d, over %d, %s", limit, announced, over, name)
					if fine {
						require.Equal(t, data, string(read))
					} else {
						require.ErrorIs(t, err, errTooLarge)
					}
				}
			}
		}
	}
}

// BenchmarkReadingABody shows what trustedSize, leastChunk and mostChunk cost.
func BenchmarkReadingABody(b *testing.B) {
	for _, size := range []int{1 << 10, 20 << 10, 1 << 20, 6 << 20, 30 << 20} {
		data := bytes.Repeat([]byte("x"), size)
		for name, announced := range map[string]int64{"announced": int64(size), "unknown": -1} {
			b.Run(fmt.Sprintf("%s/%dKiB", name, size>>10), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					_, err := readAll(bytes.NewReader(data), announced, 32<<20, atOnce)
					require.NoError(b, err)
				}
			})
		}
	}
}
