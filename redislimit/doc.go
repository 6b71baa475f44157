// Package redislimit gives the clients of many processes one rate limit, on a Redis that they
// share.
//
//	shared := redis.NewClient(&redis.Options{Addr: "redis.example:6379"})
//	limiter, err := redislimit.New(shared, "account-7", monitoring.DefaultRateLimit)
//	…
//	defer limiter.Close()
//	client, err := monitoring.NewClient(…, monitoring.WithLimiter(limiter))
//
// # All is well
//
// A process whose attempts wait gets a lease from Redis: some places, each with its time. It asks
// again when the lease is nearly used up. Processes are served in turn, at an even pace that keeps
// the window. After a rest a burst of places is there at once. The limiter of
// [monitoring.NewLimiter] does everything else: order, deadlines, classes, routes, and what 429s
// teach. A pause after a 429 holds for all processes.
//
//	Redis       one line of places:  a b c a b c a b c …
//	process a   lease: its next place, at its time   ─►  the limiter of the process  ─►  attempts
//
// # Redis stalls, is away, full, read-only or locked
//
// The lease is used up first. Then the process goes on as if it got more leases: with one place in
// as many as there were processes. It asks Redis once a second. When Redis replies, each process
// tells which places it has used, and when. Every place has a name, so telling it twice changes
// nothing. A command that comes late does nothing. After a silence of more than a second, Redis
// gives out places again when all have had their turn to tell. No call fails because of Redis.
//
// # Redis has lost data
//
// Processes see it by what Redis knows of them. They go on alone for one second and about two
// turns, and tell what they have used in the last window. Then Redis goes on. A new Redis is no
// trouble: processes that have used nothing get places at once.
//
// # One process is cut off
//
// It goes on alone, and Redis counts its places for it. When it is back it tells which ones it has
// really used. A process that was killed looks the same: its part is kept for two minutes if at
// most one of eight is missing, and otherwise for three seconds. Close gives everything back at
// once.
package redislimit
