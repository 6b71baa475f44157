// Package monitoring is a client for the Monitoring Service, which probes websites and APIs from
// regions around the world.
//
// Create a [Client] with [NewClient] or [NewClientFromEnv], and call the methods of its services.
// This runs every check tagged "production" and prints the verdicts:
//
//	client, err := monitoring.NewClientFromEnv()
//	if err != nil {
//		return err
//	}
//	sessions, err := client.CheckSessions.TriggerAndWait(ctx, monitoring.TriggerRequest{
//		Target: monitoring.TriggerTarget{MatchTags: [][]string{{"production"}}},
//	}, monitoring.WaitOptions{Timeout: 10 * time.Minute})
//	for _, s := range sessions {
//		fmt.Println(s.Name, s.Verdict(), s.Messages())
//	}
//	if err != nil {
//		return err // a call failed, or a session could not be followed to its end
//	}
//
// This changes one setting of a check and leaves the rest alone:
//
//	check, err := client.Checks.Edit(ctx, id, func(c *monitoring.Check) error {
//		c.Muted = new(true)
//		return nil
//	})
//
// Share one client across your program. It is safe for concurrent use, and sharing it keeps the
// program below the rate limit of the service.
//
// For a tutorial and guides, see the docs folder of the repository:
// https://github.com/monitoring-api/monitoring-go/tree/main/docs
//
// # Operations
//
// Each field of [Client] has methods for the operations of a resource. Some of these, such as
// [ChecksService.List], call operations that the public API document does not describe; the page
// docs/operations.md marks them with (+). If your service lacks such an operation, the method
// returns [ErrNotFound]. Where a comment says that only newer services have a field, older ones
// ignore it, and do not return it. To call an operation without a method, use [Do], or [All] for a
// list.
//
// # Options
//
// A [ClientOption] configures a client, and a [CallOption] one call. An [Option], such as
// [WithTimeout], does either: given to [NewClient], it sets the default for all calls. NewClient
// and calls return an error if an option is invalid, such as one with a nil function or a negative
// number. If a hook is given several times, all are called, in this order.
//
// # Errors
//
// A check that fails is a result. An error means that the call failed:
//
//   - [*APIError]: the service responded with an error status. Use errors.Is with [ErrNotFound],
//     [ErrUnauthorized] and so on to see which. Methods that take an id return ErrNotFound if no
//     such object exists, and methods that create return [ErrPaymentRequired] if the plan does not
//     allow another object.
//   - [*CallError]: there was no usable response. The network failed, the context ended, a redirect
//     was refused, or the body of a success made no sense.
//   - [*ValidationError]: the request breaks a rule of the API, such as an id of 0, so it was not
//     sent. The Validate methods return the same error without a call, or nil.
//   - [ErrOutcomeUnknown]: a trigger or create may or may not have taken effect, because its
//     response was lost. Look before you send it again.
//
// # Retries
//
// The client retries reads, updates, deletes and cancels after lost connections, truncated
// responses, and status 408, 429, 499, 500, 502, 503 or 504: up to 5 times, after a random back-off
// or the delay that the service asks for, and never past the deadline of the context. Triggers and
// creates are retried only if the service certainly has not acted on them, so nothing is ever
// started twice. A delete succeeds if a retry finds the object gone. See [RetryPolicy], and
// [SafeToRetry] for retries of your own.
//
// # Rate limit
//
// The service accepts 600 requests per minute. A client never sends more in any 60 seconds,
// retries included, however many goroutines use it: 100 at once after a rest, and then about 8 per
// second. Calls wait for their turn; set a deadline to bound the wait. Clients share the limit if
// they share a [Limiter].
//
// # Objects
//
// You create, change and keep in files the same types that the service returns: [Check],
// [CheckGroup], [AlertChannel], [Snippet], [PrivateLocation], [EnvironmentVariable] and
// [MaintenanceWindow]. Their methods are described at Check.
//
// A nil pointer, nil list, empty string or zero [Nullable] is not set. An empty list that is not
// nil clears a list, and [Null] unsets a field.
//
// An object that the client returned remembers what it was. Its Update sends what you changed
// since; what you unset is sent as null, or as [] for a list. Update of an object that you built
// yourself, or read from a file, sends what you set:
//
//	client.Checks.Update(ctx, &monitoring.Check{
//		ID: id, CheckType: monitoring.CheckTypeAPI, Muted: new(true),
//	})
//
// For groups, channels, snippets, private locations, variables and DNS checks, the service may
// reset what an update leaves out. Their updates are therefore sent whole: what you did not change
// is sent unchanged, and one that you built yourself must be complete.
//
// Two things are left out even then: lists and objects that contain a secret which the service
// withholds, unless you change them, and unknown fields at the top of the object. Omitted names
// them, and [WithStrictUpdates] refuses such updates. An update that the service accepts without
// applying a change returns an [*UpdateIgnoredError].
//
// See docs/how-updates-work.md for the details.
//
// # Values
//
// Enumerations are open: values that this package does not know are kept and can be sent. The
// exceptions are the types of retries and escalations, the severities of incidents, and the units
// of heartbeats and of repeated maintenance windows; to send other values of these, use
// [WithoutValidation]. In responses other than objects, a field that can be null or missing is a
// pointer; see [ValueOr]. Durations are numbers, with their unit in the comment of the field.
//
// A [Secret] is hidden in logs, in fmt output and in JSON. Unknown fields of a response are in the
// Extra of its type: a copy to read, which in an object is hidden like a secret. Encode the whole
// response to keep them: [json.Marshal] of a part of it writes the part without its Extra.
//
// # Lists
//
// List returns one page, Pages iterates over pages, and All over items. Iterators request pages
// while you range over them, and each range starts anew.
//
// If a page cannot be read, the iterator yields a [*PageError], which holds the page to resume at,
// and stops. An item that cannot be decoded yields an [*ItemError] instead, and the loop may go on.
// Pages yields such a page together with an error that joins one ItemError for each bad item.
//
// The list may change while you read it. No item with an id is yielded twice. An item that stays in
// the list, and does not move to a page before the first one you asked for, is not missed if
//
//   - responses report the total, and between two requests items are only added or only removed, or
//   - no response reports the total, and nothing is removed from pages that were read.
//
// Moving an item counts as removing and adding it. [Page.MayMissItems] is set where a list shrank
// too often. [WithReadAhead] promises less.
//
// # Waiting
//
// [CheckSessionsService.TriggerAndWait], [CheckSessionsService.Wait] and
// [CheckSessionsService.WaitAll] follow sessions with long polls, which use only the part of the
// rate limit that other calls leave. [CheckSession.Verdict] is the outcome, and
// [CheckSessionsService.FetchFailingResults] fetches the details.
//
// # Testing
//
// Package [github.com/monitoring-api/monitoring-go/monitoringtest] is an in-process fake of the
// service. In the examples, demo and exampleClient return clients of such a fake.
package monitoring
