package trackside

import (
	"net/netip"
	"regexp"
	"strconv"
	"strings"
)

const maxURLUnits = 8192

var (
	withHost   = regexp.MustCompile(`^([a-zA-Z][a-zA-Z0-9+.-]*)://([^/?#\\]+)`)
	hostText   = regexp.MustCompile(`^([a-zA-Z0-9._-]{1,253}|\[[0-9a-fA-F:.]{2,45}\])(?::([0-9]{1,5}))?$`)
	numberText = regexp.MustCompile(`^(?:[0-9]+|0x[0-9a-f]*)$`)
)

// site is where a URL leads to. The host is in lower case, and has its port
// unless that is the default one.
type site struct {
	scheme string
	host   string
}

func (s site) origin() string { return s.scheme + "://" + s.host }

// readSite reads as much of a URL as is needed. It refuses too much rather than
// too little, because one bad URL costs the whole record.
func readSite(url string) (site, bool) {
	found := withHost.FindStringSubmatch(url)
	if found == nil {
		return site{}, false
	}
	return makeSite(found[1], found[2][strings.LastIndexByte(found[2], '@')+1:])
}

func makeSite(scheme, host string) (site, bool) {
	found := hostText.FindStringSubmatch(host)
	if found == nil {
		return site{}, false
	}
	scheme = strings.ToLower(scheme)
	name, ok := readHostName(strings.ToLower(found[1]))
	if !ok || found[2] == "" {
		return site{scheme, name}, ok
	}
	port, err := strconv.ParseUint(found[2], 10, 16)
	if err != nil {
		return site{}, false
	}
	isOrdinary := scheme == "http" && port == 80 || scheme == "https" && port == 443
	if !isOrdinary {
		name += ":" + strconv.FormatUint(port, 10)
	}
	return site{scheme, name}, true
}

func readHostName(name string) (string, bool) {
	if strings.HasPrefix(name, "[") {
		address, err := netip.ParseAddr(name[1 : len(name)-1])
		return "[" + address.String() + "]", err == nil && address.Is6()
	}
	// A name that ends in a number has to be an IPv4 address.
	bare := strings.TrimRight(name, ".")
	if numberText.MatchString(bare[strings.LastIndexByte(bare, '.')+1:]) {
		address, err := netip.ParseAddr(name)
		return name, err == nil && address.Is4()
	}
	return name, true
}

func isPageURL(url string) bool {
	found, ok := readSite(url)
	return ok && unitsOf(url) <= maxURLUnits && (found.scheme == "http" || found.scheme == "https")
}

func isReferrer(url string) bool {
	_, ok := readSite(url)
	return ok && unitsOf(url) <= maxURLUnits
}
