package updates

import (
	"unicode/utf8"

	"github.com/monitoring-api/monitoring-go/internal/rawjson"
	"github.com/monitoring-api/monitoring-go/internal/scrub"
)

// NotUTF8 returns the paths of the texts in a body that are not UTF-8, which no service could read
// as they are. The path of a name is that of the member with it. Texts that stand like that in what
// was read are not among them: the service has them.
func NotUTF8(body, read []byte) (paths []string) {
	if utf8.Valid(body) {
		return nil
	}
	known := make(map[string]bool)
	eachNotUTF8(read, func(_, text []byte) { known[string(text)] = true })
	eachNotUTF8(body, func(path, text []byte) {
		if !known[string(text)] {
			paths = append(paths, string(path))
		}
	})
	return paths
}

// eachNotUTF8 visits the texts in a value that are not UTF-8, with their paths.
func eachNotUTF8(data []byte, visit func(path, text []byte)) {
	look := func(path, text []byte) {
		if !utf8.Valid(text) {
			visit(path, text)
		}
	}
	var value func(path []byte, at int) int
	value = func(path []byte, at int) int {
		switch rawjson.Kind(data[at:]) {
		case '"':
			end := rawjson.EndOfString(data, at)
			look(path, data[at:end])
			return end
		case '{':
			return rawjson.EachMember(data, at, func(name []byte, at int) int {
				inner := rawjson.Step{Name: scrub.Clean(rawjson.Unquote(name)), Index: -1}.AppendTo(path)
				look(inner, name)
				return value(inner, at)
			})
		case '[':
			return rawjson.EachItem(data, at, func(index, item int) int {
				return value(rawjson.Step{Index: index}.AppendTo(path), item)
			})
		}
		return rawjson.EndOfValue(data, at)
	}
	value(nil, rawjson.SkipSpace(data, 0))
}
