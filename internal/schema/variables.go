package schema

// variableCreate is the body of POST /v1/variables. A variable may be empty.
func variableCreate() *Node {
	return &Node{Kinds: Object, Members: []Member{
		{"key", required(), true},
		{"value", secretText(), true},
		{"locked", flag, false},
		{"secret", flag, false},
	}}
}

// variableUpdate is the body of PUT /v1/variables/{key}. A variable cannot become empty. An absent
// flag counts as false, so the SDK requires both.
func variableUpdate() *Node {
	value := secretText()
	value.Limits.Length = atLeast(1)
	return &Node{Kinds: Object, Members: []Member{
		{"value", value, true},
		{"locked", flag, false},
		{"secret", flag, false},
	}}
}
