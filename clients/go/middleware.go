package trackside

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math"
	"net"
	"net/http"
	"strings"
	"time"
)

const (
	maxBodyBytes   = 32 * 1024
	bodyLimit      = 10 * time.Second
	allowedMethods = "GET, HEAD, POST, OPTIONS"
	originAdvice   = "list it in Origins if it is yours, and set Proxies if yours looks different to visitors"
)

// Middleware serves the endpoint, and passes everything else to next. With
// CountPages it counts the pages that next sends.
func (h *Handler) Middleware(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.URL.Path == h.options.Path || r.URL.Path == h.options.Path+"/":
			h.ServeHTTP(w, r)
		case h.options.CountPages && h.isCandidate(r):
			page := &pageWriter{ResponseWriter: w}
			next.ServeHTTP(page, r)
			h.count(r, page.statusOrOK(), page.contentType())
		default:
			next.ServeHTTP(w, r)
		}
	})
}

func (h *Handler) isCandidate(r *http.Request) (isLoad bool) {
	defer h.reportPanic()
	return isPageLoad(r)
}

// ServeHTTP is the endpoint: GET is the script, POST what it sends. It answers
// before Trackside is asked.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	isAnswered := false
	defer func() {
		// Visitors can do nothing about our faults, and should not see them.
		if cause := recover(); cause != nil {
			h.teller.tell(Fault{Kind: "unexpected", Message: fmt.Sprintf("Expected to handle the request, got a panic: %v", cause)})
			if !isAnswered {
				w.WriteHeader(http.StatusNoContent)
			}
		}
	}()
	switch r.Method {
	case http.MethodGet, http.MethodHead:
		h.serveScript(w, r)
	case http.MethodPost:
		h.take(w, r)
	case http.MethodOptions:
		h.servePreflight(w, r)
	default:
		w.Header().Set("Allow", allowedMethods)
		refuse(w, http.StatusMethodNotAllowed, "Method: expected one of "+allowedMethods)
	}
	isAnswered = true
}

func (h *Handler) take(w http.ResponseWriter, r *http.Request) {
	origin := h.trust.origin(r)
	from, isOurs := h.judgeSender(r, origin)
	if !isOurs {
		refuse(w, http.StatusForbidden, "Origin: expected a page of "+origin+", got another origin or none; "+originAdvice)
		return
	}
	allowOrigin(w, from.allowedOrigin)
	if h.isRefusedByVisitor(r) {
		taken(w)
		return
	}
	ip := h.readIP(r)
	if ip.IsValid() {
		if wait := h.waitFor(ip, r); wait > 0 {
			seconds := max(1, int(math.Ceil(wait.Seconds())))
			w.Header().Set("Retry-After", fmt.Sprint(seconds))
			refuse(w, http.StatusTooManyRequests, fmt.Sprintf("Too many from this address; wait %d s", seconds))
			return
		}
	}
	body, err := readBody(w, r)
	if err != nil {
		refuse(w, http.StatusBadRequest, "Body: expected all of it in time, got a part at most")
		return
	}
	if len(body) > maxBodyBytes {
		refuse(w, http.StatusRequestEntityTooLarge, fmt.Sprintf("Body: expected at most %d bytes, got more", maxBodyBytes))
		return
	}
	seen, err := readCollected(body)
	if err != nil {
		refuse(w, http.StatusBadRequest, err.Error())
		return
	}
	if !h.isOwnPage(seen.page, from, origin) {
		refuse(w, http.StatusForbidden, "Absolute: expected a page of "+origin+", got one of another host; "+originAdvice)
		return
	}
	if ip.IsValid() {
		seen.language = readLanguage(seen.language, h.options.Language)
		metrics := h.describe(r, ip, seen)
		if seen.isEvent {
			h.tracker.TrackEvent(seen.name, seen.parameters, metrics)
		} else {
			h.tracker.TrackPageView(metrics)
		}
	}
	taken(w)
}

func readBody(w http.ResponseWriter, r *http.Request) ([]byte, error) {
	// Not every writer knows deadlines. The server's own hold in any case.
	controller := http.NewResponseController(w)
	if controller.SetReadDeadline(time.Now().Add(bodyLimit)) == nil {
		defer func() { _ = controller.SetReadDeadline(time.Time{}) }()
	}
	return io.ReadAll(io.LimitReader(r.Body, maxBodyBytes+1))
}

func (h *Handler) serveScript(w http.ResponseWriter, r *http.Request) {
	header := w.Header()
	header.Set("Cache-Control", "public, max-age=3600, stale-while-revalidate=86400")
	header.Set("ETag", h.tag)
	if len(h.listed) > 0 {
		header.Set("Cross-Origin-Resource-Policy", "cross-origin")
		header.Set("Access-Control-Allow-Origin", "*")
	} else {
		header.Set("Cross-Origin-Resource-Policy", "same-origin")
	}
	for _, held := range strings.Split(headerText(r, "If-None-Match"), ",") {
		held = strings.TrimSpace(held)
		if held == "*" || strings.TrimPrefix(held, "W/") == strings.TrimPrefix(h.tag, "W/") {
			w.WriteHeader(http.StatusNotModified)
			return
		}
	}
	header.Set("Content-Type", "text/javascript; charset=utf-8")
	header.Set("X-Content-Type-Options", "nosniff")
	if r.Method != http.MethodHead {
		_, _ = io.WriteString(w, h.script)
	}
}

func (h *Handler) servePreflight(w http.ResponseWriter, r *http.Request) {
	from, _ := h.judgeSender(r, h.trust.origin(r))
	allowOrigin(w, from.allowedOrigin)
	w.Header().Set("Allow", allowedMethods)
	if from.allowedOrigin != "" {
		w.Header().Set("Access-Control-Allow-Methods", "POST")
		w.Header().Set("Access-Control-Allow-Headers", "content-type")
		w.Header().Set("Access-Control-Max-Age", "86400")
	}
	taken(w)
}

// pageSender is whose page sent a request.
type pageSender struct {
	host string
	// allowedOrigin is set for a listed page of another origin, whose browser
	// needs to be allowed.
	allowedOrigin string
}

// judgeSender decides whose page sent a request. Browsers say so themselves,
// and no script can change it.
func (h *Handler) judgeSender(r *http.Request, ownOrigin string) (from pageSender, isOurs bool) {
	fetchSite := headerText(r, "Sec-Fetch-Site")
	given, ok := header(r, "Origin")
	if !ok {
		given = headerText(r, "Referer")
	}
	source, isKnown := readSite(given)
	// This holds even behind a proxy that changes the host.
	if fetchSite == "same-origin" {
		return pageSender{host: source.host}, true
	}
	if !isKnown {
		return pageSender{}, false
	}
	for _, listed := range h.listed {
		if source == listed {
			return pageSender{source.host, source.origin()}, true
		}
	}
	if fetchSite == "same-site" || fetchSite == "cross-site" {
		return pageSender{}, false
	}
	// Only the host, because the scheme looks different behind a proxy that
	// ends TLS.
	own, _ := readSite(ownOrigin)
	return pageSender{host: source.host}, source.host == own.host
}

func (h *Handler) isOwnPage(page string, from pageSender, ownOrigin string) bool {
	found, ok := readSite(page)
	own, _ := readSite(ownOrigin)
	if !ok {
		return false
	}
	for _, listed := range h.listed {
		if found.host == listed.host {
			return true
		}
	}
	return found.host == from.host || found.host == own.host
}

// allowOrigin allows credentials, because ClientID may read a cookie.
func allowOrigin(w http.ResponseWriter, origin string) {
	if origin == "" {
		return
	}
	w.Header().Set("Access-Control-Allow-Origin", origin)
	w.Header().Set("Access-Control-Allow-Credentials", "true")
	w.Header().Add("Vary", "Origin")
}

// taken says that we have the record, whatever happens later.
func taken(w http.ResponseWriter) {
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(http.StatusNoContent)
}

// refuse says in plain text why, for the developer of the page.
func refuse(w http.ResponseWriter, status int, text string) {
	w.Header().Set("Cache-Control", "no-store")
	http.Error(w, text, status)
}

// pageWriter notes the status and the type of an answer as it passes.
type pageWriter struct {
	http.ResponseWriter
	status  int
	sniffed string
}

func (p *pageWriter) WriteHeader(status int) {
	// An early hint is followed by the actual answer.
	if p.status == 0 && status >= 200 {
		p.status = status
	}
	p.ResponseWriter.WriteHeader(status)
}

func (p *pageWriter) Write(data []byte) (int, error) {
	if p.status == 0 {
		p.status = http.StatusOK
	}
	// The server detects the type if nobody sets it.
	if p.sniffed == "" {
		p.sniffed = http.DetectContentType(data)
	}
	return p.ResponseWriter.Write(data)
}

func (p *pageWriter) contentType() string {
	if types := p.Header().Values("Content-Type"); len(types) > 0 {
		return types[0]
	}
	return p.sniffed
}

func (p *pageWriter) statusOrOK() int {
	if p.status == 0 {
		return http.StatusOK
	}
	return p.status
}

// Unwrap lets http.ResponseController find the writer behind this one.
func (p *pageWriter) Unwrap() http.ResponseWriter { return p.ResponseWriter }

// Flush supports handlers that stream.
func (p *pageWriter) Flush() {
	if flusher, ok := p.ResponseWriter.(http.Flusher); ok {
		flusher.Flush()
	}
}

// Hijack supports handlers that take over the connection.
func (p *pageWriter) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	if hijacker, ok := p.ResponseWriter.(http.Hijacker); ok {
		return hijacker.Hijack()
	}
	return nil, nil, errors.ErrUnsupported
}
