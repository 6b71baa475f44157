package main

import (
	"cmp"
	"slices"
	"sync"
	"time"
)

// known is a test by its package and name.
type known struct{ path, name string }

// noticed keeps which tests noticed mutants of a file last: they are likely to notice the next.
type noticed struct {
	guard sync.Mutex
	files map[string][]known
}

const mostNoticed = 12

func (n *noticed) add(file, path, name string) {
	n.guard.Lock()
	defer n.guard.Unlock()
	if n.files == nil {
		n.files = make(map[string][]known)
	}
	list := []known{{path, name}}
	for _, k := range n.files[file] {
		if k != list[0] && len(list) < mostNoticed {
			list = append(list, k)
		}
	}
	n.files[file] = list
}

func (n *noticed) of(file string) []known {
	n.guard.Lock()
	defer n.guard.Unlock()
	return n.files[file]
}

// batches parts tests into runs of one program each, the quickest first: those of about a
// second, then of four, and so on. Before them come the first tests, as far as they are quick.
func batches(tests []*test, first []known) [][]*test {
	place := func(t *test) int {
		if i := slices.Index(first, known{t.in.ImportPath, t.name}); i >= 0 && t.took < time.Second/2 {
			return i
		}
		return len(first)
	}
	tests = slices.Clone(tests)
	slices.SortStableFunc(tests, func(a, b *test) int {
		return cmp.Or(cmp.Compare(place(a), place(b)), cmp.Compare(a.took, b.took))
	})
	var out [][]*test
	for size := time.Second; len(tests) > 0; size *= 4 {
		n, sum := 0, time.Duration(0)
		for n < len(tests) && (n == 0 || sum+tests[n].took <= size) {
			sum += tests[n].took
			n++
		}
		var programs []*binary
		of := make(map[*binary][]*test)
		for _, t := range tests[:n] {
			if of[t.in] == nil {
				programs = append(programs, t.in)
			}
			of[t.in] = append(of[t.in], t)
		}
		for _, p := range programs {
			out = append(out, of[p])
		}
		tests = tests[n:]
	}
	return out
}
