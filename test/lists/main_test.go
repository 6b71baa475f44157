package lists_test

import (
	"testing"

	"github.com/monitoring-api/monitoring-go/test/internal/kit"
)

func TestMain(m *testing.M) { kit.Main(m) }
