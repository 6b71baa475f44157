package schema

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"
)

// anything takes every JSON value and looks inside of it.
var anything = func() *Node {
	n := &Node{Kinds: String | Number | Boolean | Array | Object | Null, Free: true}
	n.Items, n.Members = n, []Member{{"a", n, false}}
	return n
}()

func TestWhatIsJSONForEncodingJSONIsJSONForACheck(t *testing.T) {
	for _, text := range []string{
		`true`, `false`, `null`, `nul`, `nulx`, `[tru]`, `truefalse`, `0`, `-0`, `00`, `-`, `+1`, `1.`, `.1`, `1.5`, `1e5`, `1E-5`, `1e+5`, `1e+-5`, `1e-+5`, `1e`, `1e+`, `[1.e5]`,
		`"abc`, `"`, `"\`, `"a\"`, `["a`, `"\n"`, `"\u00e4"`, `"\u123"`, `"\u12`, `["\,1]`, `["\x"]`, "[\"a\n,1]", "[\"a\x1f\"]",
		`[1 2]`, `[1,2]`, `[1,,2]`, `[,1]`, `[1,]`, `[1`, `[1,`, `[`, `]`, `[1}`, `{"a":1}`, `{"a":1 "b":2}`, `{"a" 1}`, `{"a"}`, `{:1}`, `{1:1}`, `{a:1}`, `{"a":}`, `{"a":1,}`, `{,}`, `{`, `{"a":1]`,
		`[[],{},[{}]]`, `{"a":[1,{"a":"x"}],"b":[2,{"c":"y"}]}`, `{"b":[1 2]}`, `{"b":{"c" 1}}`, `{"b":[nul]}`, "\t[ 1 ,\r\n2 ] ", ``, ` `, `[] []`, "[1]\x00",
	} {
		valid := json.Valid([]byte(text))
		for _, level := range []Level{Client, Service} {
			found := anything.Check([]byte(text), level, nil)
			if valid {
				require.Empty(t, found, text)
			} else {
				require.Equal(t, notJSON, found, text)
			}
		}
		s := scanner{data: []byte(text)}
		s.skip()
		require.Equal(t, byte(0), (&scanner{}).peek())
		require.Equal(t, valid, s.peek() == 0 && s.pos == len(text) && !s.invalid, "skipped: %s", text)
		require.Empty(t, s.open[:0])
	}
}

func TestNothingIsReadBehindAMistake(t *testing.T) {
	for name, read := range map[string]func(*scanner){
		`x`:       func(s *scanner) { s.text() },
		`"a`:      func(s *scanner) { s.text() },
		"\"a\n\"": func(s *scanner) { s.text() },
		`"\x"`:    func(s *scanner) { s.text() },
		`"\`:      func(s *scanner) { s.text() },
		`nulx`:    (*scanner).literal,
		`tru`:     (*scanner).literal,
		`-x`:      func(s *scanner) { require.Nil(t, s.number()) },
		`1.x`:     func(s *scanner) { require.Nil(t, s.number()) },
		`1ex`:     func(s *scanner) { require.Nil(t, s.number()) },
		`"a" 1`:   func(s *scanner) { s.name() },
		`1 2`:     func(s *scanner) { s.number(); require.False(t, s.more(false, ']')) },
	} {
		s := &scanner{data: []byte(name)}
		read(s)
		require.True(t, s.invalid, name)
		require.Equal(t, len(name), s.pos, name)
		require.Equal(t, Kind(0), s.kind(), name)
		require.False(t, s.more(true, ']'), name)
		require.False(t, s.more(false, ']'), name)
	}
}

func TestJSONIsAsDeepAsEncodingJSONTakesIt(t *testing.T) {
	s := &scanner{data: []byte(`[[`), depth: maxDepth - 1}
	s.enter()
	require.False(t, s.invalid)
	s.enter()
	require.True(t, s.invalid)
	require.Equal(t, 10000, maxDepth)

	s = &scanner{data: []byte(`[]]`)}
	s.enter()
	require.Equal(t, 1, s.depth)
	require.False(t, s.more(true, ']'))
	require.Equal(t, 0, s.depth)
}

func TestTheFirstByteTellsTheKind(t *testing.T) {
	for text, want := range map[string]Kind{
		``: 0, ` `: 0, `x`: 0, `}`: 0, `/`: 0, `:`: 0, `"`: String, `{`: Object, `[`: Array, `t`: Boolean, `f`: Boolean, `n`: Null, `-`: Number, ` 0`: Number, "\n9": Number,
	} {
		require.Equal(t, want, (&scanner{data: []byte(text)}).kind(), "%q", text)
	}
}

func TestEscapesHaveTheirSizeAndTheirCodeUnit(t *testing.T) {
	for data, want := range map[string]struct {
		size  int
		unit  rune
		unit4 bool
	}{
		`\`: {}, `\n`: {size: 2}, `\"x`: {size: 2}, `\\`: {size: 2}, `\/`: {size: 2}, `\x00`: {}, `\u`: {}, `\u123`: {}, `\u12345`: {6, 0x1234, true}, `\u0000`: {6, 0, true},
		`\uabcdef`: {6, 0xabcd, true}, `\uABCF`: {6, 0xabcf, true}, `\ufF09`: {6, 0xff09, true}, `\u000g`: {}, `\u000G`: {}, "\\u000`": {}, `\u000@`: {}, `\u000/`: {}, `\u000:`: {}, `\u00 0`: {},
	} {
		require.Equal(t, want.size, escapeSize([]byte(data)), data)
		unit, ok := hex4([]byte(data))
		require.Equal(t, want.unit, unit, data)
		require.Equal(t, want.unit4, ok, data)
	}
	for _, data := range []string{``, `u1234`, `xu1234`, `\x1234`} {
		unit, ok := hex4([]byte(data))
		require.Zero(t, unit, data)
		require.False(t, ok, data)
	}
}

func TestEveryPairOfCodeUnitsIsReadAsEncodingJSONReadsIt(t *testing.T) {
	edges := []string{`\u0041`, `\ud7ff`, `\ud800`, `\ud801`, `\udbff`, `\udc00`, `\udc01`, `\udfff`, `\ue000`, `\ue001`, `x`, `\n`}
	for _, first := range edges {
		for _, second := range edges {
			written := `"` + first + second + `"`
			var want string
			require.NoError(t, json.Unmarshal([]byte(written), &want))
			s := scanner{data: []byte(written)}
			got := s.text()
			require.Equal(t, want, got.string(9), written)
			require.Equal(t, len([]rune(want)), got.length(), written)
			require.True(t, got.is(want), written)
			r, rest := got.next()
			require.Equal(t, []rune(want)[0], r, written)
			if len(rest.raw) > 0 {
				require.Equal(t, got.escaped, rest.escaped, written)
			}
		}
	}
}

func TestATextIsCutToTheLimit(t *testing.T) {
	got := text{raw: []byte(`a\u00e4b`), escaped: true}
	require.Equal(t, "", got.string(0))
	require.Equal(t, "aä", got.string(2))
	require.Equal(t, "aäb", got.string(4))
	require.False(t, got.is(""))
	require.True(t, text{}.is(""))
	_, rest := text{raw: []byte(`\u00e4b`), escaped: true}.next()
	require.Equal(t, text{[]byte("b"), true}, rest)
	_, rest = text{raw: []byte(`\nb`), escaped: true}.next()
	require.Equal(t, text{[]byte("b"), true}, rest)
	_, rest = text{raw: []byte(`\ud83d\ude00b`), escaped: true}.next()
	require.Equal(t, text{[]byte("b"), true}, rest)
}
