package routes

import (
	"cmp"
	"path"
	"strings"
	"time"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/monitoringtest/internal/world"
)

func getResult(w *world.World, c *Call) Reply {
	w.Settle(c.Now) // which notes errors
	result, there := w.Result(c.Params[0], c.Params[1], c.Now)
	if !there {
		return notFound()
	}
	return success(result)
}

func listAssets(w *world.World, c *Call) Reply {
	_, there := w.Result(c.Params[0], c.Params[1], c.Now)
	return c.assets(w, there)
}

// assets responds with the files of a result that is there, or is not.
func (c *Call) assets(w *world.World, there bool) Reply {
	if !there {
		return notFound()
	}
	assets := []monitoring.CheckResultAsset{}
	pattern, named := c.Param("name")
	for _, a := range w.Assets(c.Params[1]) {
		matches, _ := path.Match(pattern, a.Name)
		if c.selects("type", string(a.Type)) && (matches || !named) {
			assets = append(assets, a)
		}
	}
	return success(map[string]any{"assets": assets})
}

// selectsResult reports whether the parameters of a request select a result.
func (c *Call) selectsResult(f world.FoundResult, result world.Fields) bool {
	kind, failures := monitoring.ResultFinal, result["hasFailures"] == true
	if text, given := c.Param("resultType"); given {
		kind = monitoring.ResultType(text)
	}
	if text, given := c.Param("hasFailures"); given && (text == "true") != failures {
		return false
	}
	if text, given := c.Param("from"); given && f.Ended.Before(time.Unix(Number(text), 0)) {
		return false
	}
	if text, given := c.Param("to"); given && !f.Ended.Before(time.Unix(Number(text), 0)) {
		return false
	}
	return (kind == monitoring.ResultAll || kind == f.Kind) &&
		c.selects("location", f.Location) && c.selects("checkType", string(f.CheckType))
}

// project returns the members of a result that the parameter fields names; all without it.
func (c *Call) project(result world.Fields) world.Fields {
	names, given := c.Param("fields")
	if !given {
		return result
	}
	part := make(world.Fields)
	for name := range strings.SplitSeq(names, ",") {
		if value, there := result[memberOf(name)]; there {
			part[name] = value
		}
	}
	return part
}

// memberOf returns the member of a result that the parameter fields selects by a name.
func memberOf(field string) string {
	switch field {
	case "createdAt":
		return "created_at"
	case "created_at":
		return "" // which this parameter calls otherwise
	}
	return field
}

// unknownField returns the first name in the parameter fields that no result has; "" if there is
// none.
func (c *Call) unknownField() string {
	names, given := c.Param("fields")
	for name := range strings.SplitSeq(names, ",") {
		if given && !world.ResultMembers()[memberOf(name)] {
			return cmp.Or(name, " ")
		}
	}
	return ""
}
