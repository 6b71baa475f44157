// Fleet shows processes that share one limit. Run it in several terminals:
//
//	redis-server --save ''           # in a terminal of its own
//	cd examples/fleet
//	go run . -name left              # in two more
//	go run . -name right
//
// Each line is a second: how many places this process had. Stop one of them, or redis-server, and
// see what the other one does.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"sync/atomic"
	"time"

	"github.com/redis/go-redis/v9"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/redislimit"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	flags := flag.NewFlagSet("fleet", flag.ContinueOnError)
	flags.SetOutput(stderr)
	addr := flags.String("redis", "127.0.0.1:6379", "the `address` of Redis")
	key := flags.String("key", "example", "the key of the limit in Redis")
	name := flags.String("name", "process", "the name in the output")
	requests := flags.Int("requests", 100, "the limit in 10 seconds")
	if err := flags.Parse(args); errors.Is(err, flag.ErrHelp) {
		return 0
	} else if err != nil {
		return 2
	}
	client := redis.NewClient(&redis.Options{Addr: *addr})
	defer client.Close()
	limit := monitoring.RateLimit{Requests: *requests, Per: 10 * time.Second}
	limiter, err := redislimit.New(client, *key, limit, redislimit.WithLogger(slog.New(slog.NewTextHandler(stderr, nil))))
	if err != nil {
		fmt.Fprintln(stderr, err)
		return 2
	}
	defer limiter.Close()

	var places atomic.Int64
	go func() {
		for limiter.Wait(ctx, monitoring.AttemptRequest{}) == nil { // a client with WithLimiter(limiter) does this before each attempt
			places.Add(1)
		}
	}()
	ticker := time.NewTicker(time.Second)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return 0
		case <-ticker.C:
			fmt.Fprintf(stdout, "%s: %3d places in the last second\n", *name, places.Swap(0))
		}
	}
}
