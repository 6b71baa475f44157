package front

// The bounds of what a service keeps and takes. A client under test is far below them; they keep a
// program that runs for days, or a client that repeats a mistake, from filling the memory. For the
// first four two other values were tried.
const (
	// mostBody is how large the body of a request may be, in bytes. An honest one is a script of some
	// hundred KiB. At 2 MiB a body of a few scripts is refused; at 64 MiB the four of largeAtOnce
	// take four times as much. TestABodyOverSixteenMebibytesIsRefused holds it.
	mostBody = 16 << 20

	// largeBody is the size from which on a body waits until it may be read. At 4 KiB ordinary checks
	// wait for each other; at 16 MiB nothing waits, and forty bodies take two gigabytes.
	// TestLargeBodiesAreHandledAFewAtATime shows both.
	largeBody = 1 << 20

	// largeAtOnce is how many larger bodies are in memory at the same time. At 1 a slow upload holds
	// all others up; at 40 they take the two gigabytes. TestLargeBodiesAreHandledAFewAtATime holds it.
	largeAtOnce = 4

	// mostRecorded is how many bytes of bodies a log keeps. At 64 KiB the last few bodies of a test
	// are gone; at 64 MiB each of the two logs may keep as much.
	// TestEachRequestIsRecordedAndTheLastBodiesAreKept holds it.
	mostRecorded = 4 << 20

	// mostUnexpected is how many unexpected requests are kept, the last ones, and how many unknown
	// paths have a count of their own. A test fails at the first.
	mostUnexpected = 1000

	// mostSent is how many different requests a fault remembers to count their attempts. One that was
	// forgotten begins at its first attempt again.
	mostSent = 10_000

	// bodyPieces is the number of pieces in which a slow body is sent. At 1 a client never sees a
	// beginning without an end: TestASlowBodyIsSentPieceByPiece. At more, a test only has more waits.
	bodyPieces = 10
)
