// Package kinds has one function for each kind of code that mutants change.
package kinds

import (
	"errors"
	"fmt"
	"time"
)

const (
	scale = 3
	twice = 2 * scale
	size  = 2
	share = 0.5
	seen  = 4 // the tests use it, too
)

// Level is a number of another type.
type Level uint8

var table = [size]int{1: 7}

func compare(a, b int) string {
	return fmt.Sprint(a < b, a <= b, a > b, a >= b, a == b, a != b)
}

func logic(a, b bool, say func(bool) bool) bool {
	return say(a) && (say(b) || !say(a)) || say(false)
}

func count(a, b int, f float64, s uint) string {
	return fmt.Sprint(a+b-a*b/3%5, a<<s|b>>1&a, f*1.5, 1<<s)
}

func constants(l Level) string {
	if l < twice && l != 0 {
		l += scale
	}
	l *= 2
	l--
	return fmt.Sprint(l, 90*time.Second, share*float64(l), table, -1, seen)
}

func loop(n int) (out int) {
	for i := 0; i < n; i++ {
		if i == 2 {
			continue
		}
		switch {
		case i == 5, i > 7:
			out += 100
		}
		if i == 6 {
			break
		}
		out++
	}
	for range 3 {
		out <<= 1
	}
	return out
}

func generic[T int | float64](a, b T) T {
	if a+2 < b {
		return a * b
	}
	return a
}

func failing(say func(bool) bool) (int, error) {
	defer func() { say(true) }()
	if say(true) {
		say(false)
	}
	err := errors.New("failed")
	if err = errors.Join(err, nil); err == nil {
		panic("none")
	}
	return func() (int, error) { return 1, fmt.Errorf("%v: %w", say(true), err) }()
}

func join(a string) (s string) {
	s = "<" + a
	s += ">"
	return s
}

func must(ok bool) int {
	if ok {
		return 1
	}
	panic("not ok")
}
