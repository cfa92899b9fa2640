package trackside

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"time"
)

const (
	maxAnswerBytes   = 16 * 1024
	maxMessageLength = 1000
)

// Kind is the outcome of a record in one word.
type Kind string

const (
	// Accepted means that the record is on the disk of Trackside.
	Accepted Kind = "accepted"
	// Malformed means that the record has to be corrected.
	Malformed Kind = "malformed"
	// Unauthorized means that the API key is not valid.
	Unauthorized Kind = "unauthorized"
	// ContingentUsedUp means that the month's contingent is used up.
	ContingentUsedUp Kind = "contingent-used-up"
	// Unavailable means that Trackside didn't answer, or didn't confirm the
	// record. The record may have been counted.
	Unavailable Kind = "unavailable"
)

// Result is the outcome of a record that a program waited for.
type Result struct {
	Kind Kind
	// Code is the HTTP status, or 0 if there was no answer.
	Code       int
	Message    string
	RetryAfter time.Duration
}

// record is a record as it was handed over. Every attempt has this key and this
// number.
type record struct {
	// key is the Idempotency-Key, by which the server recognizes a repeat.
	key  string
	path string
	body []byte
	// sequence is its stream and number.
	sequence   string
	handedOver time.Time
}

// attempt is the result of one request, and what it means for the next.
type attempt struct {
	result Result
	// isTransient: the same request may get another answer in a moment.
	isTransient bool
	// isUncertain: the record may have been counted although no answer says so.
	isUncertain bool
}

type sender struct {
	url     string
	apiKey  string
	release string
	http    *http.Client
}

func newSender(url, apiKey, release string, timeout time.Duration, concurrency int) *sender {
	transport := newTransport()
	transport.MaxIdleConnsPerHost = concurrency
	// The server closes idle connections after 75 seconds, and a request that
	// crosses with that needs another attempt.
	transport.IdleConnTimeout = time.Minute
	return &sender{url, apiKey, release, &http.Client{
		Transport: transport,
		Timeout:   timeout,
		// The API key would go along.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
}

func newTransport() *http.Transport {
	if transport, ok := http.DefaultTransport.(*http.Transport); ok {
		return transport.Clone()
	}
	// The program has put something else there, such as a transport that traces
	// requests. These are Go's own settings.
	return &http.Transport{
		Proxy:                 http.ProxyFromEnvironment,
		ForceAttemptHTTP2:     true,
		MaxIdleConns:          100,
		TLSHandshakeTimeout:   10 * time.Second,
		ExpectContinueTimeout: time.Second,
	}
}

// send sends the record once. number says which attempt this is, from 1 on.
func (s *sender) send(ctx context.Context, one record, number int) attempt {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, s.url+one.path, bytes.NewReader(one.body))
	if err != nil {
		return noAnswer(err)
	}
	// Otherwise, Go would send a request with an Idempotency-Key again by itself,
	// with the same number.
	request.GetBody = nil
	request.Header.Set("Authorization", s.apiKey)
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Idempotency-Key", one.key)
	// With a first attempt, the server doesn't have to ask others.
	request.Header.Set("Trackside-Attempt", strconv.Itoa(number))
	request.Header.Set("Trackside-Sequence", one.sequence)
	if s.release != "" {
		request.Header.Set("Trackside-Release", s.release)
	}
	response, err := s.http.Do(request)
	if err != nil {
		return noAnswer(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(io.LimitReader(response.Body, maxAnswerBytes+1))
	if err != nil {
		return noAnswer(err)
	}
	if len(text) > maxAnswerBytes {
		text = nil
	}
	return readAnswer(response.StatusCode, response.Header, text, s.apiKey, time.Now())
}

func noAnswer(err error) attempt {
	var operation *net.OpError
	// The connection was never made, so no byte of the record can have arrived.
	isUnreached := errors.As(err, &operation) && operation.Op == "dial"
	what := "no answer"
	if isUnreached {
		what = "no connection"
	}
	message := "Expected an answer from Trackside, got " + what + ": check that it's running and that the URL is correct."
	return attempt{Result{Kind: Unavailable, Message: message}, true, !isUnreached}
}

func readAnswer(status int, header http.Header, text []byte, apiKey string, now time.Time) attempt {
	var answer struct {
		Code    *int
		Message *string
	}
	retryAfter, isAsked := readRetryAfter(header.Get("Retry-After"), now)
	err := json.Unmarshal(text, &answer)
	if err != nil || answer.Code == nil || answer.Message == nil ||
		*answer.Code == 200 && (status < 200 || status > 299) {
		return judgeStranger(status, retryAfter)
	}
	// Whatever is at that address could send the key back to us, and messages
	// end up in logs.
	message := firstRunes(strings.ReplaceAll(*answer.Message, apiKey, "[API key]"), maxMessageLength)
	code := *answer.Code
	switch code {
	case 200:
		return attempt{result: Result{Accepted, code, message, 0}}
	case 400:
		return attempt{result: Result{Malformed, code, message, 0}}
	case 401:
		return attempt{result: Result{Unauthorized, code, message, 0}}
	case 429:
		if !isAsked {
			retryAfter = untilNextMonth(now)
		}
		return attempt{result: Result{ContingentUsedUp, code, message, retryAfter}}
	case 404, 405:
		return attempt{result: Result{Unavailable, code, wrongURL(code), 0}}
	}
	// The server may count the record all the same.
	isUncertain := header.Get("Trackside-Outcome") == "unknown"
	return attempt{Result{Unavailable, code, message, retryAfter}, isTransient(code), isUncertain}
}

// judgeStranger handles an answer that Trackside does not give: from a proxy in
// front of it, or from something else at that address.
func judgeStranger(status int, retryAfter time.Duration) attempt {
	result := Result{Unavailable, status, describeStranger(status), retryAfter}
	// A gateway's 5xx can come after the server has counted the record.
	isUncertain := status >= 500 || status >= 200 && status < 300
	return attempt{result, isTransient(status), isUncertain}
}

func describeStranger(status int) string {
	switch {
	case status == 404 || status == 405:
		return wrongURL(status)
	case status >= 300 && status < 400:
		return fmt.Sprintf("Expected an answer from Trackside, got the redirect %d. It is not followed, "+
			"because the API key would be sent along: set the URL to the final address.", status)
	case status < 300:
		return fmt.Sprintf("Expected an answer from Trackside, got status %d from something else: "+
			"check that the URL is the address of Trackside.", status)
	}
	return fmt.Sprintf("Expected an answer from Trackside, got status %d from something in front of it: "+
		"check the proxy or firewall in between.", status)
}

func wrongURL(status int) string {
	return fmt.Sprintf("Expected an answer from Trackside, got status %d: check that the URL is the address "+
		"of Trackside, without /api/page-view.", status)
}

func isTransient(status int) bool {
	return status >= 500 || status == 408 || status == 425 || status == 429
}

func readRetryAfter(value string, now time.Time) (wait time.Duration, ok bool) {
	if seconds, err := strconv.ParseUint(value, 10, 31); err == nil {
		return time.Duration(seconds) * time.Second, true
	}
	date, err := http.ParseTime(value)
	if err != nil {
		return 0, false
	}
	return max(0, date.Sub(now)), true
}

func untilNextMonth(now time.Time) time.Duration {
	utc := now.UTC()
	return time.Date(utc.Year(), utc.Month()+1, 1, 0, 0, 0, 0, time.UTC).Sub(utc)
}
