// Package objects tests what one type for each resource promises: what is set, what is sent, what
// is refused, and what a copy, a file and a plan are. It runs alone, as go test ./test/objects, and
// a new resource needs a row in its table.
package objects
