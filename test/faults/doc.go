// Package faults has the tests of calls that fail and of responses that are odd, from outside. They
// run alone, with go test ./test/faults, and hold these promises:
//
//   - Each fault has one outcome for each kind of operation.
//   - A trigger or a create is carried out at most once, and an unknown outcome is reported.
//   - Retries do not multiply an outage.
//   - An error matches its reason, and the error of a context that ended.
//   - Unusual members are read, and an error names those that cannot be read.
//   - A success that is no answer, or about another object, is an error.
//   - A success whose body nobody wants stays a success if the body is cut off, or never ends.
//   - A body that is not JSON is called by its name, and is not retried.
//   - No response takes more time or memory than its bounds allow.
package faults
