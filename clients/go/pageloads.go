package trackside

import (
	"net/http"
	"regexp"
	"strings"
)

var (
	ahead        = regexp.MustCompile(`(?i)prefetch|prerender|preview|instant`)
	aheadHeaders = []string{"Sec-Purpose", "X-Sec-Purpose", "Purpose", "X-Purpose", "X-Moz"}
	// Headers of scripts that load parts of pages.
	pieceHeaders = []string{"HX-Request", "Turbo-Frame", "RSC", "Next-Router-Prefetch", "X-Nextjs-Data"}
	healthPaths  = regexp.MustCompile(`^/(?:health|healthz|livez|readyz|ping|up|status)$`)
	healthAgents = regexp.MustCompile(`(?i)kube-probe|ELB-HealthChecker|GoogleHC|GoogleStackdriverMonitoring` +
		`|Consul Health Check|Route ?53-Health-Check|Cloudflare-(?:Healthchecks|Traffic-Manager)` +
		`|Edge Health Probe|Load Balancer Agent|Envoy/HC|HAProxy`)
	htmlType = regexp.MustCompile(`(?i)^\s*(?:text/html|application/xhtml\+xml)\s*(?:;|$)`)
)

// isPageLoad reports whether a person asks for a page, as far as that is known
// before the answer.
func isPageLoad(r *http.Request) bool {
	if r.Method != http.MethodGet {
		return false
	}
	if dest, ok := header(r, "Sec-Fetch-Dest"); ok && dest != "document" {
		return false
	}
	if mode, ok := header(r, "Sec-Fetch-Mode"); ok && mode != "navigate" {
		return false
	}
	if _, ok := header(r, "Range"); ok || strings.EqualFold(headerText(r, "X-Requested-With"), "XMLHttpRequest") {
		return false
	}
	for _, name := range pieceHeaders {
		if _, ok := header(r, name); ok {
			return false
		}
	}
	for _, name := range aheadHeaders {
		if ahead.MatchString(headerText(r, name)) {
			return false
		}
	}
	path, _, _ := strings.Cut(targetOf(r), "?")
	return !healthAgents.MatchString(headerText(r, "User-Agent")) && !healthPaths.MatchString(path)
}

// isPage reports whether the answer was a page. A 304 has no type, so
// the request shows what was asked for.
func isPage(status int, contentType string, r *http.Request) bool {
	if status == http.StatusNotModified && contentType == "" {
		return headerText(r, "Sec-Fetch-Dest") == "document" ||
			strings.Contains(strings.ToLower(headerText(r, "Accept")), "text/html")
	}
	isGood := status >= 200 && status <= 299 || status == http.StatusNotModified
	return isGood && htmlType.MatchString(contentType)
}
