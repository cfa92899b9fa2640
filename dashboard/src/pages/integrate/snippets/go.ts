import type { Sent } from './sent.ts';

export function goSnippet(origin: string, domain: string, key: string, sent: Sent): string {
  const isEvent = sent === 'event';
  return `// trackside.go: Go 1.21 or newer, nothing to install.
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"time"
)

const apiKey = "${key}"

// One for the whole application: it keeps the connection open.
var client = &http.Client{Timeout: 5 * time.Second}

type visit struct {
	IP, UserAgent, Language, Page string
	ClientID, Country, Referrer   *string
	ScreenWidth, ScreenHeight     int
}

func send(v visit) error {
	body, err := json.Marshal(map[string]any{
${isEvent ? event : ''}		"Metrics": map[string]any{
			"Browser":  map[string]any{"IP": v.IP, "UserAgent": v.UserAgent},
			"Identify": map[string]any{"ClientId": v.ClientID},
			"Language": map[string]any{"Code": v.Language[:2]},
			"Location": map[string]any{"CountryCode": v.Country},
			"Page":     map[string]any{"Absolute": v.Page},
			"Referrer": map[string]any{"Absolute": v.Referrer},
			"Screen":   map[string]any{"Width": v.ScreenWidth, "Height": v.ScreenHeight},
		},
	})
	if err != nil {
		return err
	}
	request, err := http.NewRequest(http.MethodPost, "${origin}/api/${isEvent ? 'event-view' : 'page-view'}", bytes.NewReader(body))
	if err != nil {
		return err
	}
	request.Header.Set("Authorization", apiKey)
	request.Header.Set("Content-Type", "application/json")
	response, err := client.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		answer, _ := io.ReadAll(response.Body)
		return fmt.Errorf("${sent} refused: %s", answer)
	}
	return nil
}

func main() {
	country, referrer := "DE", "https://www.google.com/"
	err := send(visit{
		IP:        "203.0.113.7", // from r.RemoteAddr, or what your proxy says
		UserAgent: "Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0", // r.UserAgent()
		ClientID:  nil,      // your own id of a signed-in user, if you have one
		Country:   &country, // from your proxy or a GeoIP look-up, or nil
		// The rest comes from a small script in the page:
		Language:     "en-US",               // navigator.language
		Page:         "https://${domain}/", // location.href
		Referrer:     &referrer,             // document.referrer, or nil
		ScreenWidth:  1920,                  // screen.width
		ScreenHeight: 1080,                  // screen.height
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("sent")
}
`;
}

/** What an event has besides the metrics of a page view. */
const event = `		"Name":       "Sign-up",
		"Parameters": []map[string]string{{"Name": "plan", "Value": "pro"}},
`;

export const goEndpoint = `// In place of main in trackside.go. Also import "net" and "strconv".
func side(w http.ResponseWriter, r *http.Request) {
	host, _, _ := net.SplitHostPort(r.RemoteAddr) // behind a proxy: what your proxy says
	width, _ := strconv.Atoi(r.PostFormValue("screenWidth"))
	height, _ := strconv.Atoi(r.PostFormValue("screenHeight"))
	v := visit{
		IP:           host,
		UserAgent:    r.UserAgent(),
		Language:     (r.PostFormValue("language") + "en")[:2],
		Page:         r.PostFormValue("page"),
		ScreenWidth:  width,
		ScreenHeight: height,
	}
	if referrer := r.PostFormValue("referrer"); referrer != "" {
		v.Referrer = &referrer
	}
	if err := send(v); err != nil {
		log.Print(err)
	}
	w.WriteHeader(http.StatusNoContent)
}

func main() {
	http.HandleFunc("POST /side", side)
	log.Fatal(http.ListenAndServe(":3000", nil))
}
`;
