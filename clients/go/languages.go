package trackside

import (
	"regexp"
	"strconv"
	"strings"
)

const longestLanguageHeader = 1024

var (
	primaryTag  = regexp.MustCompile(`^\s*([a-zA-Z]{2,3})(?:[^a-zA-Z0-9]|$)`)
	qualityText = regexp.MustCompile(`(?i)^\s*q\s*=\s*(.*?)\s*$`)
	qualityForm = regexp.MustCompile(`^(?:0(?:\.[0-9]{0,9})?|1(?:\.0{0,9})?)$`)
	languages   = readLanguages()
)

// readLanguages returns the two letters of ISO 639-1 for each code.
func readLanguages() map[string]string {
	known := map[string]string{}
	for _, code := range strings.Fields(languageCodes) {
		known[code] = code
	}
	for _, pair := range strings.Fields(otherLanguageCodes) {
		code, twoLetters, _ := strings.Cut(pair, ":")
		known[code] = twoLetters
	}
	return known
}

func isLanguageCode(code string) bool {
	return len(code) == 2 && languages[strings.ToLower(code)] == strings.ToLower(code)
}

// readLanguage returns the two letters for a browser's language tag.
func readLanguage(tag, fallback string) string {
	if language := findLanguage(tag); language != "" {
		return language
	}
	return fallback
}

// readAcceptLanguage returns the visitor's first choice that has a code of two
// letters.
func readAcceptLanguage(value, fallback string) string {
	if len(value) > longestLanguageHeader {
		value = value[:longestLanguageHeader]
	}
	best, bestQuality := fallback, 0.0
	for _, part := range strings.Split(value, ",") {
		tag, parameters, _ := strings.Cut(part, ";")
		quality := readQuality(parameters)
		// Strictly greater: the first of equals counts, and a quality of 0
		// refuses a language.
		if quality <= bestQuality {
			continue
		}
		if language := findLanguage(tag); language != "" {
			best, bestQuality = language, quality
		}
	}
	return best
}

// findLanguage knows no two letters for fil: tl is another language, and fi is
// Finnish.
func findLanguage(tag string) string {
	found := primaryTag.FindStringSubmatch(tag)
	if found == nil {
		return ""
	}
	return languages[strings.ToLower(found[1])]
}

func readQuality(parameters string) float64 {
	for _, parameter := range strings.Split(parameters, ";") {
		found := qualityText.FindStringSubmatch(parameter)
		if found == nil {
			continue
		}
		if !qualityForm.MatchString(found[1]) {
			return -1
		}
		quality, err := strconv.ParseFloat(found[1], 64)
		if err != nil {
			return -1
		}
		return quality
	}
	return 1
}
