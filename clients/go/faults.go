package trackside

import (
	"log"
	"sync"
	"time"
)

const (
	faultInterval = time.Minute
	// Some messages hold a number that differs each time. Beyond this many,
	// faults are distinguished by their kind alone.
	maxFaultMessages = 50
)

// Fault is something that went wrong with records. Its text never holds an API
// key, an address or a value of a record.
type Fault struct {
	Kind    string
	Message string
	// Records is the number of records, or of attempts to send one, since this
	// fault was last reported.
	Records int
}

func (f Fault) Error() string { return f.Kind + ": " + f.Message }

// faultTeller reports a fault at once, and the same one at most once a minute.
type faultTeller struct {
	onError func(Fault)
	now     func() time.Time

	mu   sync.Mutex
	told map[string]*toldFault
}

type toldFault struct {
	at     time.Time
	untold int
}

func newFaultTeller(onError func(Fault)) *faultTeller {
	if onError == nil {
		onError = logFault
	}
	return &faultTeller{onError: onError, now: time.Now, told: map[string]*toldFault{}}
}

func (t *faultTeller) tell(fault Fault) {
	if fault.Records == 0 {
		fault.Records = 1
	}
	if records, isDue := t.note(fault); isDue {
		// A program's own function that panics must not become the problem of
		// any request.
		defer func() { _ = recover() }()
		fault.Records = records
		t.onError(fault)
	}
}

func (t *faultTeller) note(fault Fault) (records int, isDue bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	name := fault.Error()
	isFull := t.told[name] == nil && len(t.told) >= maxFaultMessages
	// The message of this kind says by how many seconds a clock is wrong.
	if isFull || fault.Kind == "time-refused" {
		name = fault.Kind
	}
	entry := t.told[name]
	if entry == nil {
		entry = &toldFault{at: t.now().Add(-faultInterval)}
		t.told[name] = entry
	}
	entry.untold += fault.Records
	if t.now().Sub(entry.at) < faultInterval {
		return 0, false
	}
	records = entry.untold
	entry.at, entry.untold = t.now(), 0
	return records, true
}

func logFault(f Fault) {
	records := "records"
	if f.Records == 1 {
		records = "record"
	}
	log.Printf("trackside: %v (%d %s)", f, f.Records, records)
}
