package trackside

import (
	"fmt"
	"time"
)

const (
	firstBackoff   = 250 * time.Millisecond
	longestBackoff = 30 * time.Second
	// The server remembers a key for an hour. A repeat after that would count
	// twice.
	safeToRepeat     = 55 * time.Minute
	unauthorizedWait = time.Minute
	longestAsked     = 5 * time.Minute
	maxRefusals      = 6
	// After so many failures of one record others are tried, since that record
	// may be at fault.
	patience = 3
)

// Counts are the records of a client since it was made.
type Counts struct {
	// Queued records are tracked and not yet settled.
	Queued int
	// Accepted records were answered with 200.
	Accepted int
	// Refused records were answered with 400 or 429, or not sent at all,
	// because JSON can't hold them or they are too large.
	Refused int
	// Dropped records were lost without an answer: no room, too old, or left
	// over.
	Dropped int
	// Retried counts the attempts after the first.
	Retried int
}

type queued struct {
	record
	trackedAt      time.Time
	uncertainSince time.Time
	attempts       int
	failures       int
	refusals       int
	// occurredAt is the time that it was last sent with, or zero.
	occurredAt    time.Time
	isTimeRefused bool
}

type flight struct {
	*queued
	startedAt time.Time
	wave      int
}

// line decides which record is sent when. It has no goroutine and no clock of
// its own, and is not safe for concurrent use.
type line struct {
	maxRecords int
	maxBytes   int
	maxAge     time.Duration
	tell       func(Fault)
	// random returns a number from 0 to 1.
	random func() float64

	counts       Counts
	waiting      []*queued
	bytes        int
	isAway       bool
	isProbing    bool
	awayFailures int
	resumeAt     time.Time
	// wave changes with each failure that counts, so that failures at the same
	// moment count as one.
	wave int
}

func (l *line) add(one record, now time.Time) {
	if l.counts.Queued >= l.maxRecords || l.bytes+len(one.body) > l.maxBytes {
		l.counts.Dropped++
		l.tell(Fault{Kind: "queue-full", Message: fmt.Sprintf("Expected room in the queue, got %d records "+
			"or %d bytes waiting: find out why they aren't being sent, or raise MaxRecords and MaxBytes.",
			l.maxRecords, l.maxBytes)})
		return
	}
	l.counts.Queued++
	l.bytes += len(one.body)
	l.waiting = append(l.waiting, &queued{record: one, trackedAt: now})
}

// next returns what to send now, or how long to wait. Neither means to wait
// until something else happens.
func (l *line) next(now time.Time) (*flight, time.Duration) {
	l.giveUpOld(now)
	if len(l.waiting) == 0 || l.isAway && l.isProbing {
		return nil, 0
	}
	if l.isAway {
		if wait := l.resumeAt.Sub(now); wait > 0 {
			return nil, wait
		}
		l.isProbing = true
	}
	one := l.waiting[0]
	l.waiting = l.waiting[1:]
	if one.attempts > 0 {
		l.counts.Retried++
	}
	one.attempts++
	return &flight{one, now, l.wave}, 0
}

// land notes the outcome of an attempt: the end of its record, or another try.
func (l *line) land(f *flight, a attempt, now time.Time) {
	result := a.result
	if f.wave == l.wave {
		l.isProbing = false
	}
	if a.isUncertain && f.uncertainSince.IsZero() {
		f.uncertainSince = f.startedAt
	}
	if f.dropTime(result) {
		l.noteAnswer(f.wave)
		l.tell(timeRefused(result))
		l.waiting = append([]*queued{f.queued}, l.waiting...)
		return
	}
	switch result.Kind {
	case Accepted:
		l.noteAnswer(f.wave)
		l.counts.Accepted++
		l.end(f.queued)
		return
	case Malformed, ContingentUsedUp:
		l.noteAnswer(f.wave)
		l.counts.Refused++
		l.tell(Fault{Kind: string(result.Kind), Message: result.Message})
		l.end(f.queued)
		return
	case Unauthorized:
		// Kept, because the key can be corrected.
		l.noteFailure(f.wave, unauthorizedWait, now)
	default:
		l.noteFailure(f.wave, result.RetryAfter, now)
	}
	if isRefusedOnTheWay(result.Code) {
		f.refusals++
	}
	if f.refusals >= maxRefusals {
		l.drop(f.queued, Fault{Kind: "refused-on-the-way", Message: result.Message})
		return
	}
	l.tell(Fault{Kind: string(result.Kind), Message: result.Message})
	l.putBack(f.queued)
}

func (l *line) putBack(one *queued) {
	one.failures++
	if one.failures < patience {
		l.waiting = append([]*queued{one}, l.waiting...)
		return
	}
	one.failures = 0
	l.waiting = append(l.waiting, one)
}

// hurry ends a pause, for somebody who cannot wait for it.
func (l *line) hurry() {
	l.awayFailures = 0
	l.resumeAt = time.Time{}
}

// leave drops the waiting records.
func (l *line) leave() {
	count := len(l.waiting)
	if count == 0 {
		return
	}
	l.tell(Fault{Kind: "closed", Message: "Expected to send all records before the program ends, " +
		"got no answer in time: they are lost.", Records: count})
	l.counts.Dropped += count
	for _, one := range l.waiting {
		l.end(one)
	}
	l.waiting = nil
}

func (l *line) noteAnswer(wave int) {
	// An answer to a request from before the last failure says nothing about now.
	if wave == l.wave {
		l.isAway = false
		l.hurry()
	}
}

func (l *line) noteFailure(wave int, asked time.Duration, now time.Time) {
	if wave != l.wave {
		return
	}
	l.wave++
	l.isAway = true
	l.isProbing = false
	l.awayFailures++
	l.resumeAt = now.Add(min(asked, longestAsked) + backoff(l.awayFailures, l.random))
}

func (l *line) giveUpOld(now time.Time) {
	for len(l.waiting) > 0 {
		one := l.waiting[0]
		isTooOld := now.Sub(one.trackedAt) > l.maxAge
		isUncertain := !one.uncertainSince.IsZero()
		uncertain := max(now.Sub(one.uncertainSince), byWallClock(one.uncertainSince, now))
		var fault Fault
		switch {
		case isUncertain && (isTooOld || uncertain > safeToRepeat):
			fault = Fault{Kind: "unknown-outcome", Message: "Expected Trackside to confirm the record within " +
				"55 minutes, got no confirmation: it may or may not have been counted. It is not sent again, " +
				"because the server would no longer recognize it."}
		case isTooOld:
			fault = Fault{Kind: "too-old", Message: "Expected to deliver the record within MaxAge, got no answer."}
		default:
			return
		}
		l.waiting = l.waiting[1:]
		l.drop(one, fault)
	}
}

func (l *line) drop(one *queued, fault Fault) {
	l.counts.Dropped++
	l.tell(fault)
	l.end(one)
}

func (l *line) end(one *queued) {
	l.counts.Queued--
	l.bytes -= len(one.body)
}

// backoff returns a delay with full jitter, so that many clients don't return
// at the same moment.
func backoff(failures int, random func() float64) time.Duration {
	limit := longestBackoff
	if failures < 10 {
		limit = min(longestBackoff, firstBackoff<<(failures-1))
	}
	return time.Duration(random() * float64(limit))
}

// isRefusedOnTheWay tells a firewall, which can refuse one page forever. 404
// and 405 are about the URL.
func isRefusedOnTheWay(code int) bool {
	switch code {
	case 401, 404, 405, 408, 425, 429:
		return false
	}
	return code >= 400 && code < 500
}
