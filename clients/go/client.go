package trackside

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	mathrand "math/rand"
	"net/url"
	"regexp"
	"strings"
	"time"
)

const (
	// The most that the server reads.
	maxRecordBytes = 512 * 1024
	// A program waits for this. If the server asks for more time, the program
	// has to send the record later.
	longestWait = 30 * time.Second
)

// Options of a client. URL and APIKey are needed; a zero means the default.
type Options struct {
	// URL is the address of Trackside, such as https://trackside.example.
	URL string
	// APIKey is the website's. It stays on the server.
	APIKey string
	// Release is the version of your program, such as a commit: 1 to 64
	// printable ASCII characters. TRACKSIDE_RELEASE by default, if it is set.
	Release string
	// Timeout of one attempt. 10 seconds by default.
	Timeout time.Duration
	// Retries of PageView and Event: 3 by default, negative for none. The queue
	// goes on for MaxAge.
	Retries int
	// MaxRecords and MaxBytes bound the queue: 10,000 and 64 MiB by default.
	MaxRecords int
	MaxBytes   int
	// MaxAge is how long a record waits: 24 hours by default.
	MaxAge time.Duration
	// Concurrency is how many requests are in progress at the same time. 4 by
	// default.
	Concurrency int
	// OnError is called when something went wrong with tracked records, at most
	// once a minute for the same fault. It writes to package log by default.
	OnError func(Fault)
}

// Client sends page views and events. Create one for each website, and share it.
type Client struct {
	retries int
	numbers *recordNumbers
	sender  *sender
	teller  *faultTeller
	queue   *queue
}

var keyText = regexp.MustCompile(`^[!-~]+$`)

// New creates a client. A wrong option is an error that says what was expected.
func New(options Options) (*Client, error) {
	base, err := checkURL(options.URL)
	if err != nil {
		return nil, err
	}
	if err := checkAPIKey(options.APIKey); err != nil {
		return nil, err
	}
	if options.Timeout < 0 || options.Timeout > 2*time.Minute {
		return nil, fmt.Errorf("trackside: Timeout: expected at most 2 minutes, got %v", options.Timeout)
	}
	if options.MaxRecords < 0 || options.MaxBytes < 0 || options.MaxAge < 0 || options.Concurrency < 0 {
		return nil, errors.New("trackside: Options: expected no negative number")
	}
	release, err := readRelease(options.Release)
	if err != nil {
		return nil, err
	}
	concurrency := orDefault(options.Concurrency, 4)
	c := &Client{
		retries: max(0, orDefault(options.Retries, 3)),
		numbers: newRecordNumbers(),
		sender:  newSender(base, options.APIKey, release, orDefault(options.Timeout, 10*time.Second), concurrency),
		teller:  newFaultTeller(options.OnError),
	}
	c.queue = newQueue(c.sender.send, line{
		maxRecords: orDefault(options.MaxRecords, 10_000),
		maxBytes:   orDefault(options.MaxBytes, 64<<20),
		maxAge:     orDefault(options.MaxAge, 24*time.Hour),
		tell:       c.teller.tellLater,
		random:     mathrand.Float64,
	}, concurrency, c.teller.tellLater)
	return c, nil
}

func orDefault[T int | time.Duration](value, fallback T) T {
	if value == 0 {
		return fallback
	}
	return value
}

// TrackPageView takes a page view and returns at once.
func (c *Client) TrackPageView(metrics Metrics) {
	c.track("/api/page-view", pageViewBody{metrics})
}

// TrackEvent takes an event and returns at once.
func (c *Client) TrackEvent(name string, parameters []Parameter, metrics Metrics) {
	c.track("/api/event-view", newEventBody(name, parameters, metrics))
}

// PageView sends a page view and waits for the answer.
func (c *Client) PageView(ctx context.Context, metrics Metrics) Result {
	return c.deliver(ctx, "/api/page-view", pageViewBody{metrics})
}

// Event sends an event and waits for the answer.
func (c *Client) Event(ctx context.Context, name string, parameters []Parameter, metrics Metrics) Result {
	return c.deliver(ctx, "/api/event-view", newEventBody(name, parameters, metrics))
}

// Flush waits until all tracked records are settled or ctx is done, and returns
// how many remain. OnError gets the faults that are not told yet.
func (c *Client) Flush(ctx context.Context) int {
	defer c.teller.tellRest()
	return c.queue.flush(ctx)
}

// Close flushes, then takes no more records. It returns how many were left
// over.
func (c *Client) Close(ctx context.Context) int {
	defer c.teller.tellRest()
	return c.queue.close(ctx)
}

// Counts returns the numbers for your monitoring.
func (c *Client) Counts() Counts { return c.queue.counts() }

func newEventBody(name string, parameters []Parameter, metrics Metrics) eventBody {
	if parameters == nil {
		parameters = []Parameter{}
	}
	return eventBody{name, parameters, metrics}
}

func (c *Client) track(path string, body any) {
	one, refusal := c.makeRecord(path, body)
	if refusal != nil {
		c.queue.countRefused()
		c.teller.tell(Fault{Kind: string(refusal.Kind), Message: refusal.Message})
		return
	}
	c.queue.push(one)
}

func (c *Client) deliver(ctx context.Context, path string, body any) Result {
	one, refusal := c.makeRecord(path, body)
	if refusal != nil {
		return *refusal
	}
	waiting := &queued{record: one}
	tried := c.try(ctx, waiting)
	for failures := 1; failures <= c.retries && tried.isTransient; failures++ {
		asked := tried.result.RetryAfter
		if asked > longestWait {
			break
		}
		select {
		case <-time.After(asked + backoff(failures, mathrand.Float64)):
		case <-ctx.Done():
			return tried.result
		}
		tried = c.try(ctx, waiting)
	}
	return tried.result
}

func (c *Client) try(ctx context.Context, one *queued) attempt {
	now := time.Now()
	one.attempts++
	tried := c.sender.send(ctx, one.toSend(now.Sub(one.handedOver), now), one.attempts)
	if tried.isUncertain && one.uncertainSince.IsZero() {
		one.uncertainSince = now
	}
	if one.dropTime(tried.result) {
		// A clock is wrong. The record is not lost, but counts when it arrives.
		return c.try(ctx, one)
	}
	return tried
}

func (c *Client) makeRecord(path string, body any) (record, *Result) {
	text, err := json.Marshal(body)
	if err != nil {
		return record{}, &Result{Kind: Malformed, Code: 400,
			Message: "Body: expected values that JSON can hold, got others"}
	}
	if len(text) > maxRecordBytes {
		return record{}, &Result{Kind: Malformed, Code: 400,
			Message: fmt.Sprintf("Body: expected at most %d bytes, got more", maxRecordBytes)}
	}
	return record{newKey(), path, text, c.numbers.take(), time.Now()}, nil
}

// newKey returns a random UUID.
func newKey() string {
	var b [16]byte
	if _, err := rand.Read(b[:]); err != nil {
		panic(err) // The system has no randomness. Go itself ends the program then.
	}
	b[6] = b[6]&0x0f | 0x40
	b[8] = b[8]&0x3f | 0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}

// checkURL does not repeat the value, because key and URL may have been
// swapped.
func checkURL(text string) (string, error) {
	parsed, err := url.Parse(text)
	switch {
	case err != nil || parsed.Hostname() == "" || parsed.Scheme != "http" && parsed.Scheme != "https":
		return "", errors.New("trackside: URL: expected an http or https address such as https://trackside.example")
	case parsed.User != nil:
		return "", errors.New("trackside: URL: expected no user name or password in it. The key goes into APIKey.")
	case parsed.RawQuery != "" || parsed.ForceQuery || parsed.Fragment != "":
		return "", errors.New("trackside: URL: expected no ? and no # in it, since the paths are added at its end")
	}
	return strings.TrimRight(text, "/"), nil
}

func checkAPIKey(key string) error {
	const expected = "trackside: APIKey: expected the website's API key"
	first, _, hasSpace := strings.Cut(strings.ToLower(key), " ")
	switch {
	case key == "":
		return errors.New(expected + ", got an empty string. Is its environment variable set?")
	case hasSpace && (first == "bearer" || first == "basic" || first == "authorization" || first == "authorization:"):
		return errors.New(expected + ` alone, got a word in front of it: remove "Bearer", "Basic" or "Authorization:"`)
	case !keyText.MatchString(key):
		return errors.New(expected + ", got a text with white space or characters that no key has")
	}
	return nil
}
