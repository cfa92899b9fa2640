// Command conformance runs the cases that clients/test gives to every client, and writes
// what came of it as JSON.
package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"reflect"
	"strings"
	"sync"
	"time"

	"trackside"
)

type settings struct {
	Proxies struct {
		Hops     int
		Networks []string
		Header   string
		List     string
	}
	Location          []json.RawMessage
	Language          string
	Origins           []string
	RespectDoNotTrack bool
}

type testCase struct {
	Kind     string
	Settings settings
	Request  struct {
		Method, Target string
		Peer           *string
		Headers        [][2]string
		Body           string
	}
	Answer struct {
		Status      int
		ContentType *string
	}
}

type sentRecord struct {
	Path string `json:"path"`
	Body any    `json:"body"`
}

type outcome struct {
	Status *int        `json:"status"`
	Record *sentRecord `json:"record"`
}

// keptRecord stands in for the client, and keeps the record that it gets.
type keptRecord struct{ record *sentRecord }

func (k *keptRecord) TrackPageView(metrics trackside.Metrics) {
	k.record = &sentRecord{"/api/page-view", map[string]any{"Metrics": metrics}}
}

func (k *keptRecord) TrackEvent(name string, parameters []trackside.Parameter, metrics trackside.Metrics) {
	body := map[string]any{"Name": name, "Parameters": parameters, "Metrics": metrics}
	k.record = &sentRecord{"/api/event-view", body}
}

func readSettings(given settings) trackside.HandlerOptions {
	options := trackside.HandlerOptions{
		Proxies:           trackside.Proxies(given.Proxies),
		Language:          given.Language,
		Origins:           given.Origins,
		RespectDoNotTrack: given.RespectDoNotTrack,
		CountPages:        true,
		OnError:           func(trackside.Fault) {},
	}
	sources := map[string]trackside.LocationSource{
		`"cloudflare"`: trackside.Cloudflare,
		`"vercel"`:     trackside.Vercel,
		`"cloudfront"`: trackside.CloudFront,
		`"netlify"`:    trackside.Netlify,
	}
	for _, raw := range given.Location {
		source, isNamed := sources[string(raw)]
		if !isNamed {
			var names trackside.Location
			check(json.Unmarshal(raw, &names))
			source = trackside.FromHeaders(names)
		}
		options.Location = append(options.Location, source)
	}
	return options
}

func runCase(given testCase) outcome {
	request := &http.Request{
		Method:     given.Request.Method,
		Header:     http.Header{},
		RequestURI: given.Request.Target,
		Body:       io.NopCloser(strings.NewReader(given.Request.Body)),
	}
	target, err := url.ParseRequestURI(given.Request.Target)
	check(err)
	request.URL = target
	if given.Request.Peer != nil {
		request.RemoteAddr = *given.Request.Peer
	}
	for _, pair := range given.Request.Headers {
		// The server moves this one out of the headers.
		if strings.EqualFold(pair[0], "Host") {
			request.Host = string(toBytes(pair[1]))
			continue
		}
		request.Header.Add(pair[0], string(toBytes(pair[1])))
	}
	kept := &keptRecord{}
	handler, err := trackside.NewHandler(kept, readSettings(given.Settings))
	check(err)
	recorder := httptest.NewRecorder()
	page := func(w http.ResponseWriter, _ *http.Request) {
		if given.Answer.ContentType != nil {
			w.Header().Set("Content-Type", *given.Answer.ContentType)
		}
		w.WriteHeader(given.Answer.Status)
	}
	handler.Middleware(http.HandlerFunc(page)).ServeHTTP(recorder, request)
	if given.Kind == "endpoint" {
		return outcome{&recorder.Code, kept.record}
	}
	return outcome{nil, kept.record}
}

// toBytes returns the bytes of a header, each of which is a character in the
// cases.
func toBytes(value string) []byte {
	var data []byte
	for _, r := range value {
		data = append(data, byte(r))
	}
	return data
}

type contractRequest struct {
	APIKey string
	Path   string
	Body   string
}

func sendRecord(address string, given contractRequest) any {
	client, err := trackside.New(trackside.Options{URL: address, APIKey: given.APIKey})
	if err != nil {
		return map[string]string{"thrown": err.Error()}
	}
	var event struct {
		Name       string
		Parameters []trackside.Parameter
		Metrics    trackside.Metrics
	}
	if !canHold([]byte(given.Body), &event, given.Path == "/api/event-view") {
		return map[string]string{"ruledOut": "types"}
	}
	var result trackside.Result
	if given.Path == "/api/page-view" {
		result = client.PageView(context.Background(), event.Metrics)
	} else {
		result = client.Event(context.Background(), event.Name, event.Parameters, event.Metrics)
	}
	return map[string]any{"kind": result.Kind, "code": result.Code, "message": result.Message}
}

// canHold reads a body, and reports whether the types of Go hold all of it.
func canHold(body []byte, event any, isEvent bool) bool {
	if json.Unmarshal(body, event) != nil {
		return false
	}
	again, err := json.Marshal(event)
	check(err)
	var before, after map[string]any
	check(json.Unmarshal(body, &before))
	check(json.Unmarshal(again, &after))
	if !isEvent {
		delete(after, "Name")
		delete(after, "Parameters")
	} else if before["Parameters"] == nil {
		// The client takes nil for no parameters.
		return false
	}
	return reflect.DeepEqual(withoutNulls(before), withoutNulls(after))
}

// withoutNulls leaves out what means the same as nothing: null, and an empty
// string of the two members that the interface lets be empty.
func withoutNulls(value any) any {
	object, ok := value.(map[string]any)
	if !ok {
		return value
	}
	for name, member := range object {
		inner, _ := member.(map[string]any)
		switch {
		case member == nil:
			delete(object, name)
		case name == "Identify" && inner["ClientId"] == "":
			delete(inner, "ClientId")
		case name == "Referrer" && inner["Absolute"] == "":
			delete(inner, "Absolute")
		default:
			withoutNulls(member)
		}
	}
	return object
}

func serve(given struct {
	URL      string
	APIKey   string
	Release  string
	Settings settings
}, input io.Reader) {
	var mu sync.Mutex
	faults := []string{}
	client, err := trackside.New(trackside.Options{
		URL: given.URL, APIKey: given.APIKey, Release: given.Release, Timeout: 5 * time.Second,
		OnError: func(fault trackside.Fault) {
			mu.Lock()
			defer mu.Unlock()
			faults = append(faults, fault.Kind)
		},
	})
	check(err)
	handler, err := trackside.NewHandler(client, readSettings(given.Settings))
	check(err)
	mux := http.NewServeMux()
	mux.HandleFunc("/checkout", func(w http.ResponseWriter, r *http.Request) {
		handler.TrackEvent(r, "Order paid", trackside.Param("total", 44))
		http.Redirect(w, r, "/thanks", http.StatusSeeOther)
	})
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		io.WriteString(w, "<h1>Shop</h1>")
	})
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	check(err)
	go http.Serve(listener, handler.Middleware(mux))
	fmt.Printf("{\"port\":%d}\n", listener.Addr().(*net.TCPAddr).Port)
	io.Copy(io.Discard, input)
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	remaining := client.Close(ctx)
	counts := client.Counts()
	mu.Lock()
	defer mu.Unlock()
	write(map[string]any{"remaining": remaining, "faults": faults, "counts": map[string]int{
		"queued": counts.Queued, "accepted": counts.Accepted, "refused": counts.Refused,
		"dropped": counts.Dropped, "retried": counts.Retried,
	}})
}

func main() {
	log.SetFlags(0)
	input := bufio.NewReader(os.Stdin)
	given, err := input.ReadBytes('\n')
	check(err)
	switch os.Args[1] {
	case "cases":
		var cases []testCase
		check(json.Unmarshal(given, &cases))
		outcomes := make([]outcome, len(cases))
		for index, each := range cases {
			outcomes[index] = runCase(each)
		}
		write(map[string]any{"net/http": outcomes})
	case "contract":
		var contract struct {
			URL      string
			Requests []contractRequest
		}
		check(json.Unmarshal(given, &contract))
		results := make([]any, len(contract.Requests))
		for index, each := range contract.Requests {
			results[index] = sendRecord(contract.URL, each)
		}
		write(results)
	default:
		var website struct {
			URL      string
			APIKey   string
			Release  string
			Settings settings
		}
		check(json.Unmarshal(given, &website))
		serve(website, input)
	}
}

func write(value any) {
	var text bytes.Buffer
	check(json.NewEncoder(&text).Encode(value))
	os.Stdout.Write(text.Bytes())
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
