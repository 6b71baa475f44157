package redislimit

import (
	"context"
	"errors"
	"log/slog"
)

// Mode says where a limiter has its places from.
type Mode string

const (
	// ModeUnknown is the mode before the first attempt has asked Redis.
	ModeUnknown Mode = ""
	// ModeShared means that Redis gives out the places.
	ModeShared Mode = "shared"
	// ModeLocal means that the process goes on with its local share.
	ModeLocal Mode = "local"
)

// ModeChange is a change of the mode; see [WithModeHook].
type ModeChange struct {
	// Mode is the new mode, ModeShared or ModeLocal.
	Mode Mode
	// Err is why the mode is ModeLocal: [ErrWindowSpent], or an error of the Redis client, such
	// as a refused connection or READONLY. If Redis did not reply in time, it matches
	// [ErrSlow]. It is nil for ModeShared.
	Err error
}

var (
	// ErrWindowSpent is why a process keeps to its local share if Redis is new or has lost its
	// data: Redis does not know what was sent in the last window, so the window counts as full.
	ErrWindowSpent = errors.New("redislimit: Redis has no record of the last window, so the window counts as full")
	// ErrSlow is why a process keeps to its local share if Redis takes longer than the time of
	// [WithTimeout].
	ErrSlow = errors.New("redislimit: Redis did not reply in time")
	// ErrClosed is the error of an attempt that asks for a place after Close.
	ErrClosed = errors.New("redislimit: the limiter is closed")
)

// Mode returns where the limiter has its places from at the moment.
func (l *Limiter) Mode() Mode {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.mode
}

// setMode changes the mode, and returns the change, which is told without the lock. It returns
// nil if this is the mode already.
func (l *Limiter) setMode(mode Mode, reason error) *ModeChange {
	if l.mode == mode {
		return nil
	}
	l.mode = mode
	return &ModeChange{Mode: mode, Err: reason}
}

// tell calls the hook and the logger for a change, if it is not nil. Changes are made and told
// by one command after the other, so they are told in order.
func (l *Limiter) tell(c *ModeChange) {
	if c == nil {
		return
	}
	if l.logger != nil {
		if c.Mode == ModeLocal {
			l.logger.LogAttrs(context.Background(), slog.LevelWarn, "redislimit: each process goes on with its local share",
				slog.String("mode", string(c.Mode)), slog.Int("processes", l.processes), slog.String("reason", c.Err.Error()))
		} else {
			l.logger.LogAttrs(context.Background(), slog.LevelInfo, "redislimit: Redis gives out the places",
				slog.String("mode", string(c.Mode)))
		}
	}
	if l.hook != nil {
		l.hook(*c)
	}
}
