package front

// The bounds of what a service keeps and takes. A client under test is far below them; they keep a
// program that runs for days, or a client that repeats a mistake, from filling the memory. Below
// and above say what is worse with a smaller and with a larger value.
const (
	// mostBody is how large the body of a request may be, in bytes. Below: a body with a
	// few scripts is refused. Above: those of largeAtOnce take more memory
	// (TestABodyOverSixteenMebibytesIsRefused).
	mostBody = 16 << 20

	// mostThrownAway is how many bytes are read of a body that is refused because it is too large, or
	// has not the key. Below: a client that sends all before it reads sees a reset connection instead
	// of the 413 or 401. Above: such a client keeps the connection busy for longer
	// (TestAClientThatSendsAllBeforeItReadsSeesTheRefusal).
	mostThrownAway = 64 << 20

	// largeBody is the size from which on a body waits until it may be read. Below: ordinary
	// checks wait for each other. Above: many bodies together take more memory
	// (TestLargeBodiesAreHandledAFewAtATime).
	largeBody = 1 << 20

	// largeAtOnce is how many larger bodies are in memory at the same time. Below: a slow
	// upload holds all others up. Above: more memory (TestLargeBodiesAreHandledAFewAtATime).
	largeAtOnce = 4

	// mostRecorded is how many bytes of bodies a log keeps. Below: the last few bodies of a test
	// are gone. Above: each of the two logs keeps more memory
	// (TestEachRequestIsRecordedAndTheLastBodiesAreKept).
	mostRecorded = 4 << 20

	// mostUnexpected is how many unexpected requests are kept, the last ones, and how many unknown
	// paths have a count of their own. A test fails at the first.
	mostUnexpected = 1000

	// mostAdded is how many faults, and how many taught operations, a service has that forgets old
	// data. Below: a test with many of them is refused. Above: each request looks at more of them
	// (TestAServiceThatForgetsKeepsSoMany).
	mostAdded = 1000

	// mostSent is how many different requests a fault remembers to count their attempts. One that
	// was forgotten begins at its first attempt again.
	mostSent = 10_000

	// bodyPieces is the number of pieces in which a slow body is sent. Below: a client never sees a
	// beginning without an end (TestASlowBodyIsSentPieceByPiece). Above: a test has more waits.
	bodyPieces = 10
)
