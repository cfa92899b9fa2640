package trackside

import (
	"strings"
	"time"
)

const (
	// Sooner than that, the time of arrival says the same.
	worthTelling = 5 * time.Second
	// The server takes records of the last 25 hours, unless it is configured
	// otherwise. The hour is for repeats, which must not change anymore.
	longestTellable = 24 * time.Hour
)

// toSend returns the record as it is sent now. What the server may have is
// repeated byte for byte. elapsed is the time since it was handed over by the
// monotonic clock, which may have stopped while the machine slept.
func (q *queued) toSend(elapsed time.Duration, now time.Time) record {
	if q.uncertainSince.IsZero() {
		q.occurredAt = time.Time{}
		if !q.isTimeRefused {
			q.occurredAt = findOccurredAt(elapsed, q.handedOver, now)
		}
	}
	sent := q.record
	sent.body = addOccurredAt(q.body, q.occurredAt)
	return sent
}

// dropTime leaves the time out from now on if that is what the server refuses,
// and reports whether it is.
func (q *queued) dropTime(result Result) bool {
	if q.occurredAt.IsZero() || !q.uncertainSince.IsZero() {
		return false
	}
	q.isTimeRefused = result.Kind == Malformed && strings.HasPrefix(result.Message, "OccurredAt:")
	return q.isTimeRefused
}

func timeRefused(result Result) Fault {
	return Fault{Kind: "time-refused", Message: "Expected Trackside to accept the time at which the record was " +
		"tracked, got a refusal (" + result.Message + "): check this machine's clock. The record is sent without " +
		"the time, so it counts when it arrives."}
}

// findOccurredAt returns the time to send with a record, or a zero time if it
// is to count when it arrives.
func findOccurredAt(elapsed time.Duration, handedOver, now time.Time) time.Time {
	// This is never negative, so the time is never in the future.
	waited := max(elapsed, byWallClock(handedOver, now))
	if waited <= worthTelling || waited > longestTellable {
		return time.Time{}
	}
	return now.Add(-waited)
}

// byWallClock returns the time between two moments. Everything that was waited
// for takes the larger time of both clocks, because the monotonic one stops
// while the machine sleeps, and this one can be set back.
func byWallClock(from, to time.Time) time.Duration {
	return to.Round(0).Sub(from.Round(0))
}

// addOccurredAt adds the time at the end of a body.
func addOccurredAt(body []byte, occurredAt time.Time) []byte {
	if occurredAt.IsZero() {
		return body
	}
	text := append([]byte{}, body[:len(body)-1]...)
	text = append(text, `,"OccurredAt":"`...)
	text = occurredAt.UTC().AppendFormat(text, "2006-01-02T15:04:05.000Z")
	return append(text, `"}`...)
}
