package trackside

import (
	"fmt"
	"os"
	"regexp"
	"strings"
)

// It is sent as a header.
var releaseText = regexp.MustCompile(`^[ -~]{1,64}$`)

// readRelease reads the option, or else the environment.
func readRelease(option string) (string, error) {
	name, release := "Release", strings.TrimSpace(option)
	if option == "" {
		name, release = "TRACKSIDE_RELEASE", strings.TrimSpace(os.Getenv("TRACKSIDE_RELEASE"))
		if release == "" {
			return "", nil
		}
	}
	if !releaseText.MatchString(release) {
		return "", fmt.Errorf("trackside: %s: expected 1 to 64 printable ASCII characters, such as a version or a commit", name)
	}
	return release, nil
}
