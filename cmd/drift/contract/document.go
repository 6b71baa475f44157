// Package contract renders what the SDK knows of the service as an OpenAPI description:
// the operations, the members that the response types have, and the request bodies and
// query parameters that validation and the in-process fake check. The drift program
// compares it with the description of the service itself.
package contract

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/internal/schema"
)

// object is a JSON object of the description.
type object = map[string]any

// Extensions of the description, which say where the schema of a response comes from. Several
// objects of the service can have one Go type.
const (
	// GoType is the name of the string type of an enumeration.
	GoType = "x-go-type"
	// DeclaredBy has, for each member of an object, the name of the struct with its field. It is
	// an embedded struct if several objects have the member in common.
	DeclaredBy = "x-go-declared-by"
)

// Document returns the description as OpenAPI 3.1 in JSON. It is the same at each call.
//
// The schema of a response describes what the SDK can read, not what the service promises:
// no member is required, a value may be null if its Go type can tell null from the zero
// value, and enumerations are open. The schema of a request describes what the SDK may
// send. Its enumerations and bounds are those of the strictest edition of the service.
//
// An object with "additionalProperties": true has members that the SDK does not list.
func Document() ([]byte, error) {
	paths, types := object{}, newResponses()
	for _, op := range operations {
		request := schema.Lookup(op.Name)
		if request == nil {
			return nil, fmt.Errorf("operation %s has no description of its request", op.Name)
		}
		method, path, _ := strings.Cut(op.Name, " ")
		item, _ := paths[path].(object)
		if item == nil {
			item = object{}
			paths[path] = item
		}
		item[strings.ToLower(method)] = operation(op, request, types)
	}
	return json.MarshalIndent(object{
		"openapi":    "3.1.0",
		"info":       object{"title": "What monitoring-go knows of the service", "version": monitoring.Version},
		"paths":      paths,
		"components": object{"schemas": types.components},
	}, "", "  ")
}

// operation renders one operation.
func operation(op Operation, request *schema.Operation, types *responses) object {
	success := object{"description": "Success"}
	if op.Response != nil {
		success["content"] = content(types.schema(op.Response))
	}
	rendered := object{
		"operationId": operationID(op.Name),
		"responses":   object{strconv.Itoa(op.Status): success},
	}
	if parameters := parameters(op.Name, request); len(parameters) > 0 {
		rendered["parameters"] = parameters
	}
	if request.Body != nil {
		rendered["requestBody"] = object{"required": !request.BodyOptional, "content": content(node(request.Body))}
	}
	return rendered
}

func content(schema object) object {
	return object{"application/json": object{"schema": schema}}
}

// operationID makes a name of letters and digits: GET /v1/check-groups/{id} is
// getV1CheckGroupsId.
func operationID(name string) string {
	words := strings.FieldsFunc(name, func(c rune) bool { return strings.ContainsRune(" /-{}.", c) })
	id := strings.ToLower(words[0])
	for _, word := range words[1:] {
		id += strings.ToUpper(word[:1]) + word[1:]
	}
	return id
}

// parameters renders the parameters of the path and of the query.
func parameters(name string, request *schema.Operation) []any {
	var list []any
	for _, segment := range strings.Split(name, "/") {
		if id, ok := strings.CutPrefix(segment, "{"); ok {
			list = append(list, object{"name": strings.TrimSuffix(id, "}"), "in": "path", "required": true, "schema": object{"type": "string"}})
		}
	}
	for _, p := range request.Query {
		rendered := object{"name": p.Name, "in": "query", "schema": node(p.Node)}
		if p.Operators != nil { // name[operator]=value
			members := object{}
			for _, operator := range p.Operators {
				members[operator] = node(p.Node)
			}
			rendered["style"], rendered["explode"] = "deepObject", true
			rendered["schema"] = object{"type": "object", "properties": members}
		}
		list = append(list, rendered)
	}
	return list
}
