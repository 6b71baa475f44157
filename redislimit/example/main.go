// Example: run it in two terminals, and watch how two processes share one limit.
//
//	redis-server --save ''            # in a terminal of its own
//	go run ./example -name left       # in two more
//	go run ./example -name right
//
// Each line is a second: how many places this process had. Stop one of them, or redis-server, and
// see what the other one does.
package main

import (
	"context"
	"flag"
	"fmt"
	"log/slog"
	"os"
	"os/signal"
	"sync/atomic"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/redislimit"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run() error {
	addr := flag.String("redis", "127.0.0.1:6379", "the address of Redis")
	key := flag.String("key", "example", "the key of the limit")
	name := flag.String("name", "process", "the name in the output")
	requests := flag.Int("requests", 100, "the limit in 10 seconds")
	flag.Parse()

	client := redis.NewClient(&redis.Options{Addr: *addr})
	defer client.Close()
	limiter, err := redislimit.New(client, *key, monitoring.RateLimit{Requests: *requests, Per: 10 * time.Second},
		redislimit.WithLogger(slog.Default()))
	if err != nil {
		return err
	}
	defer limiter.Close()

	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	var places atomic.Int64
	go func() {
		for limiter.Wait(ctx, monitoring.LimitedAttempt{}) == nil { // a client with WithLimiter(limiter) does this before each attempt
			places.Add(1)
		}
	}()
	for tick := time.NewTicker(time.Second); ; {
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
			fmt.Printf("%s: %3d places in the last second\n", *name, places.Swap(0))
		}
	}
}
