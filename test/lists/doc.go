// Package lists has the tests of lists that are read page by page, typed and untyped, from outside.
// They run alone, with go test ./test/lists, and hold these promises:
//
//   - Reading a whole list makes no unnecessary requests, and read-ahead uses the whole limit.
//   - No item is yielded twice, and none is missed without a word, also if the list changes.
//   - An item that cannot be read is an ItemError in its place, and the loop may go on.
//   - A PageError says at which page to resume.
//   - Alerts of any period are read in windows, without gap or overlap.
//   - A filter of dates holds even if the service ignores it.
//   - No goroutine outlives the loop, and a panic in one reaches it.
package lists
