// Package redislimit gives the clients of many processes one rate limit, on a Redis that
// they share.
//
// [New] makes a [monitoring.Limiter], which is given to a client with [monitoring.WithLimiter]:
//
//	shared := redis.NewClient(&redis.Options{Addr: "redis.example:6379"})
//	limiter, err := redislimit.New(shared, "account-7", monitoring.DefaultRateLimit, redislimit.WithProcesses(8))
//	…
//	defer limiter.Close()
//	client, err := monitoring.NewClient(…, monitoring.WithLimiter(limiter))
//
// # What it promises
//
// All processes together never send more than the limit in any window, by Redis's clock; the
// clocks of the processes do not matter. The waiting processes get places in turn. A process
// with waiting attempts sends Redis at most two commands in any second, and before the first
// one another that asks for Redis's time. A 429 that one process gets pauses all of them.
//
// # Without Redis
//
// No call fails because of Redis. If Redis is slow, down, full or read-only, each process
// goes on with its local share: the limit divided by [WithProcesses], evenly and without a
// burst. The limit is shared again as soon as Redis can be used: the processes tell which places
// they have used meanwhile, and when, so that the next window is used, too. A Redis without
// data may have lost the last window, so the processes keep to their local shares for one window.
package redislimit
