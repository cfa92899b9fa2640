package trackside

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// latin1 returns the text of a header's value, in which each byte is one
// character.
func latin1(value string) string {
	runes := make([]rune, len(value))
	for i := 0; i < len(value); i++ {
		runes[i] = rune(value[i])
	}
	return string(runes)
}

// unitsOf returns the length in UTF-16 code units, which the interface counts.
func unitsOf(text string) int {
	units := 0
	for _, r := range text {
		units += unitsOfRune(r)
	}
	return units
}

func unitsOfRune(r rune) int {
	if r > 0xffff {
		return 2
	}
	return 1
}

// cut shortens a text, but not in the middle of a character.
func cut(text string, maxUnits int) string {
	units := 0
	for at, r := range text {
		units += unitsOfRune(r)
		if units > maxUnits {
			return strings.TrimRightFunc(text[:at], isSpace)
		}
	}
	return text
}

// isSpace reports whether JavaScript counts a character as white space.
func isSpace(r rune) bool {
	return r == 0xfeff || (unicode.IsSpace(r) && r != 0x85)
}

func isBlank(text string) bool {
	return strings.TrimFunc(text, isSpace) == ""
}

// closeGaps replaces each run of white space and control characters with one
// space, and trims the ends.
func closeGaps(text string) string {
	isGap := func(r rune) bool { return isSpace(r) || unicode.Is(unicode.Cc, r) }
	return strings.Join(strings.FieldsFunc(text, isGap), " ")
}

func firstRunes(text string, count int) string {
	if utf8.RuneCountInString(text) <= count {
		return text
	}
	return string([]rune(text)[:count])
}
