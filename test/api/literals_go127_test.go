//go:build go1.27

package api_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/test/internal/kit"
)

// The build constraint makes this a file of Go 1.27, although go.mod says 1.26.
func TestALiteralOfGo127TakesTheFieldsOfTheSettings(t *testing.T) {
	create := monitoring.TCPCheckCreate{Name: "Mail", Muted: new(true), Tags: []string{"mail"}}
	require.Equal(t, mailCheck, kit.ToJSON(t, create))
	require.Equal(t, monitoring.TCPCheckCreate{CheckSettings: monitoring.CheckSettings{Name: "Mail", Muted: new(true), Tags: []string{"mail"}}}, create)
}
