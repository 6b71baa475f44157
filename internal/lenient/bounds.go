package lenient

import (
	"encoding/json"
	"reflect"
)

// The tuned constants of this package, each with two values that were tried beside it.
//
// A small response can take very much memory as a Go value: an item of [{},{},…] takes three
// bytes, and as a maintenance window over 300. So what a response takes is counted before
// anything is built. It may take sizeFree, and sizePerByte times its bytes: as long as the items of
// usual responses are not many times smaller than their types, that is far more than they take.
const (
	// PartSize is how much of a list [Reader.ReadList] decodes at once, in bytes. Between two parts it
	// asks the context, so that a call whose context has ended does not decode the rest of a long list.
	// At 4 KiB a list of 3 MB takes 38,000 allocations, not 30,000. At 1 MiB it takes 3.5 MB, not
	// 2.6 MB, and decodes up to 1 MiB for nobody. BenchmarkReadList and
	// TestAListEndsSoonAfterItsContext show it.
	PartSize = 64 << 10

	// At 64 KiB a thousand small objects with a member that their type does not know are refused:
	// TestASmallResponseMayTakeMuchMemory. At 16 MiB 2 MiB of empty objects are decoded:
	// TestAResponseThatWouldTakeTooMuchMemoryIsNotDecoded in test/faults.
	sizeFree = 1 << 20

	// At 4 a list of 5,000 numbers where objects should be is refused whole, and none of its items is
	// reported: TestTooManyItemsThatCannotBeReadEndTheWalk in test/faults. At 64 the empty
	// objects of sizeFree are decoded, into up to 64 times their bytes.
	sizePerByte = 16
)

// Sizes of values that do not have a size of their own, as TestTheSizesAreThoseOfGo measures them.
var (
	sizeOfMap   = 48                                                     // without entries
	sizeOfExtra = 400                                                    // an Extra with one member
	sizeOfKept  = 40                                                     // what refers to the JSON of an object that keeps it
	sizeOfError = int(reflect.TypeFor[json.UnmarshalTypeError]().Size()) // of an item that does not fit
)
