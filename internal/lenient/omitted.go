package lenient

// Omitted has the members that were read but would not be written again, because they are zero or
// empty, such as null and false. A struct with an Extra embeds it, so that [Reader.WriteObject]
// writes them as they were read. It is the text of an object, or empty.
type Omitted string

func (o *Omitted) itself() *Omitted { return o }

// Omitter is a pointer to a struct that embeds an Omitted.
type Omitter interface{ itself() *Omitted }
