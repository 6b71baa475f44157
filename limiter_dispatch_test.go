package monitoring

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestWhichOfTwoWaitersIsServedFirst(t *testing.T) {
	waiter := func(number uint64, tight bool) *queued {
		w := &queued{number: number, line: &line{}}
		w.line.ordinary.add(w)
		if tight {
			w.put(&w.line.ordinary.tight)
		}
		return w
	}
	early, late := waiter(1, false), waiter(2, false)
	tightEarly, tightLate := waiter(1, true), waiter(2, true)
	for _, c := range []struct {
		name      string
		a, b, who *queued
	}{
		{"nil of none", nil, nil, nil},
		{"the only one", early, nil, early},
		{"the first", early, late, early},
		{"the one with ample time", tightEarly, late, late},
		{"the first of two without", tightEarly, tightLate, tightEarly},
	} {
		t.Run(c.name, func(t *testing.T) {
			require.Same(t, c.who, sooner(c.a, c.b))
			require.Same(t, c.who, sooner(c.b, c.a))
		})
	}
}
