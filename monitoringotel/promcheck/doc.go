// Package promcheck runs the alerts of docs/observability.md and the queries of dashboard.json on
// what OpenTelemetry's Prometheus exporter writes, with Prometheus's own engine. It is a module of
// its own, so that nobody who uses monitoringotel gets Prometheus with it.
package promcheck
