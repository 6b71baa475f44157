module github.com/monitoring-api/monitoring-go/tools/record

go 1.26.0

require (
	github.com/monitoring-api/monitoring-go v0.4.0
	github.com/stretchr/testify v1.12.1
	gopkg.in/dnaeon/go-vcr.v4 v4.0.7
)

require (
	github.com/google/go-querystring v1.2.0 // indirect
	github.com/hashicorp/go-cleanhttp v0.5.2 // indirect
	github.com/hashicorp/go-retryablehttp v0.7.8 // indirect
	go.yaml.in/yaml/v3 v3.0.5 // indirect
	go.yaml.in/yaml/v4 v4.0.0-rc.6 // indirect
	golang.org/x/time v0.15.0 // indirect
)

replace github.com/monitoring-api/monitoring-go => ../../
