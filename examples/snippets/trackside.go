// trackside.go: Go 1.21 or newer, nothing to install.
//
//	go run trackside.go          sends a test page view and an event
//	go run trackside.go serve    receives what the script in your pages sends, on port 3000
//
// A complete client, with middleware for net/http, is in clients/go of Trackside's folder.
package main

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/netip"
	"os"
	"regexp"
	"strconv"
	"strings"
	"time"
)

const (
	trackside = "http://127.0.0.1:8080"
	apiKey    = "YOUR_API_KEY"
	site      = "https://shop.example"
	proxies   = 0 // how many of your own proxies are in front of this program
	timeout   = 3 * time.Second
)

type visit struct {
	ip, userAgent, language, country, page, referrer, width, height string
}

type parameter struct{ Name, Value string }

type object = map[string]any

// metrics passes nothing on unread: everything from a browser can be missing or made up.
func metrics(v visit) object {
	return object{
		"Browser":  object{"IP": v.ip, "UserAgent": cut(v.userAgent, 2048)},
		"Identify": object{"ClientId": nil}, // your own id of a signed-in user, if you have one
		"Language": object{"Code": readLanguage(v.language)},
		"Location": object{"CountryCode": readCountry(v.country)},
		"Page":     object{"Absolute": cut(v.page, 8192)},
		"Referrer": object{"Absolute": readReferrer(v.referrer)},
		"Screen":   object{"Width": readPixels(v.width), "Height": readPixels(v.height)},
	}
}

func sendPageView(v visit) (int, string) {
	return send("/api/page-view", object{"Metrics": metrics(v)})
}

func sendEvent(v visit, name string, parameters []parameter) (int, string) {
	return send("/api/event-view", object{"Name": name, "Parameters": parameters, "Metrics": metrics(v)})
}

// send returns the status and the answer. All attempts have the same key, so the record counts once.
func send(path string, record object) (status int, answer string) {
	body, err := json.Marshal(record)
	if err != nil {
		return 0, err.Error()
	}
	random := make([]byte, 16)
	if _, err := rand.Read(random); err != nil {
		return 0, err.Error()
	}
	key := fmt.Sprintf("%x", random)
	for _, pause := range []time.Duration{time.Second, 2 * time.Second, 0} {
		status, answer = attempt(path, body, key)
		if status > 0 && status < 500 {
			break
		}
		time.Sleep(pause)
	}
	return status, answer
}

func attempt(path string, body []byte, key string) (int, string) {
	ctx, cancel := context.WithTimeout(context.Background(), timeout)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, trackside+path, bytes.NewReader(body))
	if err != nil {
		return 0, err.Error()
	}
	request.Header.Set("Authorization", apiKey)
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Idempotency-Key", key)
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return 0, err.Error()
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(response.Body)
	if err != nil {
		return 0, err.Error()
	}
	return response.StatusCode, string(answer)
}

func cut(text string, most int) string {
	return text[:min(len(text), most)]
}

// readAddress leaves out port, brackets and zone: [fe80::1%eth0]:443 is fe80::1.
func readAddress(text string) string {
	text = strings.TrimSpace(text)
	if host, _, err := net.SplitHostPort(text); err == nil {
		text = host
	}
	address, err := netip.ParseAddr(strings.Trim(text, "[]"))
	if err != nil {
		return ""
	}
	return address.WithZone("").String()
}

var languageOfTwoLetters = regexp.MustCompile(`(?i)(?:^|,)\s*([a-z]{2})(?:[^a-z\d]|$)`)

// readLanguage finds the first language of two letters in a tag or a header. Shortening fil-PH would make
// it Finnish.
func readLanguage(text string) string {
	if found := languageOfTwoLetters.FindStringSubmatch(cut(text, 200)); found != nil {
		return strings.ToLower(found[1])
	}
	return "en"
}

var twoCapitals = regexp.MustCompile(`^[A-Z]{2}$`)

// readCountry leaves out what Cloudflare sends for unknown, XX, and for Tor, T1.
func readCountry(text string) *string {
	if text == "XX" || !twoCapitals.MatchString(text) {
		return nil
	}
	return &text
}

var addressWithHost = regexp.MustCompile(`(?i)^[a-z][a-z\d+.-]*://[^/?#\\\s]`)

func readReferrer(text string) *string {
	if !addressWithHost.MatchString(text) {
		return nil
	}
	text = cut(text, 8192)
	return &text
}

func readPixels(text string) uint64 {
	pixels, err := strconv.ParseUint(text, 10, 16)
	if err != nil {
		return 0
	}
	return pixels
}

var waiting = make(chan func() (int, string), 1000)

// sendLater never makes visitors wait for Trackside. If it is away for long, the queue is full and this one
// is lost.
func sendLater(call func() (int, string)) {
	select {
	case waiting <- call:
	default:
		log.Print("The queue is full")
	}
}

func sendWaiting() {
	for call := range waiting {
		if status, answer := call(); status != http.StatusOK {
			log.Printf("Trackside: %d %s", status, answer)
		}
	}
}

var pageAddress = regexp.MustCompile(`(?i)^https?://[^/?#\\\s]`)

func side(w http.ResponseWriter, r *http.Request) {
	r.Body = http.MaxBytesReader(w, r.Body, 65_536)
	v := describe(r)
	if r.Method == http.MethodPost && v.ip != "" && pageAddress.MatchString(v.page) {
		sendLater(func() (int, string) { return sendPageView(v) })
	}
	w.WriteHeader(http.StatusNoContent)
}

func signUp(w http.ResponseWriter, r *http.Request) {
	r.Body = http.MaxBytesReader(w, r.Body, 65_536)
	v := describe(r)
	v.page = site + "/sign-up"
	if r.Method == http.MethodPost && v.ip != "" {
		sendLater(func() (int, string) { return sendEvent(v, "Sign-up", []parameter{{"plan", "pro"}}) })
	}
	http.Redirect(w, r, "/welcome", http.StatusSeeOther)
}

func describe(r *http.Request) visit {
	field := func(name string) string { return strings.TrimSpace(r.PostFormValue(name)) }
	v := visit{
		ip:        findAddress(r),
		userAgent: r.UserAgent(),
		language:  field("language"),
		country:   r.Header.Get("CF-IPCountry"), // if you are behind Cloudflare
		page:      field("page"),
		referrer:  field("referrer"),
		width:     field("screenWidth"),
		height:    field("screenHeight"),
	}
	if v.language == "" {
		v.language = r.Header.Get("Accept-Language")
	}
	return v
}

// findAddress looks behind proxies: the peer is one of them then, and must not be counted as a visitor.
func findAddress(r *http.Request) string {
	if proxies == 0 {
		return readAddress(r.RemoteAddr)
	}
	chain := strings.Split(strings.Join(r.Header.Values("X-Forwarded-For"), ","), ",")
	if len(chain) < proxies {
		return ""
	}
	return readAddress(chain[len(chain)-proxies])
}

func main() {
	if len(os.Args) > 1 && os.Args[1] == "serve" {
		go sendWaiting()
		http.HandleFunc("/side", side)
		http.HandleFunc("/sign-up", signUp)
		server := &http.Server{Addr: "127.0.0.1:3000", ReadTimeout: 10 * time.Second}
		log.Fatal(server.ListenAndServe())
	}
	v := visit{
		ip:        "203.0.113.7",
		userAgent: "Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0",
		language:  "en-US",
		country:   "DE",
		page:      site + "/",
		referrer:  "https://www.google.com/",
		width:     "1920",
		height:    "1080",
	}
	fmt.Println(sendPageView(v))
	fmt.Println(sendEvent(v, "Sign-up", []parameter{{"plan", "pro"}}))
}
