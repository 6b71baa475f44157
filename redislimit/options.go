package redislimit

import (
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"
)

// Option configures a limiter; see [New]. nil is an error.
type Option func(*Limiter) error

// WithProcesses sets how many processes share the limit, for the time until Redis has replied for
// the first time; at least 1. The default is 4. If Redis cannot be reached then, each process uses
// the limit divided by this number. Later each process knows how many there are.
func WithProcesses(n int) Option {
	return func(l *Limiter) error {
		if n < 1 {
			return fmt.Errorf("%d processes: want at least 1", n)
		}
		l.processes = n
		return nil
	}
}

// WithLogger writes a record at level Warn when Redis cannot be used, with the error, and one at
// level Info when it can be used again; at most one in ten seconds. Without it there are no
// records. nil is an error.
func WithLogger(logger *slog.Logger) Option {
	return func(l *Limiter) error {
		if logger == nil {
			return errors.New("the logger is nil")
		}
		l.watch.logger = logger
		return nil
	}
}

// ErrClosed is the error of an attempt that waits for a place, or asks for one, after Close.
var ErrClosed = errors.New("redislimit: the limiter is closed")

// quiet is the least time between two records.
const quiet = 10 * time.Second

// watch writes a record when Redis can no longer be used, or can again.
type watch struct {
	logger *slog.Logger

	mu     sync.Mutex
	err    error     // of the last command
	logged bool      // the last record said that Redis cannot be used
	last   time.Time // when that was
	timer  *time.Timer
}

// commanded tells how a command ended.
func (w *watch) commanded(err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.err = err
	w.log()
}

// log writes a record if the last one says something else, at once or ten seconds after it.
func (w *watch) log() {
	if w.logger == nil || (w.err != nil) == w.logged || w.timer != nil {
		return
	}
	if wait := quiet - time.Since(w.last); wait > 0 {
		w.timer = time.AfterFunc(wait, func() {
			w.mu.Lock()
			defer w.mu.Unlock()
			w.timer = nil
			w.log()
		})
		return
	}
	w.logged, w.last = w.err != nil, time.Now()
	if w.logged {
		w.logger.Warn("redislimit: Redis cannot be used, so each process goes on with its part of the limit", "reason", w.err.Error())
		return
	}
	w.logger.Info("redislimit: Redis gives out the places again")
}

func (w *watch) end() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.logger = nil; w.timer != nil {
		w.timer.Stop()
	}
}
