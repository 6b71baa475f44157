package monitoringtest

import (
	"encoding/json"
	"strconv"
	"strings"
	"sync"
)

func (s *Service) getDescription(*call) response { return success(description()) }

// description is a small OpenAPI description of the operations.
var description = sync.OnceValue(func() json.RawMessage {
	type m = map[string]any
	paths := make(map[string]m)
	for _, r := range routes {
		_, path, _ := strings.Cut(r.operation, " ")
		if paths[path] == nil {
			paths[path] = make(m)
		}
		parameters := []m{}
		for _, segment := range strings.Split(path, "/") {
			if name, isParam := strings.CutPrefix(segment, "{"); isParam {
				parameters = append(parameters, m{"name": strings.TrimSuffix(name, "}"), "in": "path", "required": true, "schema": m{"type": "string"}})
			}
		}
		for _, taken := range r.rules.Query {
			p := m{"name": taken.Name, "in": "query", "schema": m{"type": "string"}}
			if taken.Operators != nil {
				p["style"], p["explode"], p["schema"] = "deepObject", true, m{"type": "object"}
			}
			parameters = append(parameters, p)
		}
		operation := m{
			"operationId": operationID(r),
			"summary":     r.summary,
			"parameters":  parameters,
			"responses": m{
				strconv.Itoa(r.success): m{"description": "Success"},
				"401":                   m{"description": "Unauthorized"},
				"403":                   m{"description": "Forbidden"},
				"429":                   m{"description": "Too Many Requests"},
			},
		}
		if r.rules.Body != nil {
			operation["requestBody"] = m{"required": !r.rules.BodyOptional, "content": m{"application/json": m{"schema": m{"type": "object"}}}}
		}
		paths[path][strings.ToLower(r.method)] = operation
	}
	return mustMarshal(m{
		"openapi": "3.0.3",
		"info":    m{"title": "Monitoring Service Public API", "version": "1"},
		"paths":   paths,
		"components": m{"securitySchemes": m{
			"bearerAuth": m{"type": "http", "scheme": "bearer"},
		}},
		"security": []m{{"bearerAuth": []string{}}},
	})
})

func operationID(r *route) string {
	_, path, _ := strings.Cut(r.operation, " ")
	name := strings.ToLower(r.method)
	for _, word := range strings.FieldsFunc(path, func(c rune) bool { return strings.ContainsRune("/-{}.", c) }) {
		name += strings.ToUpper(word[:1]) + word[1:]
	}
	return name
}
