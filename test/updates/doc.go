// Package updates has the tests of updates of groups and checks, from outside and through a client.
// They run alone, with go test ./test/updates, and hold these promises:
//
//   - What was read can be written back, and only what the caller changed changes.
//   - A secret that the service withholds is never overwritten, and never sent as null.
//   - Null is restored as null, and unknown members stay with their object.
//   - Withheld names what an update leaves out, and WithStrictUpdates refuses to leave it out.
//   - A snapshot, with secrets or without, restores what can be read.
//   - Edit sends nothing if nothing changes, and Diff shows each change and no secret.
//   - WithBodyField reaches every member, and cannot overwrite a withheld secret.
package updates
