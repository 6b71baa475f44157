package lenient

// Bounds that need no tuning: what is below them costs nothing worth counting, and no honest JSON
// is above.
const (
	longest         = 64 << 10     // bytes of a number or a name; decoding copies them up to five times
	growthOfInvalid = 6            // a text that is not UTF-8 takes three times its bytes, twice while it is decoded
	roomForTexts    = 1 << 20      // bytes of JSON as a text; the copy that fits may be as much longer than the JSON, and an eighth of it
	longestOmitted  = len(`false`) // bytes of a value that is zero: a longer one, such as 0.0000, is not noted
	longList        = 64 << 10     // bytes of a list whose error is that of its first odd item: what is behind it is not read
	longName        = 100          // bytes of a name in the path of an error
)

// Sizes of values that do not have a size of their own, as TestTheSizesAreThoseOfGo measures them.
const (
	sizeOfMap         = 48  // without entries
	entriesOfMap      = 8   // a map begins with room for this many entries
	growthOfMap       = 3   // a map that has more has room for less than this many times its entries
	sizeOfExtra       = 400 // an Extra with one member
	sizeOfHidden      = 40  // a hidden Extra, without its text
	sizeOfExtraMember = 120 // each member of an Extra
	copiesOfHidden    = 2   // a hidden Extra has a copy of its members, and what keeps their object another
	sizeOfKept        = 88  // what is noted of an object that keeps its JSON, and what refers to that
)
