package monitoring

// TabledOperations returns the operations of operationCalls, for tests outside the package.
func TabledOperations() []string {
	var list []string
	for _, c := range operationCalls {
		list = append(list, c.operation)
	}
	return list
}
