package redislimit

import (
	"errors"
	"fmt"
	"log/slog"
	"time"
)

// Option configures a limiter; see [New]. nil is an error.
type Option func(*settings) error

type settings struct {
	processes int
	timeout   time.Duration
	logger    *slog.Logger
	hook      func(ModeChange)
}

// WithProcesses sets how many processes share the limit at most; at least 1. The default is
// 4. While Redis cannot be used, each process uses the limit divided by this number. If more
// processes run, the service may respond with 429 during that time.
func WithProcesses(n int) Option {
	return func(s *settings) error {
		if n < 1 {
			return fmt.Errorf("%d processes: want at least 1", n)
		}
		s.processes = n
		return nil
	}
}

// WithTimeout sets how long Redis may take for a command; more than 0. The default is 250
// milliseconds. If it takes longer, the process goes on with its local share.
func WithTimeout(d time.Duration) Option {
	return func(s *settings) error {
		if d <= 0 {
			return fmt.Errorf("timeout of %s: want more than 0", d)
		}
		s.timeout = d
		return nil
	}
}

// WithLogger writes a record at each change of the mode: at level Warn if the process goes on
// with its local share, at level Info if it shares the limit. Without it there are no
// records. nil is an error.
func WithLogger(l *slog.Logger) Option {
	return func(s *settings) error {
		if l == nil {
			return errors.New("the logger is nil")
		}
		s.logger = l
		return nil
	}
}

// WithModeHook calls a function at each change of the mode, in order, one call at a time.
// It must not block: the limiter asks Redis for nothing meanwhile. If Redis does not reply,
// the function is called when the reason is known: up to four times the time of [WithTimeout]
// after the change. nil is an error.
func WithModeHook(hook func(ModeChange)) Option {
	return func(s *settings) error {
		if hook == nil {
			return errors.New("the mode hook is nil")
		}
		s.hook = hook
		return nil
	}
}
