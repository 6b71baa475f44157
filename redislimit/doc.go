// Package redislimit gives the clients of many processes one rate limit, on a Redis that
// they share.
//
// [New] makes a [monitoring.Limiter] that is a [monitoring.AccountLimiter] too. It is given
// to a client with [monitoring.WithLimiter]:
//
//	shared := redis.NewClient(&redis.Options{Addr: "redis.example:6379"})
//	limiter, err := redislimit.New(shared, "account-7", monitoring.DefaultRateLimit, redislimit.WithProcesses(8))
//	…
//	defer limiter.Close()
//	client, err := monitoring.NewClient(…, monitoring.WithLimiter(limiter))
//
// # What it promises
//
// No window over all processes sees more than the limit, by Redis's clock; the clocks of
// the processes do not matter. Places go in turn to the processes that wait. A process
// that waits sends Redis at most two commands in any second. A 429 that one process sees
// pauses all of them.
//
// # Without Redis
//
// No call fails because of Redis. When it is slow, down, full or read-only, each process
// goes on with its local share: the limit divided by [WithProcesses], evenly and without a
// burst. It comes back by itself. A Redis that has lost its data, or never had any, may
// have forgotten a whole window; the processes keep to their local shares until that has
// passed.
package redislimit
