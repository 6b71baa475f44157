package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/examples/internal/cli"
	"github.com/monitoring-api/monitoring-go/monitoringtest"
)

// errDry ends an edit before anything is written.
var errDry = errors.New("dry run")

// dry reports whether an edit has changed something; the end of a dry run is no error.
func dry(err error) (changed bool, _ error) {
	if errors.Is(err, errDry) {
		return false, nil
	}
	return err == nil, err
}

// connect returns a client. The demo has two checks that alert nobody.
func connect(getenv cli.Getenv, demo bool, tag string, notice io.Writer) (*monitoring.Client, error) {
	if !demo {
		return cli.FromEnv(getenv)
	}
	fmt.Fprintln(notice, cli.DemoNotice)
	svc := monitoringtest.NewDemo()
	silent := map[string]any{"alertChannelSubscriptions": []any{}}
	svc.AddCheck(monitoringtest.Check{Name: "Returns API", Tags: []string{tag}, Members: silent})
	svc.AddCheck(monitoringtest.Check{Name: "Print service", Type: monitoring.CheckTypeTCP, Tags: []string{tag}, Members: silent})
	return svc.Client()
}

// failed prints an error and returns the exit code.
func failed(ctx context.Context, stderr io.Writer, err error) int {
	code := cli.Complain(stderr, "unalerted", err)
	if ctx.Err() != nil {
		return cli.ExitInterrupted
	}
	return code
}
