//go:build !(linux || darwin || freebsd || netbsd || openbsd || dragonfly)

package cli

import "os"

// terminal reports that f is not a terminal, because this system cannot be asked for its width.
func terminal(f *os.File) (width int, ok bool) {
	info, err := f.Stat()
	return 0, err == nil && f.Name() != os.DevNull && info.Mode()&os.ModeCharDevice != 0
}
