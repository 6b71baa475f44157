package monitoring

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestWithQueryWorksOnAnOperationWithoutAQuery(t *testing.T) {
	client, sent := newTestClient(t, 200, "[]")
	require.NoError(t, second(client.Locations.List(t.Context(), WithQuery("new", "1"))))
	require.NoError(t, second(client.Locations.List(t.Context())))
	require.Equal(t, testBase+"/v1/locations?new=1", sent.Sent[0].URL)
	require.Equal(t, testBase+"/v1/locations", sent.Sent[1].URL)
}
