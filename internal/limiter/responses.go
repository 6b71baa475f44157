package limiter

import "time"

// This file has what the limiter makes of response times: how long a response probably takes,
// and by how much requests are late or early on their way.

// mostOperations bounds the memory for response times.
const mostOperations = 256

// responses has the response times of operations. The zero value knows nothing.
type responses struct {
	overall    responseTimes // of all operations
	operations map[string]*responseTimes
}

// most estimates how long a response to an operation takes; 0 if nothing is known.
func (r *responses) most(operation string, now time.Time) time.Duration {
	if times := r.operations[operation]; times != nil {
		if most := times.most(now); most > 0 {
			return most
		}
	}
	return r.overall.most(now)
}

// add records how long a response took.
func (r *responses) add(operation string, now time.Time, took time.Duration) {
	r.overall.add(now, took)
	times := r.operations[operation]
	if times == nil {
		if len(r.operations) >= mostOperations {
			return
		}
		if r.operations == nil {
			r.operations = make(map[string]*responseTimes)
		}
		times = new(responseTimes)
		r.operations[operation] = times
	}
	times.add(now, took)
}

// responseTimes records how long the last responses of an operation took.
type responseTimes struct {
	took [32]time.Duration
	when [32]time.Time
	next int
}

const (
	responsesFresh = 20 * time.Second // older ones do not count
	responsesFew   = 8                // if there are fewer, even the slowest one counts
)

func (r *responseTimes) add(now time.Time, took time.Duration) {
	r.took[r.next], r.when[r.next] = took, now
	r.next = (r.next + 1) % len(r.took)
}

// most is the longest time of a response, except one outlier; 0 if nothing is known.
func (r *responseTimes) most(now time.Time) time.Duration {
	var n int
	var first, second time.Duration
	for i, took := range r.took {
		if r.when[i].IsZero() || now.Sub(r.when[i]) > responsesFresh {
			continue
		}
		n++
		if took > first {
			first, second = took, first
		} else if took > second {
			second = took
		}
	}
	if n < responsesFew {
		return first
	}
	return second
}

// waySpread estimates by how much the travel times of requests to the service differ. The
// window of the limiter is longer than that of the limit by this slack. Then no window of
// the service has more requests than the limit, whenever it begins. The travel time of a
// request is not known, so the differences between response times stand for it: they are
// usually larger, because they include the way back and the work of the service.
type waySpread struct {
	per             time.Duration
	current, before timeRange // of the responses in two epochs
	ends            time.Time // of the current epoch
}

// timeRange is the shortest and the longest of n times.
type timeRange struct {
	n                 int
	shortest, longest time.Duration
}

func (r *timeRange) add(d time.Duration) {
	if r.n == 0 || d < r.shortest {
		r.shortest = d
	}
	r.longest = max(r.longest, d)
	r.n++
}

// spreadKnown is how many responses in two epochs are enough for an estimate.
const spreadKnown = 10

func (s *waySpread) least() time.Duration { return s.per / 75 }

// most is the slack before there are enough responses, and its maximum afterwards. At the
// default limit it is the same as the least.
func (s *waySpread) most() time.Duration {
	return max(s.least(), min(500*time.Millisecond, s.per/5))
}

// responded records how long a response took.
func (s *waySpread) responded(now time.Time, took time.Duration) {
	s.turn(now)
	s.current.add(took)
}

func (s *waySpread) turn(now time.Time) {
	epoch := min(max(5*s.per, 10*time.Second), longestWindow)
	switch gone := now.Sub(s.ends); {
	case gone < 0:
		return
	case gone < epoch:
		s.before = s.current
	default:
		s.before = timeRange{}
	}
	s.current, s.ends = timeRange{}, now.Add(epoch)
}

func (s *waySpread) slack(now time.Time) time.Duration {
	s.turn(now)
	if s.current.n+s.before.n < spreadKnown {
		return s.most()
	}
	both := s.current
	if s.before.n > 0 {
		both.add(s.before.shortest)
		both.add(s.before.longest)
	}
	spread := both.longest - both.shortest
	return min(s.most(), max(s.least(), spread+spread/20+time.Millisecond))
}
