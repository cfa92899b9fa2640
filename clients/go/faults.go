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
	at time.Time
	// untold has the records since then.
	untold Fault
}

func newFaultTeller(onError func(Fault)) *faultTeller {
	if onError == nil {
		onError = logFault
	}
	return &faultTeller{onError: onError, now: time.Now, told: map[string]*toldFault{}}
}

func (t *faultTeller) tell(fault Fault) {
	if entry, isDue := t.note(fault); isDue {
		t.pass(entry)
	}
}

// tellLater is for callers that hold a lock which onError may need. The records
// are counted at once.
func (t *faultTeller) tellLater(fault Fault) {
	if entry, isDue := t.note(fault); isDue {
		go t.pass(entry)
	}
}

// tellRest reports what is not told yet.
func (t *faultTeller) tellRest() {
	for _, entry := range t.listUntold() {
		t.pass(entry)
	}
}

func (t *faultTeller) listUntold() []*toldFault {
	t.mu.Lock()
	defer t.mu.Unlock()
	var entries []*toldFault
	for _, entry := range t.told {
		if entry.untold.Records > 0 {
			entries = append(entries, entry)
		}
	}
	return entries
}

func (t *faultTeller) note(fault Fault) (entry *toldFault, isDue bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	name := fault.Error()
	isFull := t.told[name] == nil && len(t.told) >= maxFaultMessages
	// The message of this kind says by how many seconds a clock is wrong.
	if isFull || fault.Kind == "time-refused" {
		name = fault.Kind
	}
	entry = t.told[name]
	if entry == nil {
		entry = &toldFault{at: t.now().Add(-faultInterval)}
		t.told[name] = entry
	}
	fault.Records = entry.untold.Records + max(1, fault.Records)
	entry.untold = fault
	if t.now().Sub(entry.at) < faultInterval {
		return entry, false
	}
	entry.at = t.now()
	return entry, true
}

func (t *faultTeller) pass(entry *toldFault) {
	fault := t.takeUntold(entry)
	if fault.Records == 0 {
		return
	}
	// A program's own function that panics must not become the problem of any
	// request.
	defer func() { _ = recover() }()
	t.onError(fault)
}

func (t *faultTeller) takeUntold(entry *toldFault) Fault {
	t.mu.Lock()
	defer t.mu.Unlock()
	fault := entry.untold
	entry.at, entry.untold = t.now(), Fault{}
	return fault
}

func logFault(f Fault) {
	records := "records"
	if f.Records == 1 {
		records = "record"
	}
	log.Printf("trackside: %v (%d %s)", f, f.Records, records)
}
