package trackside

import (
	"crypto/sha256"
	"fmt"
	"net/http"
	"net/netip"
	"regexp"
	"strings"
	"time"
)

const (
	defaultPath        = "/side"
	defaultPerMinute   = 60
	maxUserAgentLength = 2048
	maxClientIDUnits   = 512
)

var (
	pathText     = regexp.MustCompile(`^/[^?#\s]*[^?#\s/]$`)
	originText   = regexp.MustCompile(`^\w+://[^/?#@]+/?$`)
	proxyHeaders = []string{
		"X-Forwarded-For", "Forwarded", "CF-Connecting-IP", "Fly-Client-IP", "X-Vercel-Forwarded-For",
		"X-Nf-Client-Connection-IP",
	}
)

// Tracker is the part of a [Client] that a handler needs.
type Tracker interface {
	TrackPageView(Metrics)
	TrackEvent(name string, parameters []Parameter, metrics Metrics)
}

// HandlerOptions of a handler. The zero value is a good start when no proxy
// stands in front of the server.
type HandlerOptions struct {
	// Path of the script, which it also sends to. "/side" by default. Choose
	// none with a word that ad blockers look for.
	Path string
	// Proxies in front of this server.
	Proxies Proxies
	// Location sources. The first that knows a country counts.
	Location []LocationSource
	// Language of visitors whose language has no two-letter code. "en" by
	// default.
	Language string
	// ClientID returns your id for the visitor, or "".
	ClientID func(*http.Request) string
	// Origins are further origins whose pages may send.
	Origins []string
	// PerMinute limits the records of one visitor: 60 by default, negative for
	// no limit. One address may send ten times as many.
	PerMinute float64
	// RespectDoNotTrack records nothing for browsers that send DNT: 1 or
	// Sec-GPC: 1.
	RespectDoNotTrack bool
	// CountPages counts each HTML page that the server sends, without a script.
	CountPages bool
	// Ignore returns true for pages that should not be counted.
	Ignore func(url string) bool
	// OnError is called when settings look wrong or a callback panics. It writes
	// to package log by default.
	OnError func(Fault)
}

// Handler serves the browser script and takes what it sends, with
// [Handler.Middleware] around your own handler.
type Handler struct {
	tracker Tracker
	options HandlerOptions
	trust   trust
	listed  []site
	limit   *rateLimit
	teller  *faultTeller
	script  string
	tag     string
	now     func() time.Time
}

// NewHandler creates a handler. A wrong option is an error that says what was
// expected.
func NewHandler(tracker Tracker, options HandlerOptions) (*Handler, error) {
	if options.Path == "" {
		options.Path = defaultPath
	}
	if options.Language == "" {
		options.Language = "en"
	}
	if options.PerMinute == 0 {
		options.PerMinute = defaultPerMinute
	}
	if !pathText.MatchString(options.Path) {
		return nil, fmt.Errorf("trackside: Path: expected one such as %q, got %q", defaultPath, options.Path)
	}
	if !isLanguageCode(options.Language) {
		return nil, fmt.Errorf("trackside: Language: expected two letters of ISO 639-1, got %q", options.Language)
	}
	options.Language = strings.ToLower(options.Language)
	checked, err := checkProxies(options.Proxies)
	if err != nil {
		return nil, err
	}
	h := &Handler{tracker: tracker, options: options, trust: checked, teller: newFaultTeller(options.OnError)}
	h.now = time.Now
	for _, origin := range options.Origins {
		found, ok := readSite(origin)
		if !ok || found.scheme != "http" && found.scheme != "https" || !originText.MatchString(origin) {
			return nil, fmt.Errorf("trackside: Origins: expected one such as https://www.shop.example, got %q", origin)
		}
		h.listed = append(h.listed, found)
	}
	if options.PerMinute > 0 {
		h.limit = newRateLimit(options.PerMinute)
	}
	h.script = script
	if options.RespectDoNotTrack {
		h.script = respectfulScript
	}
	h.tag = fmt.Sprintf(`W/"%x"`, sha256.Sum256([]byte(h.script)))[:3+16] + `"`
	return h, nil
}

// TrackEvent records an event of the backend for the visitor of a request. It
// returns at once and never panics.
func (h *Handler) TrackEvent(r *http.Request, name string, parameters ...Parameter) {
	defer h.reportPanic()
	if h.isRefusedByVisitor(r) {
		return
	}
	ip := h.readIP(r)
	if !ip.IsValid() {
		return
	}
	page, referrer := h.trust.origin(r)+targetOf(r), referrerOf(r)
	source, isKnown := readSite(referrer)
	own, _ := readSite(page)
	// The visitor sees the page that the form or script was sent from.
	if isKnown && r.Method != http.MethodGet && source.host == own.host {
		page, referrer = referrer, ""
	}
	h.tracker.TrackEvent(name, parameters, h.describeRequest(r, ip, page, referrer))
}

// count records a page view if the answer was a page.
func (h *Handler) count(r *http.Request, status int, contentType string) {
	defer h.reportPanic()
	if !isPage(status, contentType, r) || h.isRefusedByVisitor(r) {
		return
	}
	page := h.trust.origin(r) + targetOf(r)
	if !isPageURL(page) || h.options.Ignore != nil && h.options.Ignore(page) {
		return
	}
	ip := h.readIP(r)
	if !ip.IsValid() || h.waitFor(ip, r) > 0 {
		return
	}
	h.tracker.TrackPageView(h.describeRequest(r, ip, page, referrerOf(r)))
}

func (h *Handler) describeRequest(r *http.Request, ip netip.Addr, page, referrer string) Metrics {
	language := readAcceptLanguage(headerText(r, "Accept-Language"), h.options.Language)
	return h.describe(r, ip, collected{language: language, page: page, referrer: referrer})
}

func (h *Handler) describe(r *http.Request, ip netip.Addr, seen collected) Metrics {
	userAgent := headerText(r, "User-Agent")
	if len(userAgent) > maxUserAgentLength {
		userAgent = userAgent[:maxUserAgentLength]
	}
	return Metrics{
		Browser:  Browser{IP: ip.String(), UserAgent: latin1(userAgent)},
		Identify: Identify{ClientID: h.identify(r)},
		Language: Language{Code: seen.language},
		Page:     Page{Absolute: seen.page},
		Referrer: Referrer{Absolute: seen.referrer},
		Screen:   seen.screen,
		Location: h.locate(r, ip.String()),
	}
}

func (h *Handler) identify(r *http.Request) (id string) {
	if h.options.ClientID == nil {
		return ""
	}
	defer h.reportWithout("ClientID")
	given := h.options.ClientID(r)
	if unitsOf(given) > maxClientIDUnits {
		h.teller.tell(Fault{Kind: "callback", Message: fmt.Sprintf("ClientID: expected a string of at most %d "+
			"characters; the record was sent without it", maxClientIDUnits)})
		return ""
	}
	return given
}

func (h *Handler) locate(r *http.Request, ip string) Location {
	var first Location
	for index, source := range h.options.Location {
		found := h.ask(source, r, ip)
		if found.CountryCode != "" {
			return found
		}
		if index == 0 {
			first = found
		}
	}
	return first
}

func (h *Handler) ask(source LocationSource, r *http.Request, ip string) (found Location) {
	defer h.reportWithout("Location")
	return completeLocation(source(r, ip))
}

func (h *Handler) isRefusedByVisitor(r *http.Request) bool {
	return h.options.RespectDoNotTrack && (headerText(r, "DNT") == "1" || headerText(r, "Sec-GPC") == "1")
}

// readIP reports an address that is unknown or a proxy's, because only the
// settings can help.
func (h *Handler) readIP(r *http.Request) netip.Addr {
	found := h.trust.find(r)
	if !found.ip.IsValid() {
		h.teller.tell(Fault{Kind: "no-address", Message: "The visitor's address is not known, so nothing was " +
			"recorded: set or correct Proxies."})
		return found.ip
	}
	if found.hops > 0 || isPublic(found.ip) {
		return found.ip
	}
	for _, name := range proxyHeaders {
		if _, ok := header(r, name); ok {
			h.teller.tell(Fault{Kind: "proxies", Message: "Requests come from an inner address with " + name +
				", so a proxy stands in front, and all visitors are counted as one: set Proxies."})
			break
		}
	}
	return found.ip
}

func (h *Handler) waitFor(ip netip.Addr, r *http.Request) time.Duration {
	if h.limit == nil {
		return 0
	}
	wait := h.limit.take(ip, headerText(r, "User-Agent"), h.now())
	if wait > 0 {
		h.teller.tell(Fault{Kind: "too-many", Message: "A visitor sent too many records in a minute, and the rest " +
			"was left out. If that was no attack, raise PerMinute; if all visitors seem to be one, set Proxies."})
	}
	return wait
}

// reportPanic keeps a panic of the tracker or of a callback out of the
// customer's request.
func (h *Handler) reportPanic() {
	if cause := recover(); cause != nil {
		h.teller.tell(Fault{Kind: "unexpected", Message: fmt.Sprintf("Expected to handle the request, got a panic: %v", cause)})
	}
}

func (h *Handler) reportWithout(what string) {
	if cause := recover(); cause != nil {
		h.teller.tell(Fault{Kind: "callback", Message: fmt.Sprintf("%s: panicked, so the record was sent without it: %v", what, cause)})
	}
}

func referrerOf(r *http.Request) string {
	if referrer := latin1(headerText(r, "Referer")); isReferrer(referrer) {
		return referrer
	}
	return ""
}
