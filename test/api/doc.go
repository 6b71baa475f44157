// Package api has the tests that compare the SDK with the document of the API, and those of
// requests, options, hooks and single types, from outside. They run alone, with go test ./test/api,
// and hold these promises:
//
//   - Each operation has one method, and it sends what the document says.
//   - An id is sent as one escaped segment of the path, or is refused.
//   - Each field of the document has a field of the right type, and each enumeration its constants.
//   - Each field of a request can be sent absent, as its zero value and, where the API takes it,
//     as null.
//   - The body of a request is that of the samples in testdata/requests, with secrets and without
//     more escapes than JSON needs.
//   - A request that breaks a rule is not sent. Its error lists every broken rule, and Validate
//     gives the same error without a call. Package schema has the rules of bodies.
//   - A trigger without filters and a withheld secret are refused even with WithoutValidation.
//   - A Nullable and a RetryStrategy are written as they were read.
//   - Options of a call override those of its client, and an option that makes no sense is an
//     error.
//   - Hooks, logs and WithResponse report each attempt and each call.
//   - A raw result is copied unchanged, and a result says why it failed.
//   - A timestamp is read in every spelling, and written with the text it was read from.
package api
