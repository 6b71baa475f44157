// Package secrets has the tests of what must not be shown, from outside; see SECURITY.md. They run
// alone, with go test ./test/secrets, and hold these promises:
//
//   - No verb of fmt, no log and no encoding shows a Secret, the key or the account.
//   - No error shows them, whatever the service or a transport says.
//   - A request has its secrets, and a withheld secret is never sent.
//   - A key leaves only for the base URL, also after a redirect.
//   - A key source is asked for each attempt, and once more after a 401.
package secrets
