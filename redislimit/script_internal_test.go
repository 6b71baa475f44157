package redislimit

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"

	"github.com/monitoring-api/monitoring-go"
)

// withTime is the script with a clock that the arguments set.
var withTime = redis.NewScript(strings.Replace(source, "call('TIME')", "{ARGV[4], ARGV[5]}", 1))

func TestTheScriptIsSmall(t *testing.T) {
	lines := strings.Split(strings.TrimSuffix(source, "\n"), "\n")
	require.LessOrEqual(t, len(lines), 125)
	for _, line := range lines {
		require.LessOrEqual(t, len(line), 100, line)
	}
}

// command is what a process tells and asks, as the arguments of the script.
type command struct {
	id                   string
	sent, patience, seen float64
	limit                int
	window               float64
	burst, programs      int
	share                float64
	next                 int64
	want, leaves         int
	refused              float64
	era                  int64
	last, moved          float64
	used                 []place
	back                 []int64
}

func (c *command) args() []any {
	numbers := fmt.Sprintln(c.id, c.sent, c.patience, c.seen, c.limit, c.window, c.burst, c.programs, c.share, c.next, c.want,
		c.leaves, c.refused, c.era, c.last, c.moved)
	return []any{numbers, fmt.Sprint(c.used), fmt.Sprint(c.back)}
}

// Random commands of a few processes, with all troubles, have the same replies and leave the same
// data in the script and in its twin, on which the simulations stand.
func TestTheTwinIsLikeTheScript(t *testing.T) {
	require.Contains(t, source, "call('TIME')")
	client := clientOf(t, startRedis(t).addr())
	for seed := range uint64(40) {
		random := rand.New(rand.NewPCG(seed, seed))
		micros := int64(1_800_000_000_000_000) + random.Int64N(1e9)
		now := func() float64 { return float64(micros/1e6)*1000 + float64(micros%1e6)/1000 }
		twin := newTwin(now)
		twin.lasts = true // Redis expires keys by its own clock
		key := fmt.Sprint("{twin}", seed)
		keys := []string{key + "p", key + "w", key + "h", key + "s"}
		limit := []int{5, 40, 100}[seed%3]
		burst := []int{6, 1, limit}[random.IntN(3)]
		type process struct {
			seen float64
			era  int64
			next int64
			mine []place
		}
		processes := make([]process, 1+random.IntN(8))
		for step := range 150 {
			micros += random.Int64N([]int64{1000, 100_000, 400_000, 2_000_000}[random.IntN(4)])
			if random.IntN(20) == 0 {
				micros += random.Int64N(150_000_000) // places are kept for 81 seconds
			}
			if random.IntN(40) == 0 {
				micros -= random.Int64N(5_000_000) // the clock is set back
			}
			i := random.IntN(len(processes))
			p := &processes[i]
			r := command{
				id: fmt.Sprint("p", i), limit: limit, window: 10433 + 1.0/3, burst: burst,
				sent: now() - random.Float64()*260, patience: 250, seen: p.seen, next: p.next, share: 1, want: random.IntN(6) - 1,
			}
			if random.IntN(2) == 0 {
				r.era = p.era
			}
			if random.IntN(10) == 0 {
				r.seen += 30 * random.Float64()
			}
			if random.IntN(3) == 0 {
				r.leaves = random.IntN(20)
			}
			if random.IntN(3) == 0 {
				r.last = now() + 2000 - 22_000*random.Float64()
			}
			if random.IntN(20) == 0 {
				r.moved = 3000 * random.Float64()
				r.sent -= r.moved
			}
			if random.IntN(8) == 0 {
				r.programs = random.IntN(9)
				for range random.IntN(4) {
					p.mine = append(p.mine, place{number: p.next, at: now() - 3000*random.Float64()})
					r.used = append(r.used, p.mine[len(p.mine)-1])
					p.next++
				}
				r.next = p.next
			}
			if random.IntN(8) == 0 && len(p.mine) > 0 {
				r.back = append(r.back, p.mine[random.IntN(len(p.mine))].number)
			}
			if random.IntN(15) == 0 {
				r.refused, r.share = 2000*random.Float64(), random.Float64()
			}
			args := r.args()
			want, err := twin.run(t.Context(), keys, args)
			require.NoError(t, err)
			got, err := withTime.Run(t.Context(), client, keys, append(args, micros/1e6, micros%1e6)...).Text()
			require.NoError(t, err)
			require.Equal(t, want, got, "seed %d, step %d: %v", seed, step, args)
			reply, err := parse(got, nil, r.want, monitoring.RateLimit{Requests: limit, Per: 10 * time.Second})
			require.NoError(t, err)
			if reply.Era != 0 {
				p.seen, p.era = reply.Up, reply.Era
				if random.IntN(6) > 0 { // or the reply is lost
					for i, at := range reply.Places {
						p.mine = append(p.mine, place{number: r.next + int64(i), at: at})
					}
					p.next = r.next + int64(len(reply.Places))
				}
			}
			d := twin.data[keys[0]]
			for k, set := range []sorted{d.places, d.waiting, d.heard} {
				members, err := client.ZRangeWithScores(t.Context(), keys[k], 0, -1).Result()
				require.NoError(t, err)
				require.Len(t, members, len(set.list))
				for j, m := range members {
					require.Equal(t, set.list[j], member{m.Score, m.Member.(string)})
				}
			}
		}
	}
}
