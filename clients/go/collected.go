package trackside

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

const (
	maxPixels     = 100_000
	maxValueUnits = 2048
	maxParameters = 12
)

// collected is what a browser said about itself and its page. It is checked, so
// every value can be sent on.
type collected struct {
	screen     Screen
	language   string
	referrer   string
	page       string
	isEvent    bool
	name       string
	parameters []Parameter
}

type members map[string]json.RawMessage

// readCollected reads what the browser script sends. An error is for the
// developer of the page, and repeats no value.
func readCollected(body []byte) (collected, error) {
	var given members
	if err := json.Unmarshal(bytes.TrimPrefix(body, []byte("\ufeff")), &given); err != nil || given == nil {
		return collected{}, errors.New("Body: expected a JSON object, got another value or no JSON")
	}
	var found collected
	known := []string{"ScreenWidth", "ScreenHeight", "Absolute"}
	for member := range given {
		// In any letter case, so that "name" is a fault and not a page view.
		if strings.EqualFold(member, "Name") || strings.EqualFold(member, "Parameters") {
			found.isEvent = true
			known = append(known, "Name", "Parameters")
			break
		}
	}
	err := checkSpelling(given, known, "")
	if err != nil {
		return collected{}, err
	}
	if found.screen.Width, err = readPixels(given, "ScreenWidth"); err != nil {
		return collected{}, err
	}
	if found.screen.Height, err = readPixels(given, "ScreenHeight"); err != nil {
		return collected{}, err
	}
	found.page, _ = readString(given["Absolute"])
	if !isPageURL(found.page) {
		return collected{}, errors.New("Absolute: expected an absolute http or https URL of at most 8192 characters")
	}
	found.language, _ = readString(given["Language"])
	if referrer, _ := readString(given["Referrer"]); isReferrer(referrer) {
		found.referrer = referrer
	}
	if !found.isEvent {
		return found, nil
	}
	if found.name, err = readName(given["Name"], "Name"); err != nil {
		return collected{}, err
	}
	found.parameters, err = readParameters(given["Parameters"])
	return found, err
}

func checkSpelling(given members, known []string, path string) error {
	for came := range given {
		for _, right := range known {
			if came != right && strings.EqualFold(came, right) {
				return fmt.Errorf("%s%s: expected the member to be spelled %s", path, right, right)
			}
		}
	}
	return nil
}

func readString(raw json.RawMessage) (string, bool) {
	var text *string
	if raw == nil || json.Unmarshal(raw, &text) != nil || text == nil {
		return "", false
	}
	return *text, true
}

func readPixels(given members, member string) (float64, error) {
	var pixels *float64
	if raw := given[member]; raw != nil && json.Unmarshal(raw, &pixels) != nil {
		return 0, fmt.Errorf("%s: expected a number or null", member)
	}
	if pixels == nil {
		return 0, nil
	}
	// A browser that hides its screen may send any number.
	return min(max(*pixels, 0), maxPixels), nil
}

func readName(raw json.RawMessage, path string) (string, error) {
	name, ok := readString(raw)
	if !ok || unitsOf(name) > maxNameUnits || isBlank(name) {
		return "", fmt.Errorf("%s: expected a string of 1 to %d characters that are not all white space",
			path, maxNameUnits)
	}
	return name, nil
}

func readParameters(raw json.RawMessage) ([]Parameter, error) {
	elements, err := listParameters(raw)
	if err != nil || len(elements) > maxParameters {
		return nil, fmt.Errorf("Parameters: expected an array of 0 to %d elements", maxParameters)
	}
	parameters := make([]Parameter, len(elements))
	for index, element := range elements {
		path := fmt.Sprintf("Parameters[%d]", index)
		if element == nil {
			return nil, fmt.Errorf("%s: expected an object", path)
		}
		if err := checkSpelling(element, []string{"Name", "Value"}, path+"."); err != nil {
			return nil, err
		}
		name, err := readName(element["Name"], path+".Name")
		if err != nil {
			return nil, err
		}
		value, ok := readValue(element["Value"])
		if !ok || unitsOf(value) > maxValueUnits {
			return nil, fmt.Errorf("%s.Value: expected a string of at most %d characters", path, maxValueUnits)
		}
		parameters[index] = Parameter{name, value}
	}
	return parameters, nil
}

// listParameters takes the list, and the short form in which each member is a
// parameter. Their order is kept.
func listParameters(raw json.RawMessage) ([]members, error) {
	var elements []members
	if raw == nil || json.Unmarshal(raw, &elements) == nil {
		return elements, nil
	}
	decoder := json.NewDecoder(bytes.NewReader(raw))
	if token, err := decoder.Token(); err != nil || token != json.Delim('{') {
		return nil, errors.New("no list")
	}
	places := map[string]int{}
	for decoder.More() {
		name, err := decoder.Token()
		if err != nil {
			return nil, err
		}
		var value json.RawMessage
		if err := decoder.Decode(&value); err != nil {
			return nil, err
		}
		key := name.(string)
		quoted, err := json.Marshal(key)
		if err != nil {
			return nil, err
		}
		// If a member came twice, the last one counts.
		if place, isKnown := places[key]; isKnown {
			elements[place]["Value"] = value
			continue
		}
		places[key] = len(elements)
		elements = append(elements, members{"Name": quoted, "Value": value})
	}
	return elements, nil
}

// readValue turns numbers and booleans into text, so that a page can send them as
// they are.
func readValue(raw json.RawMessage) (string, bool) {
	var value any
	if raw == nil || json.Unmarshal(raw, &value) != nil {
		return "", false
	}
	switch value := value.(type) {
	case string, float64, bool:
		return Param("", value).Value, true
	}
	return "", false
}
