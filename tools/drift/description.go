package main

import (
	"cmp"
	"maps"
	"net/url"
	"slices"
	"strings"
)

// operation has the parts of an operation that are compared.
type operation struct {
	query    *shape   // with the parameters as members
	headers  []string // names of the headers that are required
	body     *shape   // nil without one
	needs    bool     // whether the body is required
	response *shape   // of a success; nil if the description does not say it
}

// description has the operations of a side of the comparison, by method and path.
type description map[string]*operation

var verbs = []string{"get", "put", "post", "delete", "options", "head", "patch", "trace"}

// read reads the operations of a service. Those that the SDK knows get their names from it, because
// path parameters may be called differently. Of others it reads only the name.
func read(root object, known description) description {
	r, out := newReader(root), description{}
	templates := make(map[string]string)
	for name := range known {
		templates[template(name)] = name
	}
	prefix := r.prefix()
	paths := root["paths"].(object)
	for _, path := range slices.Sorted(maps.Keys(paths)) {
		item, _ := r.follow(paths[path])
		for _, method := range verbs {
			op, _ := r.follow(item[method])
			if op == nil {
				continue
			}
			name := strings.ToUpper(method) + " " + path
			match, ok := templates[template(name)]
			if !ok {
				match, ok = templates[template(strings.ToUpper(method)+" "+prefix+path)]
			}
			if !ok {
				out[name] = &operation{}
				continue
			}
			out[match] = r.operation(item, op)
		}
	}
	return out
}

// template returns the name of an operation without the names of its path parameters.
func template(name string) string {
	segments := strings.Split(strings.TrimSuffix(name, "/"), "/")
	for i, s := range segments {
		if strings.HasPrefix(s, "{") {
			segments[i] = "{}"
		}
	}
	return strings.Join(segments, "/")
}

// prefix returns the path of the first server, which the paths of some descriptions leave out.
func (r *reader) prefix() string {
	value, _ := r.lookup("#/servers/0/url")
	address, _ := value.(string)
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return strings.TrimSuffix(u.Path, "/")
}

func (r *reader) operation(item, op object) *operation {
	out := &operation{query: &shape{members: map[string]*shape{}}}
	shared, _ := item["parameters"].([]any)
	own, _ := op["parameters"].([]any)
	for _, value := range slices.Concat(shared, own) { // a parameter of the operation replaces one of the path
		p, _ := r.follow(value)
		name, _ := p["name"].(string)
		schema := r.schema(p["schema"])
		if p["schema"] == nil {
			schema = cmp.Or(r.content(p["content"]), anything())
		}
		switch p["in"] {
		case "query":
			out.addQuery(name, schema, p["required"] == true)
		case "header":
			if p["required"] == true {
				out.headers = append(out.headers, name)
			}
		}
	}
	if body, why := r.follow(op["requestBody"]); body != nil || why != "" {
		out.body = cmp.Or(r.content(body["content"]), anything())
		out.needs = body["required"] == true
		out.body.unclear = cmp.Or(why, out.body.unclear)
	}
	out.response = r.success(op["responses"])
	return out
}

// addQuery adds a parameter. A parameter with operators may be described as an object, or as
// one parameter for each operator, such as name[gte]; both give the same result.
func (o *operation) addQuery(name string, s *shape, required bool) {
	if field, operator, ok := strings.Cut(strings.TrimSuffix(name, "]"), "["); ok {
		name, s = field, &shape{types: []string{"object"}, members: map[string]*shape{operator: s}}
		s = both(o.query.members[name], s, meet)
	}
	o.query.members[name] = s
	o.query.required = slices.DeleteFunc(o.query.required, func(other string) bool { return other == name })
	if required {
		o.query.required = append(o.query.required, name)
	}
}

// success returns the body of the first successful response that has a JSON body.
func (r *reader) success(value any) *shape {
	responses, _ := value.(object)
	codes := slices.DeleteFunc(slices.Sorted(maps.Keys(responses)), func(code string) bool { return !strings.HasPrefix(code, "2") })
	if len(codes) == 0 {
		codes = []string{"default"} // it describes errors if there are successes
	}
	for _, code := range codes {
		response, why := r.follow(responses[code])
		if why != "" {
			return &shape{null: true, unclear: why}
		}
		if s := r.content(response["content"]); s != nil {
			return s
		}
	}
	return nil
}

// content returns the schema of a JSON body; nil if there is none.
func (r *reader) content(value any) *shape {
	types, _ := value.(object)
	for _, name := range slices.Sorted(maps.Keys(types)) { // application/json before application/problem+json
		if strings.Contains(strings.ToLower(name), "json") {
			media, _ := r.follow(types[name])
			s := *r.schema(media["schema"])
			return &s
		}
	}
	return nil
}
