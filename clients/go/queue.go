package trackside

import (
	"context"
	"sync"
	"time"
)

// queue sends records in its own goroutines.
type queue struct {
	send        func(context.Context, record, int) attempt
	concurrency int
	tell        func(Fault)
	now         func() time.Time

	ctx    context.Context
	cancel context.CancelFunc

	mu       sync.Mutex
	line     line
	flights  int
	timer    *time.Timer
	isClosed bool
	// settled is closed when no record is queued anymore.
	settled chan struct{}
}

func newQueue(send func(context.Context, record, int) attempt, l line, concurrency int, tell func(Fault)) *queue {
	ctx, cancel := context.WithCancel(context.Background())
	q := &queue{send: send, line: l, concurrency: concurrency, tell: tell, now: time.Now, ctx: ctx, cancel: cancel}
	q.settled = make(chan struct{})
	close(q.settled)
	return q
}

func (q *queue) push(one record) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.isClosed {
		q.line.counts.Dropped++
		q.tell(Fault{Kind: "closed", Message: "Expected no record after Close, got one: it is not sent."})
		return
	}
	wasEmpty := q.line.counts.Queued == 0
	q.line.add(one, q.now())
	if wasEmpty && q.line.counts.Queued > 0 {
		q.settled = make(chan struct{})
	}
	q.pump()
}

// countRefused is for a record that can't be sent.
func (q *queue) countRefused() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.line.counts.Refused++
}

// pump starts what may start now. The end of each request continues from here.
func (q *queue) pump() {
	if q.timer != nil {
		q.timer.Stop()
	}
	for !q.isClosed && q.flights < q.concurrency {
		next, wait := q.line.next(q.now())
		if next == nil {
			if wait > 0 {
				q.timer = time.AfterFunc(wait, q.resume)
			}
			break
		}
		q.flights++
		go q.carry(next)
	}
	q.announceSettled()
}

func (q *queue) resume() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.pump()
}

func (q *queue) carry(f *flight) {
	now := q.now()
	result := q.send(q.ctx, f.toSend(now.Sub(f.handedOver), now), f.attempts)
	q.mu.Lock()
	defer q.mu.Unlock()
	q.flights--
	q.line.land(f, result, q.now())
	if q.isClosed {
		q.line.leave()
	}
	q.pump()
}

func (q *queue) announceSettled() {
	if q.line.counts.Queued > 0 {
		return
	}
	select {
	case <-q.settled:
	default:
		close(q.settled)
	}
}

// flush waits until all is sent or ctx is done, and returns how many records
// remain.
func (q *queue) flush(ctx context.Context) int {
	q.mu.Lock()
	q.line.hurry()
	q.pump()
	settled := q.settled
	q.mu.Unlock()
	select {
	case <-settled:
	case <-ctx.Done():
	}
	return q.counts().Queued
}

func (q *queue) close(ctx context.Context) int {
	remaining := q.flush(ctx)
	q.mu.Lock()
	q.isClosed = true
	q.line.leave()
	q.pump()
	q.cancel()
	settled := q.settled
	q.mu.Unlock()
	// Requests in progress end at once now, and their records are counted, too.
	<-settled
	return remaining
}

func (q *queue) counts() Counts {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.line.counts
}
