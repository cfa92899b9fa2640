package trackside

import "strings"

// eachFromRight calls visit with the elements of a list from its right end,
// where our own proxies write, until it returns false. Whatever a client put in
// front, even an unbalanced quote, cannot change the elements after it.
func eachFromRight(value string, visit func(element string) bool) {
	end, isQuoted := len(value), false
	for at := len(value) - 1; at >= 0; at-- {
		switch sign := value[at]; {
		case sign == '"':
			if !isQuoted || !isEscaped(value, at) {
				isQuoted = !isQuoted
			}
		case sign == ',' && !isQuoted:
			if element := strings.TrimSpace(value[at+1 : end]); element != "" && !visit(element) {
				return
			}
			end = at
		}
	}
	if first := strings.TrimSpace(value[:end]); first != "" {
		visit(first)
	}
}

func isEscaped(value string, quoteAt int) bool {
	before := value[:quoteAt]
	return (len(before)-len(strings.TrimRight(before, `\`)))%2 == 1
}

// pickFromRight returns the n-th element from the right end, or the leftmost if
// there are fewer.
func pickFromRight(value string, n int) string {
	picked, count := "", 0
	eachFromRight(value, func(element string) bool {
		picked = element
		count++
		return count < n
	})
	return picked
}

// readPair returns for, proto or host of an element of Forwarded (RFC 7239).
func readPair(element, name string) string {
	for _, pair := range pairsOf(element) {
		key, value, ok := strings.Cut(pair, "=")
		if !ok || !strings.EqualFold(strings.TrimSpace(key), name) {
			continue
		}
		value = strings.TrimSpace(value)
		if len(value) > 1 && value[0] == '"' && value[len(value)-1] == '"' {
			return unescape(value[1 : len(value)-1])
		}
		return value
	}
	return ""
}

// pairsOf splits an element. A quoted host comes from the client, so a
// semicolon in it must not begin a pair.
func pairsOf(element string) []string {
	var pairs []string
	start, isQuoted := 0, false
	for at := 0; at < len(element); at++ {
		switch sign := element[at]; {
		case sign == '"':
			isQuoted = !isQuoted
		case sign == '\\' && isQuoted:
			at++
		case sign == ';' && !isQuoted:
			pairs = append(pairs, element[start:at])
			start = at + 1
		}
	}
	return append(pairs, element[start:])
}

func unescape(text string) string {
	var plain strings.Builder
	for at := 0; at < len(text); at++ {
		if text[at] == '\\' && at+1 < len(text) {
			at++
		}
		plain.WriteByte(text[at])
	}
	return plain.String()
}
