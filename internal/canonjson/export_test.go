package canonjson

// Respell is the way of a document that is not plain, for all documents.
func Respell(document []byte) ([]byte, error) { return new(Form).respell(document) }
