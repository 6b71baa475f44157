package redislimit

import (
	"math"
	"slices"
	"time"
)

// ledger is what Redis has to be told of places: those of the local share that were used, and
// those from Redis that were not. The entries are numbered, and Redis remembers the last
// number it has seen of this process: so each entry counts once, however often a reply is lost.
type ledger struct {
	told    int64 // entries that Redis has confirmed
	entries []entry
	sent    int // how many entries were sent, perhaps in vain: they do not change any more
}

// entry is about one place from Redis, or about places of the local share that were used at
// almost the same time.
type entry struct {
	line  *line
	place int64 // a place that was not used, by Redis's clock; 0: places were used
	used  int
	from  time.Time // of the first use
	at    time.Time // of the last use
}

// use records that a place of the local share was used.
func (b *ledger) use(l *line, now time.Time) {
	part := window(l.limit) / parts
	for i := len(b.entries) - 1; i >= b.sent && now.Sub(b.entries[i].at) < part; i-- {
		if e := &b.entries[i]; e.line == l && e.place == 0 && now.Sub(e.from) < part {
			e.used, e.at = e.used+1, now
			return
		}
	}
	b.entries = append(b.entries, entry{line: l, used: 1, from: now, at: now})
}

// undo takes back the last use, if it was not sent yet. Otherwise it counts, though for nothing.
func (b *ledger) undo(l *line) {
	for i := len(b.entries) - 1; i >= b.sent; i-- {
		if e := &b.entries[i]; e.line == l && e.place == 0 && e.used > 0 {
			e.used--
			return
		}
	}
}

// unused records the places from Redis that a line has not used.
func (b *ledger) unused(l *line, now time.Time) {
	for _, place := range l.returned {
		b.entries = append(b.entries, entry{line: l, place: place, at: now})
	}
	l.returned = nil
}

// concerns reports whether there is an entry about a line.
func (b *ledger) concerns(l *line) bool {
	return slices.ContainsFunc(b.entries, func(e entry) bool { return e.line == l })
}

// tell adds all entries to a request, which has a line for each of them. It adds none as long
// as Redis's clock is not known, because their times could not be told.
func (b *ledger) tell(req *request, clock *redisClock) {
	req.Told = b.told
	if !clock.known() {
		return
	}
	for _, e := range b.entries {
		no := slices.IndexFunc(req.Lines, func(r requestLine) bool { return r.line == e.line })
		n := news{int64(no + 1), int64(e.used), int64(math.Ceil(clock.latest(e.at)))}
		if e.place != 0 {
			n[1], n[2] = -1, e.place
		}
		req.News = append(req.News, n)
	}
	b.sent = len(b.entries)
}

// forget removes entries that are too old to count in any window: in that of their line, or in
// that of the common line, in which the places of all routes count, too.
func (b *ledger) forget(now time.Time, common *line) {
	n := slices.IndexFunc(b.entries, func(e entry) bool { return now.Sub(e.at) < max(window(e.line.limit), window(common.limit))+lead })
	if n < 0 {
		n = len(b.entries)
	}
	b.drop(n)
}

// drop removes the first entries, because Redis knows them or need not know them.
func (b *ledger) drop(n int) {
	b.told += int64(n)
	b.sent = max(0, b.sent-n)
	b.entries = slices.Delete(b.entries, 0, n)
}
