package routes

import (
	"encoding/json"
	"strconv"
	"strings"
	"sync"

	"github.com/monitoring-api/monitoring-go/monitoringtest/internal/world"
)

func init() { // the description lists the routes, of which it is one
	byOperation["GET /openapi.json"].Handle = func(*world.World, *Call) Reply { return success(description()) }
}

// description is a small OpenAPI description of the operations.
var description = sync.OnceValue(func() json.RawMessage {
	type m = map[string]any
	paths := make(map[string]m)
	for _, r := range Table {
		_, path, _ := strings.Cut(r.Operation, " ")
		if paths[path] == nil {
			paths[path] = make(m)
		}
		parameters := []m{}
		for _, segment := range strings.Split(path, "/") {
			if name, isParam := strings.CutPrefix(segment, "{"); isParam {
				parameters = append(parameters, m{"name": strings.TrimSuffix(name, "}"), "in": "path", "required": true, "schema": m{"type": "string"}})
			}
		}
		for _, taken := range r.Rules.Query {
			p := m{"name": taken.Name, "in": "query", "schema": m{"type": "string"}}
			if taken.Operators != nil {
				p["style"], p["explode"], p["schema"] = "deepObject", true, m{"type": "object"}
			}
			parameters = append(parameters, p)
		}
		operation := m{
			"operationId": operationID(r),
			"summary":     r.Summary,
			"parameters":  parameters,
			"responses": m{
				strconv.Itoa(r.Success): m{"description": "Success"},
				"401":                   m{"description": "Unauthorized"},
				"403":                   m{"description": "Forbidden"},
				"429":                   m{"description": "Too Many Requests"},
			},
		}
		if r.Rules.Body != nil {
			operation["requestBody"] = m{"required": !r.Rules.BodyOptional, "content": m{"application/json": m{"schema": m{"type": "object"}}}}
		}
		paths[path][strings.ToLower(r.Method)] = operation
	}
	return world.JSON(m{
		"openapi": "3.0.3",
		"info":    m{"title": "Monitoring Service Public API", "version": "1"},
		"paths":   paths,
		"components": m{"securitySchemes": m{
			"bearerAuth": m{"type": "http", "scheme": "bearer"},
		}},
		"security": []m{{"bearerAuth": []string{}}},
	})
})

func operationID(r *Route) string {
	_, path, _ := strings.Cut(r.Operation, " ")
	name := strings.ToLower(r.Method)
	for _, word := range strings.FieldsFunc(path, func(c rune) bool { return strings.ContainsRune("/-{}.", c) }) {
		name += strings.ToUpper(word[:1]) + word[1:]
	}
	return name
}
