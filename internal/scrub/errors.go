package scrub

import (
	"errors"
	"slices"
	"strconv"
)

// Safe is an error without secrets, in its text and in those of the errors behind it. Only a
// Scrubber makes one.
type Safe interface {
	error
	// Err returns the error for the caller, who may know its type.
	Err() error
	safe()
}

// Err returns the error in a Safe, which may be nil.
func Err(s Safe) error {
	if s == nil {
		return nil
	}
	return s.Err()
}

// Error returns an error that is safe: err itself, or an error with a scrubbed text if a secret is
// in the text of err or of an error behind it.
func (s *Scrubber) Error(err error) Safe {
	if s.clearError(err) {
		return clearError{err}
	}
	return &scrubbedError{text: s.Text(err.Error()), err: err}
}

// clearError is an error that had no secret.
type clearError struct{ error }

func (e clearError) Err() error    { return e.error }
func (e clearError) Unwrap() error { return e.error }
func (clearError) safe()           {}

// clearError reports whether no secret is in the texts of an error and of all errors behind it,
// which the text of the error may leave out.
func (s *Scrubber) clearError(err error) bool {
	if err == nil {
		return true
	}
	if !s.Clear(err.Error()) {
		return false
	}
	switch e := err.(type) {
	case interface{ Behind() error }: // errors.As finds what is behind it
		return s.clearError(e.Behind())
	case interface{ Unwrap() error }:
		return s.clearError(e.Unwrap())
	case interface{ Unwrap() []error }:
		return !slices.ContainsFunc(e.Unwrap(), func(err error) bool { return !s.clearError(err) })
	}
	return true
}

// scrubbedError works with errors.Is, but does not return the error behind it, because a secret
// is in the text of that error, or of one behind it.
type scrubbedError struct {
	text string
	err  error
}

func (e *scrubbedError) Err() error           { return e }
func (*scrubbedError) safe()                  {}
func (e *scrubbedError) Error() string        { return e.text }
func (e *scrubbedError) GoString() string     { return strconv.Quote(e.text) }
func (e *scrubbedError) Is(target error) bool { return errors.Is(e.err, target) }

// Timeout reports whether the error was a timeout, as net.Error does.
func (e *scrubbedError) Timeout() bool {
	t, ok := errors.AsType[interface {
		error
		Timeout() bool
	}](e.err)
	return ok && t.Timeout()
}
