package trackside

import (
	"encoding/json"
	"fmt"
	"strconv"
)

// Metrics describes a visitor and a page, with the names of the tracking
// interface. An empty string of a member that is optional means unknown.
type Metrics struct {
	Browser  Browser
	Identify Identify
	Language Language
	Page     Page
	Referrer Referrer
	Screen   Screen
	Location Location
}

// Browser says who asks. IP is the visitor's address, not a proxy's.
type Browser struct {
	IP        string
	UserAgent string
}

// Identify holds the customer's own id for the visitor, which the server
// hashes.
type Identify struct {
	ClientID string `json:"ClientId,omitempty"`
}

// Language holds two letters of ISO 639-1.
type Language struct {
	Code string
}

// Page is the page that was seen.
type Page struct {
	Absolute string
}

// Referrer is the page that led there.
type Referrer struct {
	Absolute string `json:",omitempty"`
}

// Screen is in pixels; 0 means unknown.
type Screen struct {
	Width  float64
	Height float64
}

// Location is where the visitor is, as far as that is known.
type Location struct {
	ContinentCode string `json:",omitempty"`
	CountryCode   string `json:",omitempty"`
	City          string `json:",omitempty"`
	PostalCode    string `json:",omitempty"`
	Region        string `json:",omitempty"`
	RegionCode    string `json:",omitempty"`
	Timezone      string `json:",omitempty"`
}

// Parameter is a name and a value of an event. An event has at most 12.
type Parameter struct {
	Name  string
	Value string
}

// Param makes a parameter from a string, a number, a boolean or anything else
// that fmt can print.
func Param(name string, value any) Parameter {
	switch value := value.(type) {
	case string:
		return Parameter{name, value}
	case float64:
		return Parameter{name, writeNumber(value)}
	case bool:
		return Parameter{name, strconv.FormatBool(value)}
	default:
		return Parameter{name, fmt.Sprint(value)}
	}
}

// writeNumber writes a number as a browser does.
func writeNumber(number float64) string {
	if number == 0 {
		return "0"
	}
	text, err := json.Marshal(number)
	if err != nil {
		return fmt.Sprint(number)
	}
	return string(text)
}

type pageViewBody struct {
	Metrics Metrics
}

type eventBody struct {
	Name       string
	Parameters []Parameter
	Metrics    Metrics
}
