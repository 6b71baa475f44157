//go:build !(linux || darwin || freebsd || netbsd || openbsd || dragonfly)

package cli

import "os"

// terminal cannot ask this system for the width of a terminal.
func terminal(f *os.File) (width int, ok bool) {
	info, err := f.Stat()
	return 0, err == nil && f.Name() != os.DevNull && info.Mode()&os.ModeCharDevice != 0
}
