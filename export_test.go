package monitoring

// TabledOperations are the operations of the table of tests, for tests outside the package.
func TabledOperations() []string {
	var list []string
	for _, c := range operationCalls {
		list = append(list, c.operation)
	}
	return list
}
