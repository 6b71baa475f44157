// Package monitoring is the client of the synthetic-monitoring service.
//
// A [Client] has a service for each resource, and each service a method for each
// operation of the API:
//
//	client, err := monitoring.NewClientFromEnv()
//	…
//	sessions, err := client.CheckSessions.TriggerAndWait(ctx, monitoring.TriggerRequest{
//		Target: monitoring.TriggerTarget{MatchTags: [][]string{{"production"}}},
//	}, monitoring.WaitOptions{})
//
// # Calls
//
// Every call goes one way: the request is validated, waits for a place in the rate limit, is
// sent with the key, and its response is decoded; what may be retried is retried. Options of a client ([ClientOption]) set defaults, options of a call
// ([CallOption]) override them for that call.
//
// # Errors
//
// A response that is no success is an [*APIError], and a redirect that is not followed is
// [ErrRedirect]; test for the meaning with errors.Is and [ErrNotFound], [ErrUnauthorized]
// and so on. A call that got no response, or none that can be used, is a [*CallError]. A request that breaks the rules of
// the API is a [*ValidationError], and nothing is sent. A trigger or a create of which
// nobody knows whether it was carried out is [ErrOutcomeUnknown]. A check that fails is
// a result and not an error.
//
// # What is retried
//
//	                                              reads, updates,   triggers,
//	                                              deletes, cancel   creates
//	connection not made, request not written      retried           retried
//	429                                           retried           retried
//	connection lost or timed out after writing    retried           ErrOutcomeUnknown
//	500, 502, 503, 504                            retried           ErrOutcomeUnknown
//	success that is cut, empty or no JSON         retried           ErrOutcomeUnknown
//	success that is HTML                          final             ErrOutcomeUnknown
//	success with a member of the wrong type       final             final
//	408, 499, other 5xx, 301, 302, 303            final             ErrOutcomeUnknown
//	any other status, TLS or host name is wrong   final             final
//
// There are up to 5 retries ([RetryPolicy]), after a random back-off or after the time the
// service asks for, and never beyond the deadline of the context. A body that the method does
// not read cannot be cut, empty or of the wrong form.
//
// # The rate limit
//
// The service takes 600 requests in 60 seconds. A client never sends more in any window
// of that length, however many goroutines use it; see [NewLimiter]. So share one client,
// or one [Limiter], in a program.
//
// # Requests and responses
//
// In requests, optional fields are pointers (new(true)) or lists, whose nil is absent,
// and fields that can be null are [Nullable]. In responses a field that can be null is a
// pointer. Enumerations are open: values this package does not know are kept as they
// come and sent as they are given. What hides itself when printed is a [Secret].
//
// Times of the service are [Timestamp]. Durations are numbers in the unit the field
// says, as they are in the API.
//
// # Testing
//
// Package monitoringtest is the service as an in-process fake, for tests of programs that use this
// package.
package monitoring
