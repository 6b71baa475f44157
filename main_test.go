package monitoring_test

import (
	"testing"

	"github.com/monitoring-api/monitoring-go/internal/testkit"
)

func TestMain(m *testing.M) { testkit.Main(m) }
