package monitoringtest_test

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/monitoringtest"
)

func BenchmarkAPageOfALongList(b *testing.B) {
	svc := monitoringtest.New(monitoringtest.WithoutRecording())
	for i := range 50_000 {
		svc.AddVariable(monitoring.NewEnvironmentVariable(fmt.Sprintf("VARIABLE_%d", i), "value"))
	}
	request, err := http.NewRequest(http.MethodGet, monitoringtest.BaseURL+"/v1/variables?limit=100&page=400", nil)
	require.NoError(b, err)
	request.Header.Set("Authorization", "Bearer "+monitoringtest.APIKey)
	transport := svc.Transport()
	b.ReportAllocs()
	for b.Loop() {
		response, err := transport.RoundTrip(request)
		if err != nil || response.StatusCode != http.StatusOK {
			b.Fatal(err, response)
		}
	}
}

// A parallel test makes a service and a client of its own.
func BenchmarkAServiceForATest(b *testing.B) {
	for name, build := range map[string]func(...monitoringtest.Option) *monitoringtest.Service{"empty": monitoringtest.New, "demo": monitoringtest.NewDemo} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				svc := build()
				client, err := svc.Client()
				if err != nil {
					b.Fatal(err)
				}
				if _, err := client.Locations.List(b.Context()); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
