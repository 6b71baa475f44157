package main

import (
	_ "embed"
	"reflect"
	"strings"

	monitoring "github.com/monitoring-api/monitoring-go"
)

//go:embed contract.txt
var contract string

// methods are the types of the methods, by operation, and enums the values of the named string
// types. A test of the SDK writes the file.
var methods, enums = readContract()

func readContract() (methods map[string]reflect.Type, enums map[string][]string) {
	methods, enums = make(map[string]reflect.Type), make(map[string][]string)
	owners := map[string]reflect.Type{"Client": reflect.TypeFor[*monitoring.Client]()}
	for service := range owners["Client"].Elem().Fields() {
		if service.Type.Kind() == reflect.Pointer {
			owners[service.Type.Elem().Name()] = service.Type
		}
	}
	parts := strings.Split(contract, "\n\n")
	for line := range strings.Lines(parts[1]) { // GET /v1/locations LocationsService List
		words := strings.Fields(line)
		method, _ := owners[words[2]].MethodByName(words[3])
		methods[words[0]+" "+words[1]] = method.Type
	}
	for line := range strings.Lines(parts[2]) {
		words := strings.Fields(line)
		enums[words[0]] = words[1:]
	}
	return methods, enums
}
