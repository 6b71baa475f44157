// Package monitoring is the client of the synthetic-monitoring service.
//
// A [Client] has a service for each resource, and each service a method for each operation of the
// API. There are also methods for operations that the API document does not have, such as
// [ChecksService.List]; a service without such an operation responds with [ErrNotFound]. The page
// docs/operations.md of the repository marks them. This runs the checks with the tag production and
// waits for them:
//
//	client, err := monitoring.NewClientFromEnv()
//	…
//	sessions, err := client.CheckSessions.TriggerAndWait(ctx, monitoring.TriggerRequest{
//		Target: monitoring.TriggerTarget{MatchTags: [][]string{{"production"}}},
//	}, monitoring.WaitOptions{Timeout: 10 * time.Minute})
//
// [Do] calls operations that have no method, and [All] reads lists that have none. The folder
// docs of the repository has a page for each question.
//
// # Calls
//
// Every call works in the same way. The request is validated, waits for a place in the rate limit,
// and is sent with the key. Then its response is decoded. Failures are retried if that is safe.
// Options of a client ([ClientOption]) set defaults, and options of a call ([CallOption]) override
// them for that call.
//
// # Errors
//
// A non-2xx response is an [*APIError]. Test for its meaning with errors.Is and [ErrNotFound],
// [ErrUnauthorized] and so on. A call that got no usable response is a [*CallError]. So is a
// redirect that is not followed; it matches [ErrRedirect]. A request that breaks the
// rules of the API is a [*ValidationError], and nothing is sent. If it is not known whether a
// trigger or a create was carried out, the error is [ErrOutcomeUnknown]. A check that fails is a
// result and not an error.
//
// # What is retried
//
//	                                              reads, updates,   triggers,
//	                                              deletes, cancel   creates
//	connection not made, request not written      retried           retried
//	429                                           retried           retried
//	connection lost or timed out after writing    retried           ErrOutcomeUnknown
//	408, 499, 500, 502, 503, 504                  retried           ErrOutcomeUnknown
//	success that is cut off or empty              retried           ErrOutcomeUnknown
//	success that is no JSON, such as HTML or text final             ErrOutcomeUnknown
//	success that is an error object               final             ErrOutcomeUnknown
//	success about something else                  final             ErrOutcomeUnknown
//	success of the wrong type, without id, or 204 final             ErrResultLost
//	other 5xx, 301, 302, 303                      final             ErrOutcomeUnknown
//	any other status, TLS or host name is wrong   final             final
//
// There are up to 5 retries ([RetryPolicy]), after a random back-off or after the time that the
// service asks for. None begins after the deadline of the context. Deletes, cancel and a [Do] of
// struct{} need no body: any body of a success will do, except for HTML and an error object. An
// error object has a number from 400 as its statusCode, and a text as its error. For methods that
// return one object, {} and null count as a wrong type. So does an object with another id than the
// one asked for.
//
// # The rate limit
//
// The service accepts 600 requests in 60 seconds. A client never sends more in any window of
// that length, however many goroutines use it; see [NewLimiter]. So share one client, or one
// [Limiter], in a program.
//
// # Objects
//
// [Check], [CheckGroup], [AlertChannel], [Snippet], [PrivateLocation], [EnvironmentVariable] and
// [MaintenanceWindow] are what the service returns, and what you create, change and keep in files.
// A pointer that is nil, a zero [Nullable], a nil list and an empty text are not set. A Nullable
// may also be null, and an empty list that is not nil clears a list.
//
// An object that the client has returned knows what it was: Update sends what you have changed
// since. What you have unset is sent as null, a list as []. Any other object, a literal or one of a
// file, is what you have set in it, and Create and Update send that:
//
//	client.Checks.Update(ctx, &monitoring.Check{ID: id, CheckType: monitoring.CheckTypeAPI, Muted: new(true)})
//
// Edit reads an object, lets a function change it, and writes what has changed. If nothing has,
// nothing is sent; [ErrDryRun] and [WithChanges] show what would be. SetFrom gives an object what
// another one has, such as one of a file; what that lacks stays. Template makes a copy to create.
// [MarshalPlan] stores an object with what it was, and [WithUnchanged] writes it if it still is so.
//
// The services of groups, channels, snippets, locations, variables and DNS checks take no part of
// an object: what is left out may get its default. So they are sent the rest as it was read, and a
// literal that lacks something is refused. An update leaves out secrets that the service withholds,
// and members of the object itself that this package does not know: Omitted names them, and
// [WithStrictUpdates] refuses such an update. If the service responds with success but did not take
// a change, the error is a [*UpdateIgnoredError].
//
// # Requests and responses
//
// In requests, optional fields are pointers (new(true)) or lists, and nil leaves them out; fields
// that can be null are [Nullable]. In other responses a field that can be null is a pointer.
// Enumerations are open: values that this package does not know are kept as they were received, and
// sent as they were given. Only the types of retries and escalations, the severities of incidents,
// and the units of heartbeat periods and of repeated maintenance windows are fixed by the service;
// [WithoutValidation] sends others. A [Secret] does not show its text when it is printed. The Extra
// of an object has the members of the response without a field; it is a copy to read, and hidden
// like a secret.
//
// Times of the service are [Timestamp]. Durations are numbers, as in the API; the comment of
// the field says the unit.
//
// # Lists
//
// The method List returns one page. All ranges over the items of every page, and Pages over the
// pages. Requests are made while it is ranged over, and each range starts a new iteration.
//
// An error of a page is a [*PageError]; it is yielded once, and ends the iteration. An item that
// cannot be decoded is an [*ItemError] in its place, after which the loop may go on. Invalid
// options are a [*ValidationError], and nothing is sent.
//
// The list may change during the iteration. An item that has an id is never yielded twice. An item
// is not missed if it is in the list from the first request to the last, and never before the page
// options.Page. One of these must hold, too:
//
//   - each response has the total, and between two requests items are only added or only
//     removed, any number of them, anywhere; or
//   - no response has the total, and no items are removed from pages that were read.
//
// Moving an item counts as removing and adding it. With [WithReadAhead] several pages are
// fetched at the same time. Then an item is not missed if each response has the total and the
// list only grows or only shrinks during the whole iteration.
//
// A service that ignores the parameter page is an error. It is recognized by the same page five
// times in a row, or by nothing new on three more pages than were read before. If the total grows
// meanwhile, up to a hundred more such pages are accepted.
//
// When the list shrinks, pages are read again: in one iteration at most eight more than it
// has pages. If that is not enough, items may be missed, and [Page.MayMissItems] says so.
//
// # Waits
//
// [CheckSessionsService.Wait], [CheckSessionsService.WaitAll] and
// [CheckSessionsService.TriggerAndWait] wait for check sessions with long polls. These take the
// places in the limit that other calls leave.
// The Verdict of a session says whether its check passed, and FetchFailingResults and Messages say
// why it did not.
//
// # Testing
//
// Package monitoringtest is an in-process fake of the service, for tests of programs that use
// this package.
//
// # Examples
//
// The tests run each of these examples and compare its output. pkg.go.dev shows an example
// below the name that it is about. The source is in the files example*_test.go of this package.
// In the repository, go test -run Example -v . runs them.
package monitoring
