// Package schema describes the request bodies and query parameters of the service.
//
// Three programs share the description. The SDK checks what it is about to send, the
// in-process fake checks what it receives, and the drift program compares it with the
// service's own OpenAPI description by walking [Operations].
//
// # Levels
//
// Two editions of the service are known, and they differ in what they refuse.
//
//   - [Client] accepts what some edition accepts, so that the SDK is never stricter than
//     the service.
//   - [Service] accepts what every edition accepts, so that a test which passes against
//     the fake also passes against each service.
//
// What Client refuses, Service refuses. [Node.Limits] apply at both levels; the limits that
// [Node.Service] sets replace them at the level Service. The levels differ here:
//
//	                                Client            Service
//	unknown members, parameters     pass              are refused, but for [Node.Free]
//	a parameter given twice         passes            is refused
//	two operators of a filter       pass if a range   are refused
//	ids, counts, settings           any number        whole, at most 2^53
//	description                     510 characters    500 characters
//	environment variables           200               100
//	response times                  no upper bound    5000, as in plans without longer ones
//	location of results            any text          the data centers
//	period, grace of heartbeats     any number        30 seconds, or 0, to 365 days
//	onlyOn                          a text or a list  a list, for groups of exactly one
//	enumerations that grow          any text          those of the document
//	tags, scripts, script paths,
//	private locations, files of a
//	script                          may be empty      are not empty
//
// Enumerations that grow from edition to edition are locations, runtimes, check types,
// address families, assertion sources and comparisons, and retry conditions.
//
// # What the API document leaves open, and what differs between the editions
//
//   - Members: everything that any edition accepts in a request is described (intent,
//     aiAutoRepairEnabled, checkType, request.url). Members of responses only are not.
//   - Members that a body may have and no answer has (frequency of a heartbeat, script of an SSL
//     check) are [Node.Dropped]: nobody states what they do, so they are taken and dropped.
//   - Settings that a kind of checks does not have, although all others do, take no value at both
//     levels (retryStrategy of a heartbeat), and so does what only answers have inside an object
//     that is written back (heartbeat.pingUrl).
//   - Closed objects: the editions declare as closed the cancel bodies, intent, the security baseline
//     of an SSL check with its rules, the create of a DNS check with its retryStrategy and
//     triggerIncident, and the update of a variable ([Node.Closed]).
//     Service refuses unknown members in every object, because a mistyped name is the
//     mistake a fake must catch. The request and heartbeat of the generic update
//     are [Node.Free]: their members differ from check type to check type.
//   - Null: a member that any edition declares nullable may be null at both levels. Null
//     for another list (tags, alertChannelSubscriptions) is refused, because the service
//     would ignore it silently.
//   - Whole numbers: seconds and milliseconds may have a fraction. 7.0 is 7 at both levels.
//     The service would round whole numbers above 2^53.
//   - Characters are Unicode code points.
//   - hostname: no edition declares it required. A TCP check with neither hostname nor url
//     has nothing to connect to, and is refused at both levels. An IPv6 address has no
//     brackets: they belong to URLs. {{NAME}} in a host is a variable of the check and is
//     not checked.
//   - request.data: "" is refused at both levels; null means the same in every edition.
//     request.body is another name of it, without a bound in the edition that has it: only Service
//     refuses "".
//   - Empty filters of a trigger ("matchTags": []) pass, and so does the body {}. The SDK
//     checks elsewhere whether the caller means all checks.
//   - Only the older trigger accepts single values in place of lists.
//   - Members with the same name: each is checked; rules across members use the last one.
//   - Periods: from and to are UNIX seconds, as the document says. to must be after from,
//     by at most 24 hours.
//   - Whole-number parameters are written in digits; 1.0 and 1e1 are refused.
//
// # How a body is checked
//
// [Node.Check] reads the bytes of a body together with the description. It decodes
// nothing, and allocates nothing for a valid body. Bytes that are not JSON are one
// violation. Messages never quote the value of a node that is Secret.
package schema
