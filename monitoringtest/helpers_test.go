package monitoringtest_test

import (
	"cmp"
	"context"
	"encoding/json"
	"maps"
	"net/url"
	"slices"

	monitoring "github.com/monitoring-api/monitoring-go"
)

func sortedKeys[K cmp.Ordered, V any](m map[K]V) []K { return slices.Sorted(maps.Keys(m)) }

// callAny calls any operation and decodes the response into out, unless that is nil.
func callAny(ctx context.Context, client *monitoring.Client, method, path string, query url.Values, in, out any, opts ...monitoring.CallOption) error {
	response, err := monitoring.Do[json.RawMessage](ctx, client, method, path, query, in, opts...)
	if err != nil || out == nil {
		return err
	}
	return json.Unmarshal(*response, out)
}
