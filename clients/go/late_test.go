package trackside

import (
	"encoding/json"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"
)

type lateCase struct {
	Title    string
	Attempts []struct {
		After, Clock float64
		Answer       string
	}
	Expected []*float64
}

var lateAnswers = map[string]attempt{
	"accepted":      accepted,
	"time-refused":  {result: Result{Kind: Malformed, Code: 400, Message: "OccurredAt: expected another"}},
	"unauthorized":  {result: Result{Kind: Unauthorized, Code: 401}},
	"unavailable":   away,
	"unknown":       {Result{Kind: Unavailable, Code: 503}, true, true},
	"no-connection": {Result{Kind: Unavailable}, true, false},
	"no-response":   vanished,
}

func seconds(number float64) time.Duration { return time.Duration(number * float64(time.Second)) }

// The cases that all clients share. They need the clocks, so they can't be run
// from outside.
func TestLateCases(t *testing.T) {
	text, err := os.ReadFile("../cases/late.json")
	if err != nil {
		t.Fatal(err)
	}
	var cases []lateCase
	if err := json.Unmarshal(text, &cases); err != nil {
		t.Fatal(err)
	}
	if len(cases) < 15 {
		t.Fatalf("expected at least 15 cases, got %d", len(cases))
	}
	for _, each := range cases {
		t.Run(each.Title, func(t *testing.T) { runLateCase(t, each) })
	}
}

func runLateCase(t *testing.T, given lateCase) {
	l := newTestLine(t)
	l.random = func() float64 { return 0 }
	l.add(record{body: []byte(`{"Metrics":{}}`), handedOver: start}, start)
	for index, each := range given.Attempts {
		f := l.takeAfter(seconds(each.After))
		sent := string(f.toSend(seconds(each.After), start.Add(seconds(each.After+each.Clock))).body)
		expected := `{"Metrics":{}}`
		if at := given.Expected[index]; at != nil {
			text := start.Add(seconds(*at)).Format("2006-01-02T15:04:05.000Z")
			expected = `{"Metrics":{},"OccurredAt":"` + text + `"}`
		}
		if sent != expected {
			t.Fatalf("attempt %d: expected %s, got %s", index+1, expected, sent)
		}
		l.land(f, lateAnswers[each.Answer], start.Add(seconds(each.After)))
	}
}

func TestLineSaysThatAClockIsWrong(t *testing.T) {
	l := newTestLine(t)
	l.add(record{body: []byte("{}"), handedOver: start}, start)
	f := l.takeAfter(time.Minute)
	f.toSend(time.Minute, start.Add(time.Minute))
	l.land(f, lateAnswers["time-refused"], start.Add(time.Minute))
	l.expectKinds("time-refused")
	l.expectCounts(Counts{Queued: 1})
}

func TestRecordsAreNumberedFrom1WithinAStream(t *testing.T) {
	numbers := newRecordNumbers()
	first, second := numbers.take(), numbers.take()
	stream, _, _ := strings.Cut(first, ".")
	if !regexp.MustCompile(`^[\w-]{16}$`).MatchString(stream) || first != stream+".1" || second != stream+".2" {
		t.Fatal(first, second)
	}
	if newRecordNumbers().stream == stream {
		t.Fatal("expected a stream for each client, got the same one twice")
	}
}

func TestReleaseComesFromTheOptionOrTheEnvironment(t *testing.T) {
	t.Setenv("TRACKSIDE_RELEASE", " 3f9c2d1 ")
	for option, expected := range map[string]string{"": "3f9c2d1", " 1.4.2 ": "1.4.2"} {
		if release, err := readRelease(option); release != expected || err != nil {
			t.Fatal(release, err)
		}
	}
	for _, wrong := range []string{" ", "a\nb", "größer", strings.Repeat("x", 65)} {
		if _, err := readRelease(wrong); err == nil || !strings.Contains(err.Error(), "Release: expected 1 to 64") {
			t.Fatalf("expected a refusal of %q, got %v", wrong, err)
		}
	}
	t.Setenv("TRACKSIDE_RELEASE", "")
	if release, err := readRelease(""); release != "" || err != nil {
		t.Fatal(release, err)
	}
}
