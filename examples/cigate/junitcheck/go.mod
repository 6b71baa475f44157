module github.com/monitoring-api/monitoring-go/examples/cigate/junitcheck

go 1.26

require (
	github.com/joshdk/go-junit v1.0.0
	github.com/monitoring-api/monitoring-go v0.0.0
)

require (
	github.com/google/go-querystring v1.2.0 // indirect
	github.com/hashicorp/go-cleanhttp v0.5.2 // indirect
	github.com/hashicorp/go-retryablehttp v0.7.8 // indirect
	golang.org/x/time v0.15.0 // indirect
)

replace github.com/monitoring-api/monitoring-go => ../../..
