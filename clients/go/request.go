package trackside

import (
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"strings"
)

var requestHost = regexp.MustCompile(`^(?:[\w.-]+|\[[0-9a-fA-F:.]+\])(?::[0-9]+)?$`)

// header returns the bytes of a header. Repeated headers are joined by ", ".
func header(r *http.Request, name string) (value string, ok bool) {
	values := r.Header.Values(name)
	return strings.Join(values, ", "), len(values) > 0
}

func headerText(r *http.Request, name string) string {
	value, _ := header(r, name)
	return value
}

// hostOf returns the host that the client asked for. It can send anything, but
// a host stays a host.
func hostOf(r *http.Request) string {
	if requestHost.MatchString(r.Host) {
		return r.Host
	}
	return "localhost"
}

func schemeOf(r *http.Request) string {
	if r.TLS != nil {
		return "https"
	}
	return "http"
}

// targetOf returns the path with its query, as the client wrote it.
func targetOf(r *http.Request) string {
	target := r.RequestURI
	if target == "" {
		target = r.URL.RequestURI()
	}
	target, _, _ = strings.Cut(target, "#")
	if !strings.HasPrefix(target, "/") {
		absolute, err := url.Parse(target)
		if err != nil || absolute.Host == "" {
			return "/"
		}
		target = absolute.RequestURI()
	}
	return encodeUnsafe(target)
}

func encodeUnsafe(target string) string {
	var safe strings.Builder
	for i := 0; i < len(target); i++ {
		if b := target[i]; b <= ' ' || b > '~' || strings.IndexByte("\"<>`", b) >= 0 {
			fmt.Fprintf(&safe, "%%%02X", b)
		} else {
			safe.WriteByte(b)
		}
	}
	return safe.String()
}
