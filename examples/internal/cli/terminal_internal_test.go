//go:build linux

package cli

import (
	"os"
	"syscall"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"
)

func TestATerminalHasAWidthAndColors(t *testing.T) {
	f, err := os.OpenFile("/dev/ptmx", os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Skip("this machine gives no terminal:", err)
	}
	defer f.Close()
	size := struct{ rows, columns, x, y uint16 }{40, 60, 0, 0}
	raw, err := f.SyscallConn()
	require.NoError(t, err)
	require.NoError(t, raw.Control(func(fd uintptr) {
		_, _, errno := syscall.Syscall(syscall.SYS_IOCTL, fd, syscall.TIOCSWINSZ, uintptr(unsafe.Pointer(&size)))
		require.Zero(t, errno)
	}))
	tests := []struct {
		name        string
		env         map[string]string
		width       int
		live, color bool
	}{
		{"its own width", nil, 60, true, true},
		{"COLUMNS wins", map[string]string{"COLUMNS": "140"}, 140, true, true},
		{"NO_COLOR turns colors off", map[string]string{"NO_COLOR": "1"}, 60, true, false},
		{"an empty NO_COLOR does not", map[string]string{"NO_COLOR": ""}, 60, true, true},
		{"a dumb terminal can neither rewrite a line nor show colors", map[string]string{"TERM": "dumb"}, 60, false, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := NewScreen(f, env(tt.env))
			require.Equal(t, []any{tt.width, tt.live, tt.color}, []any{s.Width, s.Live, s.Color})
		})
	}
}
