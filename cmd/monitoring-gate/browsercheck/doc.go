// Package browsercheck reads what monitoring-gate writes with programs of others: a browser, the
// checks of axe-core for accessibility, and three parsers of JUnit XML. It is a module of its own,
// so that the SDK depends on none of them:
//
//	go -C cmd/monitoring-gate/browsercheck test ./...
//	go -C cmd/monitoring-gate/browsercheck test -run Picture -update-picture # docs/gate.png
package browsercheck
