// Package requests has the tests of requests, from outside and through a client. They run alone,
// with go test ./test/requests, and hold these promises:
//
//   - Each field of a request can be sent absent, as its zero value and, where the API takes it, as null.
//   - The body of a request is that of the samples in testdata/requests, with secrets and without
//     more escapes than JSON needs.
//   - A request that breaks a rule is not sent. Its error lists every broken rule, and Validate gives
//     the same error without a call. Package schema has the rules of bodies.
//   - A trigger without filters and a withheld secret are refused even with WithoutValidation.
//   - A Nullable and a RetryStrategy are written as they were read.
package requests
