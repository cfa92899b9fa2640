package trackside

import (
	"crypto/rand"
	"encoding/base64"
	"strconv"
	"sync/atomic"
)

// recordNumbers numbers the records of one client in the order in which they
// are handed over. The stream's name is random, so it says nothing about a
// machine or a visitor.
type recordNumbers struct {
	stream string
	last   atomic.Int64
}

func newRecordNumbers() *recordNumbers {
	var b [12]byte
	if _, err := rand.Read(b[:]); err != nil {
		panic(err) // The system has no randomness. Go itself ends the program then.
	}
	return &recordNumbers{stream: base64.RawURLEncoding.EncodeToString(b[:])}
}

// take returns the stream and the next number, such as 5mQ1v_0hPz-kT3aX.17.
func (n *recordNumbers) take() string {
	return n.stream + "." + strconv.FormatInt(n.last.Add(1), 10)
}
