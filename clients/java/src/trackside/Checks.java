package trackside;

import java.net.URI;
import java.util.Locale;

/** Checks the options of a client when it is created. */
final class Checks {
    private Checks() {}

    static void number(String name, long value, long least, long most) {
        if (value < least || value > most) {
            throw new IllegalArgumentException(
                    name + ": expected a number from " + least + " to " + most + ", got " + value);
        }
    }

    /** Messages don't repeat values, because key and URL may have been swapped. */
    static String url(String url) {
        URI parsed = null;
        try {
            parsed = url == null ? null : URI.create(url);
        } catch (IllegalArgumentException notUrl) {
            // It is refused below, without the value.
        }
        boolean isRight = parsed != null && parsed.getHost() != null && parsed.getScheme().matches("(?i)https?");
        if (!isRight) {
            throw new IllegalArgumentException("url: expected an address such as https://trackside.example");
        }
        if (parsed.getRawUserInfo() != null) {
            throw new IllegalArgumentException("url: expected no user name or password in it");
        }
        if (parsed.getRawQuery() != null || parsed.getRawFragment() != null) {
            throw new IllegalArgumentException("url: expected no ? and no #, since the paths are added at its end");
        }
        return url.replaceAll("/+$", "");
    }

    static String apiKey(String apiKey) {
        String expected = "apiKey: expected the website's API key";
        if (apiKey == null || apiKey.isEmpty()) {
            throw new IllegalArgumentException(expected + ", got nothing. Is its environment variable set?");
        }
        if (apiKey.toLowerCase(Locale.ROOT).matches("(?s)(?:bearer|basic|authorization:?)\\s.*")) {
            throw new IllegalArgumentException(expected + " alone, got a word in front of it: "
                    + "remove \"Bearer\", \"Basic\" or \"Authorization:\"");
        }
        if (!apiKey.matches("[!-~]+")) {
            throw new IllegalArgumentException(expected + ", got white space or characters that no key has");
        }
        return apiKey;
    }

    /** Checks the version of the program, which is sent as a header. */
    static String release(String name, String value) {
        String release = value == null ? "" : value.strip();
        if (!release.matches("[ -~]{1,64}")) {
            throw new IllegalArgumentException(
                    name + ": expected 1 to 64 printable ASCII characters, such as a version or a commit");
        }
        return release;
    }

    /** Returns the release that the environment names, or null. A variable that is set to nothing is not set. */
    static String releaseOf(String variable) {
        return variable == null || variable.isBlank() ? null : release("TRACKSIDE_RELEASE", variable);
    }
}
