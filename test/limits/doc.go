// Package limits has the tests of the limit of requests, from outside and in virtual time, with
// services that count exactly. The tests of internal/limiter hold what the engine does with places.
// The tests here run alone, with go test ./test/limits, and hold what a program sees of it:
//
//   - A client at full load uses nearly the whole limit, and gets no 429.
//   - Clients that share a limiter keep one limit.
//   - A limiter is told for how long a 429 asks, within the bounds of the policy.
//   - A call that gets no place in time says so, with the pause if there is one.
//   - A limiter of one's own is asked once for each attempt, and told how each one ended.
package limits
