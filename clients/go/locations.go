package trackside

import (
	"encoding/base64"
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"unicode/utf8"
)

const (
	longestLocationHeader = 4096
	maxNameUnits          = 256
	maxCodeUnits          = 64
)

// LocationSource returns where a visitor is, as far as it knows.
type LocationSource func(r *http.Request, ip string) Location

var (
	continents   = readContinents()
	placeholders = map[string]bool{
		"": true, "-": true, "?": true, "??": true, "**": true,
		"unknown": true, "null": true, "undefined": true, "(null)": true,
	}
)

// readContinents returns the continent of each country.
func readContinents() map[string]string {
	known := map[string]string{}
	for _, pair := range strings.Fields(countryCodes) {
		country, continent, _ := strings.Cut(pair, ":")
		known[country] = continent
	}
	return known
}

// FromHeaders reads the headers of any proxy. Each member of names is the name
// of a header.
func FromHeaders(names Location) LocationSource {
	return func(r *http.Request, _ string) Location {
		read := func(name string) string {
			if name == "" {
				return ""
			}
			return readLocationText(headerText(r, name))
		}
		return completeLocation(Location{
			ContinentCode: read(names.ContinentCode),
			CountryCode:   read(names.CountryCode),
			City:          read(names.City),
			PostalCode:    read(names.PostalCode),
			Region:        read(names.Region),
			RegionCode:    read(names.RegionCode),
			Timezone:      read(names.Timezone),
		})
	}
}

// Cloudflare reads Cloudflare's headers. The country is always sent; the rest
// needs the managed transform "Add visitor location headers".
var Cloudflare = FromHeaders(Location{
	ContinentCode: "CF-IPContinent",
	CountryCode:   "CF-IPCountry",
	City:          "CF-IPCity",
	PostalCode:    "CF-Postal-Code",
	Region:        "CF-Region",
	RegionCode:    "CF-Region-Code",
	Timezone:      "CF-Timezone",
})

// Vercel reads Vercel's headers.
var Vercel = FromHeaders(Location{
	ContinentCode: "X-Vercel-IP-Continent",
	CountryCode:   "X-Vercel-IP-Country",
	City:          "X-Vercel-IP-City",
	PostalCode:    "X-Vercel-IP-Postal-Code",
	RegionCode:    "X-Vercel-IP-Country-Region",
	Timezone:      "X-Vercel-IP-Timezone",
})

// CloudFront needs an origin request policy that forwards the
// CloudFront-Viewer headers.
var CloudFront = FromHeaders(Location{
	CountryCode: "CloudFront-Viewer-Country",
	City:        "CloudFront-Viewer-City",
	PostalCode:  "CloudFront-Viewer-Postal-Code",
	Region:      "CloudFront-Viewer-Country-Region-Name",
	RegionCode:  "CloudFront-Viewer-Country-Region",
	Timezone:    "CloudFront-Viewer-Time-Zone",
})

var netlifyCountry = FromHeaders(Location{CountryCode: "X-Country"})

// Netlify reads one header with everything, as JSON in base64. Some plans only
// have the country.
func Netlify(r *http.Request, ip string) Location {
	if found := readNetlify(headerText(r, "X-Nf-Geo")); found != (Location{}) {
		return found
	}
	return netlifyCountry(r, ip)
}

func readNetlify(value string) Location {
	if len(value) > longestLocationHeader {
		return Location{}
	}
	data, err := base64.RawStdEncoding.DecodeString(strings.TrimRight(value, "="))
	if err != nil || !utf8.Valid(data) {
		return Location{}
	}
	var geo map[string]any
	if json.Unmarshal(data, &geo) != nil {
		return Location{}
	}
	text := func(members any, name string) string {
		object, _ := members.(map[string]any)
		value, _ := object[name].(string)
		return value
	}
	postalCode := text(geo, "postalCode")
	if _, ok := geo["postalCode"]; !ok {
		postalCode = text(geo, "postal_code")
	}
	return completeLocation(Location{
		CountryCode: text(geo["country"], "code"),
		City:        text(geo, "city"),
		PostalCode:  postalCode,
		Region:      text(geo["subdivision"], "name"),
		RegionCode:  text(geo["subdivision"], "code"),
		Timezone:    text(geo, "timezone"),
	})
}

// completeLocation returns a location that the interface accepts. A record
// must not be lost because of a city's name.
func completeLocation(found Location) Location {
	country := strings.ToUpper(cleanPlace(found.CountryCode, maxCodeUnits))
	if continents[country] == "" || !isASCII(found.CountryCode) {
		country = ""
	}
	continent := strings.ToUpper(cleanPlace(found.ContinentCode, maxCodeUnits))
	if !isContinent(continent) {
		continent = continents[country]
	}
	return Location{
		ContinentCode: continent,
		CountryCode:   country,
		City:          cleanPlace(found.City, maxNameUnits),
		PostalCode:    cleanPlace(found.PostalCode, maxCodeUnits),
		Region:        cleanPlace(found.Region, maxNameUnits),
		RegionCode:    cleanPlace(found.RegionCode, maxCodeUnits),
		Timezone:      cleanPlace(found.Timezone, maxNameUnits),
	}
}

func isContinent(code string) bool {
	switch code {
	case "AF", "AN", "AS", "EU", "NA", "OC", "SA":
		return true
	}
	return false
}

func isASCII(text string) bool {
	for i := 0; i < len(text); i++ {
		if text[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

func cleanPlace(text string, maxUnits int) string {
	// Shortened first, so that a long text costs no more than a short one.
	cleaned := cut(closeGaps(firstRunes(text, 4*maxUnits)), maxUnits)
	if placeholders[strings.ToLower(cleaned)] {
		return ""
	}
	return cleaned
}

// readLocationText returns what a header means. Cloudflare sends UTF-8, others
// send percent encoding.
func readLocationText(value string) string {
	if len(value) > longestLocationHeader {
		return ""
	}
	if !utf8.ValidString(value) {
		value = latin1(value)
	}
	decoded, err := url.PathUnescape(strings.TrimPrefix(value, "\ufeff"))
	if err != nil || !utf8.ValidString(decoded) {
		return value
	}
	return decoded
}
