//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

package cli

import (
	"os"
	"syscall"
	"unsafe"
)

// terminal returns the width of a terminal; 0 if it is not known. A file for which the system
// has no such size, such as /dev/null, is not a terminal.
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
