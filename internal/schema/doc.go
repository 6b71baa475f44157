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
// [Node.Limits] apply at every level. At the levels Service and Newer, the limits that
// [Node.Service] sets replace them, and at the level Newer those that [Node.Newer] sets.
//
// # What the API document leaves open, and what differs between the editions
//
//   - Members: everything that any edition accepts in a request is described (intent,
//     aiAutoRepairEnabled, checkType, request.url). Members of responses only are not.
//   - Closed objects: the editions declare two of them closed (the cancel body and intent).
//     The level Service refuses unknown members in every object, because a mistyped name
//     is the mistake a fake must catch. The request and heartbeat of the generic update
//     are [Node.Free]: their members differ from check type to check type.
//   - Null: a member that any edition declares nullable may be null at every level. Null
//     for another list (tags, alertChannelSubscriptions) is refused, because the service
//     would ignore it silently.
//   - Whole numbers: ids, counts and settings must be whole at the level Service; seconds
//     and milliseconds may have a fraction. 7.0 is 7 at every level. Service refuses whole
//     numbers above 2^53, because the service would round them.
//   - Descriptions: 510 characters for Client, 500 for Service. Variables: 200 and 100.
//     Characters are Unicode code points.
//   - Response times: no upper bound for Client; 5000 for Service, the bound of a plan
//     without longer times.
//   - onlyOn: one bare string or any list for Client; a list of exactly one for Service.
//   - hostname: no edition declares it required. A TCP check with neither hostname nor url
//     has nothing to connect to, and is refused at every level. An IPv6 address has no
//     brackets: they belong to URLs. {{NAME}} in a host is a variable of the check and is
//     not checked.
//   - request.data: "" is refused at every level; null means the same in every edition.
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
