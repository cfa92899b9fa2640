package trackside

import (
	"errors"
	"fmt"
	"net/http"
	"net/netip"
	"regexp"
	"strings"
)

const (
	longestAddress = 128
	maxHops        = 32
	forwardedFor   = "X-Forwarded-For"
	forwarded      = "Forwarded"
)

// Proxies says which machines in front of the backend may say where a request
// comes from. Set Hops, Networks, or Header; with Header, Networks may be set,
// too. The zero value trusts nobody.
type Proxies struct {
	// Hops is how many proxies append to the list. Nobody may bypass them.
	Hops int
	// Networks are addresses and CIDRs of the proxies, also "loopback" and
	// "private". This is the safest choice.
	Networks []string
	// Header is one header that the platform sets and overwrites, such as
	// "CF-Connecting-IP".
	Header string
	// List is "X-Forwarded-For", which is the default, or "Forwarded".
	List string
}

var (
	headerName    = regexp.MustCompile("^[\\w!#$%&'*+.^`|~-]+$")
	networkText   = regexp.MustCompile(`^[^/%]+(?:/[0-9]{1,3})?$`)
	namedNetworks = map[string][]string{
		"loopback": {"127.0.0.0/8", "::1"},
		"private": {
			"10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "169.254.0.0/16", "fc00::/7", "fe80::/10",
		},
	}
	// Providers use 100.64.0.0/10 between their own machines.
	innerNetworks, _ = parseNetworks([]string{"loopback", "private", "100.64.0.0/10", "0.0.0.0/8", "::"})
)

// trust is Proxies after they were checked.
type trust struct {
	hops     int
	networks []netip.Prefix
	header   string
	list     string
}

func checkProxies(proxies Proxies) (trust, error) {
	checked := trust{hops: proxies.Hops, header: proxies.Header, list: http.CanonicalHeaderKey(proxies.List)}
	if checked.list == "" {
		checked.list = forwardedFor
	}
	switch {
	case proxies.Hops < 0 || proxies.Hops > maxHops:
		return trust{}, fmt.Errorf("trackside: Proxies.Hops: expected 1 to %d, got %d", maxHops, proxies.Hops)
	case proxies.Hops > 0 && (proxies.Header != "" || proxies.Networks != nil):
		return trust{}, errors.New("trackside: Proxies: expected Hops alone, got more")
	case proxies.Header != "" && !headerName.MatchString(proxies.Header):
		return trust{}, fmt.Errorf("trackside: Proxies.Header: expected a header name, got %q", proxies.Header)
	case proxies.Header != "" && proxies.List != "":
		return trust{}, errors.New("trackside: Proxies.List: expected only with Hops or Networks")
	case http.CanonicalHeaderKey(proxies.Header) == forwardedFor || http.CanonicalHeaderKey(proxies.Header) == forwarded:
		return trust{}, fmt.Errorf("trackside: Proxies.Header: expected a header of one address, got the list %s", proxies.Header)
	case checked.list != forwardedFor && checked.list != forwarded:
		return trust{}, fmt.Errorf("trackside: Proxies.List: expected X-Forwarded-For or Forwarded, got %q", proxies.List)
	case proxies.Networks != nil && len(proxies.Networks) == 0:
		return trust{}, errors.New("trackside: Proxies.Networks: expected at least one, got none")
	}
	networks, err := parseNetworks(proxies.Networks)
	checked.networks = networks
	return checked, err
}

func parseNetworks(entries []string) ([]netip.Prefix, error) {
	var networks []netip.Prefix
	for _, entry := range entries {
		texts, isNamed := namedNetworks[entry]
		if !isNamed {
			texts = []string{entry}
		}
		for _, text := range texts {
			network, err := parseNetwork(text)
			if err != nil {
				return nil, fmt.Errorf("trackside: Proxies.Networks: expected an address or CIDR such as "+
					"10.0.0.0/8, or loopback or private, got %q", entry)
			}
			networks = append(networks, network)
		}
	}
	return networks, nil
}

func parseNetwork(text string) (netip.Prefix, error) {
	if !networkText.MatchString(text) {
		return netip.Prefix{}, errors.New("no network")
	}
	if !strings.Contains(text, "/") {
		address, err := netip.ParseAddr(text)
		return netip.PrefixFrom(address.Unmap(), address.Unmap().BitLen()), err
	}
	network, err := netip.ParsePrefix(text)
	if err != nil {
		return netip.Prefix{}, err
	}
	// Addresses are compared as IPv4 where they are IPv4.
	if network.Addr().Is4In6() && network.Bits() >= 96 {
		network = netip.PrefixFrom(network.Addr().Unmap(), network.Bits()-96)
	}
	return network.Masked(), nil
}

func isInside(address netip.Addr, networks []netip.Prefix) bool {
	for _, network := range networks {
		if network.Contains(address) {
			return true
		}
	}
	return false
}

// isPublic reports whether an address can belong to a visitor from the internet, and
// not a proxy's beside us.
func isPublic(address netip.Addr) bool { return !isInside(address, innerNetworks) }

// visitor is the sender of a request.
type visitor struct {
	// ip is invalid if it cannot be known: no address is better than a forged
	// one, or than a proxy's.
	ip netip.Addr
	// hops is how many of our proxies the request came through. With 0, only
	// the connection can be trusted.
	hops int
	// element is what the outermost of them wrote into Forwarded.
	element string
}

func (t trust) find(r *http.Request) visitor {
	peer := readAddress(r.RemoteAddr)
	switch {
	case t.header != "":
		return t.findByHeader(r, peer)
	case t.hops > 0:
		return t.findByHops(r, peer)
	case t.networks != nil:
		return t.findByNetworks(r, peer)
	}
	return visitor{ip: peer}
}

func (t trust) findByHops(r *http.Request, peer netip.Addr) visitor {
	var found visitor
	eachFromRight(headerText(r, t.list), func(element string) bool {
		found.hops++
		found.element = element
		return found.hops < t.hops
	})
	if found.hops == 0 {
		return publicPeer(peer)
	}
	found.ip = t.readElement(found.element)
	return found
}

func (t trust) findByNetworks(r *http.Request, peer netip.Addr) visitor {
	if !peer.IsValid() || !isInside(peer, t.networks) {
		return visitor{ip: peer}
	}
	hops := 0
	// A proxy that forwards nothing is not a visitor itself.
	found := visitor{hops: 1}
	eachFromRight(headerText(r, t.list), func(element string) bool {
		hops++
		found = visitor{t.readElement(element), hops, element}
		return found.ip.IsValid() && isInside(found.ip, t.networks)
	})
	return found
}

func (t trust) findByHeader(r *http.Request, peer netip.Addr) visitor {
	if t.networks != nil && (!peer.IsValid() || !isInside(peer, t.networks)) {
		return visitor{ip: peer}
	}
	// If the header came twice, the platform added the last one.
	value := pickFromRight(headerText(r, t.header), 1)
	if value == "" {
		return publicPeer(peer)
	}
	// CloudFront writes 2001:db8::1:443 without brackets.
	if colon := strings.LastIndexByte(value, ':'); strings.EqualFold(t.header, "CloudFront-Viewer-Address") &&
		colon >= 0 && !strings.Contains(value, "]") {
		value = value[:colon]
	}
	return visitor{ip: readAddress(value), hops: 1}
}

// publicPeer takes a peer that forwards nothing. A public one came around the
// proxy, and an internal one is the proxy itself.
func publicPeer(peer netip.Addr) visitor {
	if !peer.IsValid() || !isPublic(peer) {
		return visitor{}
	}
	return visitor{ip: peer}
}

func (t trust) readElement(element string) netip.Addr {
	if t.list == forwarded {
		element = readPair(element, "for")
	}
	return readAddress(element)
}

// origin returns scheme and host as the visitor sees them.
func (t trust) origin(r *http.Request) string {
	found := t.find(r)
	scheme, host := schemeOf(r), ""
	if found.hops > 0 {
		if proto := strings.ToLower(t.readPart(r, found, "proto")); proto == "http" || proto == "https" {
			scheme = proto
		}
		host = t.readPart(r, found, "host")
	}
	// The port that the request itself leaves out is that of its own scheme.
	own, _ := makeSite(schemeOf(r), hostOf(r))
	for _, candidate := range []string{host, own.host} {
		if known, ok := makeSite(scheme, candidate); ok {
			return known.origin()
		}
	}
	return scheme + "://localhost"
}

func (t trust) readPart(r *http.Request, found visitor, part string) string {
	if t.list == forwarded {
		return readPair(found.element, part)
	}
	return pickFromRight(headerText(r, "X-Forwarded-"+part), found.hops)
}

// readAddress reads an address as proxies write it: with a port, brackets,
// quotes or a zone. IPv4 that is written as IPv6 becomes IPv4.
func readAddress(text string) netip.Addr {
	if len(text) > longestAddress {
		return netip.Addr{}
	}
	bare := strings.TrimSpace(text)
	if len(bare) > 1 && bare[0] == '"' && bare[len(bare)-1] == '"' {
		bare = strings.TrimSpace(bare[1 : len(bare)-1])
	}
	bare = withoutPort(bare)
	if strings.Contains(bare, ":") {
		bare, _, _ = strings.Cut(bare, "%")
	}
	address, err := netip.ParseAddr(bare)
	if err != nil {
		return netip.Addr{}
	}
	return address.Unmap()
}

func withoutPort(text string) string {
	if strings.HasPrefix(text, "[") {
		inner, after, ok := strings.Cut(text[1:], "]")
		if !ok || after != "" && after[0] != ':' {
			return ""
		}
		return inner
	}
	if strings.Count(text, ":") == 1 {
		text, _, _ = strings.Cut(text, ":")
	}
	return text
}
