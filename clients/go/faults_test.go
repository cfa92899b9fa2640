package trackside

import (
	"context"
	"fmt"
	"net"
	"strings"
	"testing"
	"time"
)

func TestAFaultIsToldOnceAMinuteWithItsRecords(t *testing.T) {
	var told []string
	now := start
	teller := newFaultTeller(func(fault Fault) {
		told = append(told, fmt.Sprintf("%s %d", fault.Message, fault.Records))
	})
	teller.now = func() time.Time { return now }
	tell := func(message string, records int) {
		teller.tell(Fault{Kind: "malformed", Message: message, Records: records})
	}
	tell("a", 1)
	tell("b", 1)
	tell("a", 2)
	now = now.Add(time.Minute / 2)
	teller.tellRest()
	now = now.Add(time.Minute / 2)
	tell("a", 3)
	tell("b", 4)
	now = now.Add(time.Minute / 2)
	tell("a", 5)
	teller.tellRest()
	if got := strings.Join(told, ", "); got != "a 1, b 1, a 2, b 4, a 8" {
		t.Fatal(got)
	}
}

func TestCloseTellsHowManyRecordsAreLost(t *testing.T) {
	silent, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer silent.Close()
	faults := make(chan Fault, 1000)
	client, err := New(Options{URL: "http://" + silent.Addr().String(), APIKey: "key", MaxRecords: 100,
		OnError: func(fault Fault) { faults <- fault }})
	if err != nil {
		t.Fatal(err)
	}
	for range [1000]int{} {
		client.TrackPageView(Metrics{})
	}
	done, cancel := context.WithCancel(context.Background())
	cancel()
	if remaining := client.Close(done); remaining != 100 {
		t.Fatal(remaining)
	}
	if counts := client.Counts(); counts.Queued != 0 || counts.Dropped != 1000 {
		t.Fatal(counts)
	}
	told := map[string]int{}
	for told["queue-full"] != 900 || told["closed"] != 100 {
		select {
		case fault := <-faults:
			told[fault.Kind] += fault.Records
		case <-time.After(30 * time.Second):
			t.Fatal(told)
		}
	}
}
