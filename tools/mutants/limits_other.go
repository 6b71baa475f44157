//go:build !linux

package main

import "os/exec"

// limitMemory does nothing: only Linux has a limit that fits.
func limitMemory(uint64) error { return nil }

// endWithChildren leaves it to the go command to end what it started.
func endWithChildren(*exec.Cmd) {}
