package promcheck_test

import (
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"
)

// source is where a panel or a target gets its data from.
type source struct{ Type, UID string }

// target is a query of the dashboard.
type target struct {
	Expr, LegendFormat, RefID string
	Datasource                source
}

type panel struct {
	ID          int
	Type, Title string
	Datasource  source
	GridPos     struct{ X, Y, W, H int }
	FieldConfig struct {
		Defaults  struct{ Unit string }
		Overrides []any
	}
	Targets []target
}

// dashboard has the members that Grafana documents as the JSON model of a dashboard.
type dashboard struct {
	ID            *int
	UID, Title    string
	SchemaVersion int
	Time          struct{ From, To string }
	Annotations   struct{ List []any }
	Templating    struct {
		List []struct{ Name, Type, Query string }
	}
	Panels []panel
}

func readDashboard(t *testing.T) (d dashboard) {
	t.Helper()
	data, err := os.ReadFile("../dashboard.json")
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(data, &d))
	return d
}

func TestTheDashboardHasWhatGrafanaImports(t *testing.T) {
	d := readDashboard(t)
	require.Nil(t, d.ID, "Grafana gives the id; a number would replace the dashboard that has it")
	require.Regexp(t, `^[\w-]{1,40}$`, d.UID)
	require.NotEmpty(t, d.Title)
	require.GreaterOrEqual(t, d.SchemaVersion, 36, "from 36 on a data source is an object with type and uid")
	require.NotEmpty(t, d.Time.From)
	require.NotNil(t, d.Annotations.List)

	// The reader chooses the data source, so no panel may name one of ours.
	require.Len(t, d.Templating.List, 1)
	variable := d.Templating.List[0]
	require.Equal(t, "datasource", variable.Type)
	require.Equal(t, "prometheus", variable.Query)
	chosen := source{"prometheus", "${" + variable.Name + "}"}

	ids, cells := map[int]bool{}, map[[2]int]string{}
	units := regexp.MustCompile(`^(none|s|ops|reqps|percentunit)$`) // ids of Grafana's units
	for _, p := range d.Panels {
		require.False(t, p.ID < 1 || ids[p.ID], "%s: the id %d", p.Title, p.ID)
		ids[p.ID] = true
		require.NotEmpty(t, p.Title)
		require.Equal(t, "timeseries", p.Type, p.Title)
		require.Equal(t, chosen, p.Datasource, p.Title)
		require.Regexp(t, units, p.FieldConfig.Defaults.Unit, p.Title)
		require.NotNil(t, p.FieldConfig.Overrides, p.Title)
		at := p.GridPos
		require.True(t, at.X >= 0 && at.Y >= 0 && at.W > 0 && at.H > 0 && at.X+at.W <= 24, "%s: %+v is outside of the 24 columns", p.Title, at)
		for x := at.X; x < at.X+at.W; x++ {
			for y := at.Y; y < at.Y+at.H; y++ {
				require.Empty(t, cells[[2]int{x, y}], "%s covers another panel", p.Title)
				cells[[2]int{x, y}] = p.Title
			}
		}
		require.NotEmpty(t, p.Targets, p.Title)
		for i, one := range p.Targets {
			require.Equal(t, fmt.Sprintf("%c", 'A'+i), one.RefID, p.Title)
			require.NotEmpty(t, one.Expr, p.Title)
			require.NotEmpty(t, one.LegendFormat, p.Title)
			require.Equal(t, chosen, one.Datasource, p.Title)
		}
	}
}
