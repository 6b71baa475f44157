package limiter

import (
	"math"
	"time"

	"golang.org/x/time/rate"
)

// This file has what long polls get of the common limit. Many polls at once come back as a
// crowd when their holds end, and may find no places then. So polls have a bucket of their
// own, which spreads them over about the time of a hold. They need no token of the common
// bucket: they take the places of the window that ordinary attempts leave.

const (
	// pollBurst is the part of the burst that polls may take at once.
	pollBurst = 0.5
	// pollEager is how much faster than the even pace polls may come.
	pollEager = 1.6
	// pollLeast is the part of the even pace that polls leave to others until places come
	// back, so that the window is never without a place for long.
	pollLeast = 0.125
	// pollLeaves is how much more than their pace polls leave to ordinary attempts.
	pollLeaves = 1.1
	// pollTokens is the part of the burst below which polls take no tokens of the common
	// bucket, so that a few ordinary attempts need not wait.
	pollTokens = 0.1
)

// newPollBucket is the bucket of long polls.
func newPollBucket(common *pacer) *rate.Limiter {
	return rate.NewLimiter(rate.Limit(common.even()*pollEager), pollsAtOnce(common.limit, 1))
}

func pollsAtOnce(limit Rate, share float64) int {
	return max(1, int(float64(limit.AtOnce())*pollBurst*share))
}

// untilShare is the time until the bucket of long polls has a token; 0 if it has one now. It
// fills at the pace of their share, if that is less than 1.
func (l *Account) untilShare(a Attempt, now time.Time) time.Duration {
	part, share := pollEager, 1.0
	if a.Share > 0 && a.Share < 1 {
		part, share = a.Share, a.Share
	}
	pace := rate.Limit(l.common.even() * part)
	if l.polls.Limit() != pace {
		l.polls.SetLimitAt(now, pace)
		l.polls.SetBurstAt(now, pollsAtOnce(l.common.limit, share))
	}
	missing := 1 - l.polls.TokensAt(now)
	if missing <= tokenError {
		return 0
	}
	return max(1, time.Duration(math.Ceil(missing/float64(pace)*float64(time.Second))))
}

// untilPoll is the time until there may be a place for a long poll; 0 if there is one now.
// Polls leave what ordinary attempts would take, at their recent pace, until places come
// back. After 429s they need a token, too.
func (l *Account) untilPoll(a Attempt, now time.Time) time.Duration {
	wait := l.common.until(now, l.waiters > 0)
	if l.common.learned.share == 1 {
		wait = l.common.untilFree(now)
	}
	if wait = max(wait, l.untilShare(a, now)); wait > 0 {
		return wait
	}
	window, leave := l.common.window, l.ordinary.at(now)*pollLeaves
	if window.left(now) < max(leave, l.common.even()*pollLeast) {
		return max(time.Millisecond, window.length/windowLook)
	}
	return 0
}

// takePoll takes a place for a long poll. The token of the common bucket is nil if it takes
// none.
func (l *Account) takePoll(now time.Time) *rate.Reservation {
	l.polls.ReserveN(now, 1)
	l.common.count(now)
	bucket := l.common.bucket
	least := 1 + float64(bucket.Burst())*pollTokens
	if l.passed >= passedMost || l.common.learned.share < 1 {
		least = 1 // it goes before ordinary attempts, or needed the token
	}
	if bucket.TokensAt(now) < least-tokenError {
		return nil
	}
	return bucket.ReserveN(now, 1)
}

// recentPace is the pace of the last seconds, in places per second.
type recentPace struct {
	pace float64 // at the last place
	last time.Time
}

// recentTime is the time after which a place counts little.
const recentTime = 10 * time.Second

func (r *recentPace) at(now time.Time) float64 {
	return r.pace * math.Exp(-now.Sub(r.last).Seconds()/recentTime.Seconds())
}

func (r *recentPace) took(now time.Time) {
	r.pace, r.last = r.at(now)+1/recentTime.Seconds(), now
}
