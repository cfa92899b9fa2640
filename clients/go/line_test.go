package trackside

import (
	"fmt"
	"reflect"
	"testing"
	"time"
	"unsafe"
)

var (
	start    = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	accepted = attempt{result: Result{Kind: Accepted, Code: 200}}
	away     = attempt{Result{Kind: Unavailable, Code: 503}, true, false}
	vanished = attempt{Result{Kind: Unavailable}, true, true}
)

type testLine struct {
	*testing.T
	line
	kinds []string
}

func newTestLine(t *testing.T) *testLine {
	l := &testLine{T: t, line: line{maxRecords: 3, maxBytes: 100, maxAge: 24 * time.Hour}}
	l.random = func() float64 { return 1 }
	l.tell = func(fault Fault) { l.kinds = append(l.kinds, fault.Kind) }
	return l
}

func (l *testLine) put(key string) {
	l.add(record{key: key, path: "/api/page-view", body: make([]byte, 10)}, start)
}

func (l *testLine) takeAfter(passed time.Duration) *flight {
	l.Helper()
	f, wait := l.next(start.Add(passed))
	if f == nil {
		l.Fatalf("expected a record after %v, got a wait of %v", passed, wait)
	}
	return f
}

func (l *testLine) expectWait(passed, expected time.Duration) {
	l.Helper()
	if f, wait := l.next(start.Add(passed)); f != nil || wait != expected {
		l.Fatalf("expected a wait of %v, got %v and %v", expected, wait, f)
	}
}

func (l *testLine) expectKinds(kinds ...string) {
	l.Helper()
	if !reflect.DeepEqual(l.kinds, kinds) {
		l.Fatalf("expected the faults %v, got %v", kinds, l.kinds)
	}
}

func (l *testLine) expectCounts(expected Counts) {
	l.Helper()
	if l.counts != expected {
		l.Fatalf("expected %+v, got %+v", expected, l.counts)
	}
}

func TestLineDropsWhatFindsNoRoom(t *testing.T) {
	l := newTestLine(t)
	for _, key := range []string{"a", "b", "c", "d"} {
		l.put(key)
	}
	l.expectCounts(Counts{Queued: 3, Dropped: 1})
	l.expectKinds("queue-full")
	l = newTestLine(t)
	l.add(record{body: make([]byte, 60)}, start)
	l.add(record{body: make([]byte, 60)}, start)
	l.expectCounts(Counts{Queued: 1, Dropped: 1})
}

func TestLineDoublesTheDelayUpTo30Seconds(t *testing.T) {
	l := newTestLine(t)
	l.put("a")
	var delays []time.Duration
	passed := time.Duration(0)
	for range [9]int{} {
		l.land(l.takeAfter(passed), away, start.Add(passed))
		_, wait := l.next(start.Add(passed))
		delays = append(delays, wait)
		passed += wait
	}
	if got := fmt.Sprint(delays); got != "[250ms 500ms 1s 2s 4s 8s 16s 30s 30s]" {
		t.Fatal(got)
	}
	if half := backoff(3, func() float64 { return 0.5 }); half != 500*time.Millisecond {
		t.Fatal(half)
	}
}

func TestLineWaitsAsLongAsTheServerAsksButNoMoreThan5Minutes(t *testing.T) {
	l := newTestLine(t)
	l.put("a")
	asking := away
	asking.result.RetryAfter = 20 * time.Second
	l.land(l.takeAfter(0), asking, start)
	l.expectWait(0, 20250*time.Millisecond)
	asking.result.RetryAfter = 100 * time.Hour
	l.land(l.takeAfter(time.Minute), asking, start.Add(time.Minute))
	l.expectWait(time.Minute, 5*time.Minute+500*time.Millisecond)
}

func TestLineSendsOneRecordToSeeWhetherTheServerIsBack(t *testing.T) {
	l := newTestLine(t)
	l.put("a")
	l.put("b")
	first, second := l.takeAfter(0), l.takeAfter(0)
	l.land(first, away, start)
	l.land(second, away, start)
	// Failures at the same moment count once.
	l.expectWait(0, 250*time.Millisecond)
	probe := l.takeAfter(time.Second)
	l.expectWait(time.Second, 0)
	l.land(probe, accepted, start.Add(time.Second))
	l.takeAfter(time.Second)
}

func TestLineTriesAnotherRecordWhenOneKeepsFailing(t *testing.T) {
	l := newTestLine(t)
	l.put("a")
	l.put("b")
	keys := ""
	for n := range [4]int{} {
		passed := time.Duration(n) * time.Minute
		f := l.takeAfter(passed)
		keys += f.key
		l.land(f, away, start.Add(passed))
	}
	if keys != "aaab" {
		t.Fatal(keys)
	}
}

func TestLineGivesUpAfter24Hours(t *testing.T) {
	l := newTestLine(t)
	l.put("a")
	l.land(l.takeAfter(24*time.Hour), away, start.Add(24*time.Hour))
	l.expectWait(24*time.Hour+time.Second, 0)
	l.expectKinds("unavailable", "too-old")
}

func TestLineDoesNotRepeatAfter55MinutesWhatMayHaveBeenCounted(t *testing.T) {
	l := newTestLine(t)
	l.put("a")
	l.land(l.takeAfter(0), vanished, start)
	l.land(l.takeAfter(55*time.Minute), away, start.Add(55*time.Minute))
	l.expectWait(55*time.Minute+time.Second, 0)
	l.expectKinds("unavailable", "unavailable", "unknown-outcome")
}

// afterSleep returns a later time at which only the wall clock has gone on.
func afterSleep(from time.Time, slept time.Duration) time.Time {
	// The first field counts seconds from its 31st bit on, as long as there is a
	// monotonic time.
	*(*uint64)(unsafe.Pointer(&from)) += uint64(slept/time.Second) << 30
	return from
}

func TestLineCountsTheTimeDuringWhichTheMachineSleeps(t *testing.T) {
	l := newTestLine(t)
	now := time.Now()
	l.add(record{body: make([]byte, 10)}, now)
	f, _ := l.next(now)
	l.land(f, vanished, now)
	later := afterSleep(now.Add(time.Second), 55*time.Minute)
	if elapsed := later.Sub(now); elapsed != time.Second {
		t.Fatalf("expected a monotonic clock that stood still, got %v", elapsed)
	}
	if f, _ := l.next(later); f != nil {
		t.Fatal("expected no repeat, got one")
	}
	l.expectKinds("unavailable", "unknown-outcome")
}

func TestLineKeepsRecordsWhileTheKeyIsWrong(t *testing.T) {
	l := newTestLine(t)
	l.put("a")
	l.land(l.takeAfter(0), attempt{result: Result{Kind: Unauthorized, Code: 401}}, start)
	l.expectWait(0, time.Minute+250*time.Millisecond)
	l.expectCounts(Counts{Queued: 1})
}

func TestLineDropsWhatIsRefused(t *testing.T) {
	l := newTestLine(t)
	l.put("a")
	l.put("b")
	l.land(l.takeAfter(0), attempt{result: Result{Kind: Malformed, Code: 400}}, start)
	l.land(l.takeAfter(0), attempt{result: Result{Kind: ContingentUsedUp, Code: 429}}, start)
	l.expectCounts(Counts{Refused: 2})
	l.expectKinds("malformed", "contingent-used-up")
}

func TestLineDropsWhatAFirewallRefusesSixTimes(t *testing.T) {
	l := newTestLine(t)
	l.put("a")
	for n := range [6]int{} {
		passed := time.Duration(n) * time.Minute
		l.land(l.takeAfter(passed), attempt{result: Result{Kind: Unavailable, Code: 403}}, start.Add(passed))
	}
	l.expectCounts(Counts{Dropped: 1, Retried: 5})
}

func TestLineLeavesNothingBehindAtTheEnd(t *testing.T) {
	l := newTestLine(t)
	l.leave()
	l.expectKinds()
	for _, key := range []string{"a", "b", "c"} {
		l.put(key)
	}
	l.leave()
	l.expectCounts(Counts{Dropped: 3})
	l.expectKinds("closed")
}
