package monitoring

import (
	"context"
	"errors"
	"iter"
	"time"
)

// alertWindow is the longest period that the service accepts in one request.
const alertWindow = 24 * time.Hour

// defaultAlertPeriod is the period if From or To is not given; the document has the same.
const defaultAlertPeriod = 6 * time.Hour

// period is what a list of alerts is asked for: from is inclusive, and to exclusive.
type period struct{ from, to time.Time }

// pinned fills in the missing ends of the period. Without both, the present moment of the service
// is its last one: what was sent at this moment is in it.
func (p period) pinned(now time.Time) period {
	switch {
	case p.from.IsZero() && p.to.IsZero():
		p.from, p.to = now.Add(-defaultAlertPeriod), now.Add(1)
	case p.from.IsZero():
		p.from = p.to.Add(-defaultAlertPeriod)
	case p.to.IsZero():
		p.to = p.from.Add(defaultAlertPeriod)
	}
	return p
}

// inWholeSeconds widens the period to the whole seconds that are sent.
func (p period) inWholeSeconds() period {
	p.from, p.to = inWholeSeconds(p.from, p.to)
	return p
}

// inWholeSeconds widens a period to whole seconds.
func inWholeSeconds(from, to time.Time) (time.Time, time.Time) {
	if whole := to.Truncate(time.Second); !whole.Equal(to) {
		to = whole.Add(time.Second)
	}
	return from.Truncate(time.Second), to
}

// window returns the first part of the period that fits into one request: 24 hours in whole
// seconds.
func (p period) window() period {
	if end := p.from.Truncate(time.Second).Add(alertWindow); end.Before(p.to) {
		p.to = end
	}
	return p
}

func (p period) validate(v *violations) {
	if p.from.IsZero() || p.to.IsZero() {
		return
	}
	switch whole := p.inWholeSeconds(); {
	case !p.from.Before(p.to):
		v.add("to", "must be after from")
	case p.to.Sub(p.from) > alertWindow:
		v.add("to", "is more than 24 hours after from: All iterates over longer periods")
	case whole.to.Sub(whole.from) > alertWindow:
		v.add("to", "is 24 hours after from, too long because both have a fraction of a second: pass whole seconds, or use All")
	}
}

// pagesOfWindows iterates over the pages of a list whose requests have a bounded period: window
// after window, in order. list is the list of a window, and page the first one of the first window.
func pagesOfWindows[T any](
	ctx context.Context, s *service, asked period, page ListOptions, list func(period) *lister,
) iter.Seq2[*Page[T], error] {
	return pagesOf[T](walkWindows(ctx, s, asked, page, list))
}

// walkWindows is pagesOfWindows without the type of the items.
func walkWindows(ctx context.Context, s *service, asked period, page ListOptions, list func(period) *lister) iter.Seq2[listed, error] {
	return func(yield func(listed, error) bool) {
		left, page, seen := asked.pinned(s.now()), page, make(map[string]struct{})
		for {
			window := left.window()
			l := list(window)
			l.seen = seen
			for one, err := range l.pages(ctx, page) {
				if failed, ok := errors.AsType[*PageError](err); ok {
					failed.From, failed.To = window.from, window.to
				}
				one.window = window
				if !yield(one, err) || one.Page == nil {
					return
				}
			}
			if !window.to.Before(left.to) {
				return
			}
			left.from, page.Page = window.to, 0
		}
	}
}
