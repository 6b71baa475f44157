// Package schema describes the request bodies and query parameters of the service, once.
//
// Three readers share the description. The SDK checks what it is about to send, the
// in-process fake checks what it receives, and the drift program compares it with the
// service's own OpenAPI description by walking [Operations].
//
// # Levels
//
// Two editions of the service are known, and they differ in what they refuse.
//
//   - [Client] refuses only what every edition refuses, so that the SDK is never
//     stricter than the service. Unknown members and parameters pass: a newer
//     service may have them. Enumerations that grow from edition to edition are open:
//     locations, runtimes, check types, address families, assertion sources and
//     comparisons, retry conditions. Upper bounds that depend on the plan are left to
//     the service.
//   - [Service] refuses what any edition refuses, so that a test which passes against
//     the fake also passes against each service. What Client refuses, Service refuses.
//   - [Newer] is Service with the wider bounds of the newer edition: 200 variables,
//     descriptions of 510 characters, response times up to 45000. It is for tests of
//     programs that use them.
//
// In the description [Node.Limits] holds at every level. [Node.Service] takes its place at
// the levels Service and Newer, and [Node.Newer] that of both at the last, limit by limit.
//
// # Where the papers are silent, or where the editions differ
//
//   - Members: what any edition takes in a request is known here (intent,
//     aiAutoRepairEnabled, checkType, request.url). A member that is only returned is
//     not.
//   - Closed objects: the papers name two (the cancel body and intent). The level
//     Service refuses unknown members in every object, because a mistyped name is the
//     mistake a fake must catch. The request and heartbeat of the generic update are
//     [Node.Free]: their members differ from check type to check type.
//   - Null: what an edition takes as null passes at both levels. A null list that no
//     edition declares (tags, alertChannelSubscriptions) is refused: the service would
//     ignore it without a word.
//   - Whole numbers: ids, counts and settings are whole at the level Service;
//     seconds and milliseconds of a measure may have a fraction. 7.0 is 7 at both levels.
//     Beyond 2^53 a whole number is refused there, because the service would round it.
//   - Descriptions: 510 characters for Client, 500 for Service. Variables: 200 and 100.
//     Characters are Unicode code points.
//   - Response times: no upper bound for Client; 5000 for Service, the bound of a plan
//     without longer times.
//   - onlyOn: one bare string or any list for Client; a list of exactly one for Service.
//   - hostname: the descriptions do not call it required. A TCP check that has neither
//     hostname nor url has nothing to connect to, and is refused at both levels. An IPv6
//     address stands without brackets: they belong to URLs.
//     {{NAME}} in a host is a variable of the check, and not looked at.
//   - request.data: "" is refused at both levels; null says the same everywhere.
//   - Empty filters of a trigger ("matchTags": []) pass. Whether every check is meant
//     is for the caller's own code to ask: {} is a valid body.
//   - Single values in place of lists are taken by the older trigger only.
//   - Repeated members: each is checked, and rules across members look at the last one.
//   - Periods: from and to are UNIX seconds, as the document says. to is after from by at most 24 hours; equal ends are refused.
//   - Whole-number parameters are written in digits; 1.0 and 1e1 are refused.
//
// # How a body is checked
//
// [Node.Check] walks the bytes of a body beside the description. Nothing is decoded,
// and nothing is allocated while nothing is wrong. Bytes that are no JSON are one
// violation. Messages never quote the value of a node that is Secret.
package schema
