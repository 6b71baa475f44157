package monitoringtest

import (
	"reflect"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/monitoring-api/monitoring-go/monitoringtest/internal/front"
)

// A fault has a function of Request, so that the compiler does not see whether all members arrive.
func TestAFaultArrivesWithAllItsMembers(t *testing.T) {
	fault := Fault{Match: func(r Request) bool { return r.Path == "/v1/locations" }}
	members := reflect.ValueOf(&fault).Elem()
	for i := range members.NumField() {
		switch member := members.Field(i); member.Kind() {
		case reflect.String:
			member.SetString("text")
		case reflect.Int, reflect.Int64:
			member.SetInt(int64(time.Second) + int64(i))
		case reflect.Uint8:
			member.SetUint(uint64(FaultCutBody))
		case reflect.Float64:
			member.SetFloat(0.5)
		case reflect.Bool:
			member.SetBool(true)
		case reflect.Map:
			member.Set(reflect.ValueOf(map[string][]string{"X-Name": {"value"}}).Convert(member.Type()))
		}
		require.False(t, members.Field(i).IsZero(), members.Type().Field(i).Name)
	}
	inner := fault.front()
	arrived := reflect.ValueOf(inner)
	require.Equal(t, members.NumField(), arrived.NumField())
	for i := range members.NumField() {
		name := members.Type().Field(i).Name
		if name != "Match" {
			require.EqualValues(t, members.Field(i).Interface(), arrived.FieldByName(name).Convert(members.Field(i).Type()).Interface(), name)
		}
	}
	require.True(t, inner.Match(front.Request{Path: "/v1/locations"}))
	require.False(t, inner.Match(front.Request{Path: "/v1/variables"}))
}
