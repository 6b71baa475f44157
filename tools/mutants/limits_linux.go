package main

import (
	"os/exec"
	"syscall"
)

// limitMemory bounds what each process that this one starts may take: a mutant can be a loop
// that never ends and allocates.
func limitMemory(bytes uint64) error {
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_AS, &limit); err != nil {
		return err
	}
	limit.Cur = min(bytes, limit.Max)
	return syscall.Setrlimit(syscall.RLIMIT_AS, &limit)
}

// endWithChildren makes the end of a command's context the end of all that it started.
func endWithChildren(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}
