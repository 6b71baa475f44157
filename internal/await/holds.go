package await

import "time"

// holds says for how long the polls of one thing ask to be held. A proxy in front of the service
// may cut requests that take long. After a poll that was cut, the next one asks for less time than
// that; after one that was not cut, for twice its time. A length at which two polls were cut is
// tried again only after [cutPatience].
type holds struct {
	most   time.Duration // the length of the longest poll
	length time.Duration // of the next poll; 0 is the longest
	cut    time.Duration // how long the last poll that was cut had lasted; 0 if there is none
	until  time.Time     // for how long holds stay below the cut
}

// next is the length of the next poll.
func (h *holds) next() time.Duration {
	if h.length == 0 {
		return h.most
	}
	return h.length
}

// held records a poll that the service held for a time and then responded to.
func (h *holds) held(d time.Duration, now time.Time) {
	if d >= h.cut {
		h.cut = 0
	}
	most := h.most
	if h.cut > 0 && now.Before(h.until) {
		most = below(h.cut)
	}
	h.length = max(h.next(), min(2*d.Truncate(time.Second), most))
}

// wasCut records a poll without a response: the time it asked for, and the time it lasted.
func (h *holds) wasCut(asked, lasted time.Duration, now time.Time) {
	if h.cut > 0 {
		h.until = now.Add(cutPatience)
	}
	h.cut = min(asked, lasted) // a poll may last longer than it asked for
	h.length = below(h.cut)
}

// below is a length that is shorter than a cut by a tenth, in whole seconds.
func below(cut time.Duration) time.Duration {
	return max(leastHold, (cut - cut/10).Truncate(time.Second))
}
