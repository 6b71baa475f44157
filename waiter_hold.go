package monitoring

import "time"

const (
	// maxCompletionWait is the longest the service holds a completion request.
	maxCompletionWait = 30 * time.Second
	leastHold         = time.Second
	cutPatience       = time.Minute
	cutPatienceMost   = 4 * time.Minute
)

// holds says for how long the polls of one session ask to be held. Something in front of the
// service may cut requests that take long. After a poll that was cut the next one asks for
// less time than that, and after one that came through for twice its time. A length that
// has cut twice is believed: it is tried again after a minute, and then ever more rarely.
type holds struct {
	length   time.Duration // of the next poll; 0 is the longest
	cut      time.Duration // how long the last poll that was cut had lasted; 0 if none is remembered
	patience time.Duration // for how long holds stay below the cut; 0 until a second poll was cut
	until    time.Time     // the end of that
}

// next is the length of the next poll.
func (h *holds) next() time.Duration {
	if h.length == 0 {
		return maxCompletionWait
	}
	return h.length
}

// held notes a poll that the service held for a time and then responded to.
func (h *holds) held(d time.Duration, now time.Time) {
	if d >= h.cut {
		h.cut, h.patience = 0, 0
	}
	most := maxCompletionWait
	if h.cut > 0 && now.Before(h.until) {
		most = below(h.cut)
	}
	h.length = max(h.next(), min(2*d.Truncate(time.Second), most))
}

// wasCut notes a poll that asked for a time and ended without a response after another.
func (h *holds) wasCut(asked, lasted time.Duration, now time.Time) {
	if h.cut > 0 {
		h.patience = min(max(2*h.patience, cutPatience), cutPatienceMost)
	}
	h.until = now.Add(h.patience)
	h.cut = min(asked, lasted) // what takes longer than it asked for was held too long all the same
	h.length = below(h.cut)
}

// below is a length that stays clear of a cut, in whole seconds.
func below(cut time.Duration) time.Duration {
	return max(leastHold, (cut - cut/10).Truncate(time.Second))
}
