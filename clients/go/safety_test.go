package trackside

import (
	"context"
	"io"
	"math"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"
	"time"
)

type brokenTracker struct{}

func (brokenTracker) TrackPageView(Metrics)                   { panic("broken") }
func (brokenTracker) TrackEvent(string, []Parameter, Metrics) { panic("broken") }

type keptPages struct{ pages []Metrics }

func (k *keptPages) TrackPageView(metrics Metrics)         { k.pages = append(k.pages, metrics) }
func (*keptPages) TrackEvent(string, []Parameter, Metrics) {}

func page(w http.ResponseWriter, _ *http.Request) {
	_, _ = io.WriteString(w, "<!doctype html><h1>Shop</h1>")
}

func visit(t *testing.T, tracker Tracker, options HandlerOptions) *httptest.ResponseRecorder {
	t.Helper()
	options.CountPages = true
	handler, err := NewHandler(tracker, options)
	if err != nil {
		t.Fatal(err)
	}
	recorder := httptest.NewRecorder()
	request := httptest.NewRequest(http.MethodGet, "/", nil)
	handler.Middleware(http.HandlerFunc(page)).ServeHTTP(recorder, request)
	handler.TrackEvent(request, "Order")
	return recorder
}

func TestAPanicDoesNotReachTheApplication(t *testing.T) {
	var kinds []string
	answer := visit(t, brokenTracker{}, HandlerOptions{OnError: func(fault Fault) {
		kinds = append(kinds, fault.Kind)
		panic("broken, too")
	}})
	if answer.Code != 200 || !strings.Contains(answer.Body.String(), "Shop") {
		t.Fatal(answer)
	}
	if len(kinds) != 1 || kinds[0] != "unexpected" {
		t.Fatal(kinds)
	}
}

func TestCallbacksThatPanicCostOnlyWhatTheyWouldHaveAdded(t *testing.T) {
	kept := &keptPages{}
	var kinds []string
	visit(t, kept, HandlerOptions{
		ClientID: func(*http.Request) string { panic("broken") },
		Location: []LocationSource{
			func(*http.Request, string) Location { panic("broken") },
			func(*http.Request, string) Location { return Location{CountryCode: "at"} },
		},
		OnError: func(fault Fault) { kinds = append(kinds, fault.Kind) },
	})
	if len(kept.pages) != 1 || kept.pages[0].Location.CountryCode != "AT" || kept.pages[0].Identify.ClientID != "" {
		t.Fatal(kept.pages)
	}
	if len(kinds) != 2 {
		t.Fatal(kinds)
	}
}

func TestAClientIDThatIsTooLongIsLeftOut(t *testing.T) {
	for id, expected := range map[string]string{"a-17": "a-17", strings.Repeat("x", 513): ""} {
		kept := &keptPages{}
		visit(t, kept, HandlerOptions{ClientID: func(*http.Request) string { return id }, OnError: func(Fault) {}})
		if kept.pages[0].Identify.ClientID != expected {
			t.Fatal(kept.pages[0].Identify)
		}
	}
}

func TestAServerThatNeverAnswersHoldsUpNobody(t *testing.T) {
	silent, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer silent.Close()
	client, err := New(Options{URL: "http://" + silent.Addr().String(), APIKey: "key",
		Timeout: 50 * time.Millisecond, Retries: -1, OnError: func(Fault) {}})
	if err != nil {
		t.Fatal(err)
	}
	client.TrackPageView(Metrics{})
	if counts := client.Counts(); counts.Queued != 1 {
		t.Fatal(counts)
	}
	if result := client.PageView(context.Background(), Metrics{}); result.Kind != Unavailable {
		t.Fatal(result)
	}
	done, cancel := context.WithCancel(context.Background())
	cancel()
	if remaining := client.Close(done); remaining != 1 {
		t.Fatal(remaining)
	}
	client.TrackPageView(Metrics{})
	if client.Counts().Dropped == 0 {
		t.Fatal(client.Counts())
	}
}

func TestWhatJSONCannotHoldIsToldAndNotSent(t *testing.T) {
	var told []string
	client, err := New(Options{URL: "http://127.0.0.1:1", APIKey: "key",
		OnError: func(fault Fault) { told = append(told, fault.Kind) }})
	if err != nil {
		t.Fatal(err)
	}
	client.TrackPageView(Metrics{Screen: Screen{Width: math.NaN()}})
	client.TrackPageView(Metrics{Screen: Screen{Width: math.Inf(1)}})
	// The same fault is reported once a minute.
	if len(told) != 1 || told[0] != "malformed" || client.Counts() != (Counts{Refused: 2}) {
		t.Fatal(told, client.Counts())
	}
}

func TestRateLimitIsForAVisitorAndForAnAddress(t *testing.T) {
	limit := newRateLimit(2)
	address := netip.MustParseAddr("203.0.113.7")
	for _, expected := range []time.Duration{0, 0, 30 * time.Second} {
		if wait := limit.take(address, "a", start); wait != expected {
			t.Fatal(wait)
		}
	}
	if limit.take(address, "b", start) != 0 || limit.take(address, "a", start.Add(30*time.Second)) != 0 {
		t.Fatal("expected another agent, and the same one later, to be let through")
	}
	house := netip.MustParsePrefix("2001:db8::/64").Addr()
	for n := range [21]int{} {
		wait := limit.take(house, string(rune('a'+n)), start)
		house = house.Next()
		if (wait > 0) != (n == 20) {
			t.Fatal(n, wait)
		}
	}
}

func TestWrongOptionsAreErrors(t *testing.T) {
	for _, options := range []Options{
		{URL: "trackside.example", APIKey: "key"},
		{URL: "https://user:secret@trackside.example", APIKey: "key"},
		{URL: "https://trackside.example?x", APIKey: "key"},
		{URL: "https://trackside.example"},
		{URL: "https://trackside.example", APIKey: "Bearer key"},
		{URL: "https://trackside.example", APIKey: "key", Timeout: time.Hour},
	} {
		if _, err := New(options); err == nil {
			t.Error(options)
		}
	}
	for _, options := range []HandlerOptions{
		{Path: "side"},
		{Language: "english"},
		{Origins: []string{"https://shop.example/x"}},
		{Proxies: Proxies{Hops: 33}},
		{Proxies: Proxies{Hops: 1, Networks: []string{"private"}}},
		{Proxies: Proxies{Networks: []string{"10.0.0.0/33"}}},
		{Proxies: Proxies{Networks: []string{}}},
		{Proxies: Proxies{Header: "X-Forwarded-For"}},
		{Proxies: Proxies{Header: "a b"}},
		{Proxies: Proxies{Hops: 1, List: "X-Real-IP"}},
	} {
		if _, err := NewHandler(&keptPages{}, options); err == nil {
			t.Error(options)
		}
	}
}

func TestARequestIsSentOnceAndNumbered(t *testing.T) {
	var numbers []string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		numbers = append(numbers, r.Header.Get("Trackside-Attempt"))
		if len(numbers) == 2 {
			// The record has arrived, and its connection was used before.
			panic(http.ErrAbortHandler)
		}
		_, _ = io.WriteString(w, `{"Code":200,"Message":"Success"}`)
	}))
	defer server.Close()
	client, err := New(Options{URL: server.URL, APIKey: "key", Retries: 1})
	if err != nil {
		t.Fatal(err)
	}
	for range [2]int{} {
		if result := client.PageView(context.Background(), Metrics{}); result.Kind != Accepted {
			t.Fatal(result)
		}
	}
	if got := strings.Join(numbers, " "); got != "1 1 2" {
		t.Fatal(got)
	}
}

type otherTransport struct{}

func (otherTransport) RoundTrip(*http.Request) (*http.Response, error) { panic("not for Trackside") }

func TestAProgramMayReplaceTheDefaultTransport(t *testing.T) {
	ordinary := http.DefaultTransport
	http.DefaultTransport = otherTransport{}
	defer func() { http.DefaultTransport = ordinary }()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, `{"Code":200,"Message":"Success"}`)
	}))
	defer server.Close()
	client, err := New(Options{URL: server.URL, APIKey: "key"})
	if err != nil {
		t.Fatal(err)
	}
	if result := client.PageView(context.Background(), Metrics{}); result.Kind != Accepted {
		t.Fatal(result)
	}
}

func TestAnAnswerCanSayThatTheRecordMayBeCountedAllTheSame(t *testing.T) {
	text := []byte(`{"Code":503,"Message":"Later"}`)
	for outcome, isUncertain := range map[string]bool{"": false, "unknown": true, "other": false} {
		header := http.Header{}
		header.Set("Trackside-Outcome", outcome)
		if got := readAnswer(503, header, text, "key", start); got.isUncertain != isUncertain || !got.isTransient {
			t.Fatal(outcome, got)
		}
	}
}
