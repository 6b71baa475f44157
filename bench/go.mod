module github.com/monitoring-api/monitoring-go/bench

go 1.26

require (
	github.com/failsafe-go/failsafe-go v0.9.8
	github.com/monitoring-api/monitoring-go v0.0.0
	go.uber.org/ratelimit v0.3.1
)

require (
	github.com/benbjohnson/clock v1.3.0 // indirect
	github.com/bits-and-blooms/bitset v1.24.4 // indirect
	golang.org/x/net v0.43.0 // indirect
)

require (
	github.com/go-resty/resty/v2 v2.17.2
	github.com/google/go-querystring v1.2.0 // indirect
	github.com/hashicorp/go-cleanhttp v0.5.2 // indirect
	github.com/hashicorp/go-retryablehttp v0.7.8
	golang.org/x/time v0.15.0
)

replace github.com/monitoring-api/monitoring-go => ../
