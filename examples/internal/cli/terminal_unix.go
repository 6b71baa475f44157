//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

package cli

import (
	"os"
	"syscall"
	"unsafe"
)

// terminal asks the system for the width of a terminal; 0 is not known. Whoever has no
// such size is no terminal: a device such as /dev/null has none.
func terminal(f *os.File) (width int, ok bool) {
	raw, err := f.SyscallConn()
	if err != nil {
		return 0, false
	}
	var size struct{ rows, columns, x, y uint16 }
	var errno syscall.Errno
	if err := raw.Control(func(fd uintptr) {
		_, _, errno = syscall.Syscall(syscall.SYS_IOCTL, fd, syscall.TIOCGWINSZ, uintptr(unsafe.Pointer(&size)))
	}); err != nil || errno != 0 {
		return 0, false
	}
	return int(size.columns), true
}
