package scrub

import (
	"slices"
	"strings"
	"sync"
)

// span is a part of a text.
type span struct{ from, to int }

// secrets are what a Scrubber looks for, as they are, and in small letters for names of headers.
// They are sorted when the first text is searched: most calls have none.
type secrets struct {
	list          []string
	exact, folded sorted
}

func (s *secrets) sorted() *sorted {
	s.exact.once.Do(func() { s.exact.fill(slices.Clone(s.list)) })
	return &s.exact
}

func (s *secrets) inSmallLetters() *sorted {
	s.folded.once.Do(func() {
		var list []string
		for _, secret := range s.list {
			list = append(list, strings.ToLower(secret))
		}
		s.folded.fill(list)
	})
	return &s.folded
}

// sorted are secrets in the order of their bytes. A text is compared with a few of them at each
// place, so a response may have as many secrets as texts.
type sorted struct {
	once    sync.Once
	list    []string
	shorter []int     // of each the longest other one that it begins with, -1 if there is none
	begins  [256]bool // the bytes that one begins with
	longest int
}

func (s *sorted) fill(list []string) {
	slices.Sort(list)
	s.list = slices.Compact(list)
	s.shorter = make([]int, len(s.list))
	for i, secret := range s.list {
		s.begins[secret[0]], s.longest = true, max(s.longest, len(secret))
		before := i - 1
		for before >= 0 && !strings.HasPrefix(secret, s.list[before]) {
			before = s.shorter[before]
		}
		s.shorter[i] = before
	}
}

// in returns the parts of a text that are secrets, in their order. Those that overlap are one.
func (s *sorted) in(text string) (found []span) {
	for at := range len(text) {
		to := at + s.at(text[at:])
		if last := len(found) - 1; last >= 0 && at < found[last].to {
			found[last].to = max(found[last].to, to)
		} else if to > at {
			found = append(found, span{at, to})
		}
	}
	return found
}

// at returns the length of the longest secret that a text begins with, 0 if there is none. Such a
// secret is the last one that is not behind the text in the order, or that one begins with it.
func (s *sorted) at(text string) int {
	if !s.begins[text[0]] {
		return 0
	}
	last, exact := slices.BinarySearch(s.list, text)
	if !exact {
		last--
	}
	if last < 0 {
		return 0
	}
	equal := equalBytes(s.list[last], text)
	for last >= 0 && len(s.list[last]) > equal {
		last = s.shorter[last]
	}
	if last < 0 {
		return 0
	}
	return len(s.list[last])
}

// equalBytes returns how many bytes of two texts are equal before the first that differs.
func equalBytes(a, b string) (n int) {
	const block = 64 // are compared at once, because secrets may be long
	for n+block <= min(len(a), len(b)) && a[n:n+block] == b[n:n+block] {
		n += block
	}
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	return n
}

// begin reports whether a text is the beginning of a secret, and not all of it.
func (s *sorted) begin(text string) bool {
	if !s.begins[text[0]] {
		return false
	}
	behind, exact := slices.BinarySearch(s.list, text)
	if exact {
		behind++
	}
	return behind < len(s.list) && strings.HasPrefix(s.list[behind], text)
}
