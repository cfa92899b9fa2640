package trackside;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Finds the two letters of ISO 639-1 for what browsers say about their language. */
final class Languages {
    private static final int LONGEST_HEADER = 1024;
    private static final Pattern PRIMARY =
            Pattern.compile("[\\s\\u00a0]*([a-zA-Z]{2,3})(?![a-zA-Z\\d])");
    private static final Pattern QUALITY = Pattern.compile("(?is)[\\s\\u00a0]*q[\\s\\u00a0]*=(.*)");
    private static final Map<String, String> CODES = readCodes();

    private Languages() {}

    static boolean isCode(String code) {
        return code.length() == 2 && code.toLowerCase(Locale.ROOT).equals(CODES.get(code.toLowerCase(Locale.ROOT)));
    }

    /** Returns the two letters for a browser's language tag. */
    static String read(Object tag, String fallback) {
        String found = tag instanceof String text ? find(text) : null;
        return found == null ? fallback : found;
    }

    /** Returns the visitor's first choice that has a two-letter code. */
    static String readAccepted(String header, String fallback) {
        String best = fallback;
        double bestQuality = 0;
        for (String range : header.substring(0, Math.min(header.length(), LONGEST_HEADER)).split(",")) {
            String[] parts = range.split(";", -1);
            double quality = readQuality(parts);
            // Strictly greater: the first of equals counts, and a quality of 0 refuses a language.
            String language = quality > bestQuality ? find(parts[0]) : null;
            if (language != null) {
                best = language;
                bestQuality = quality;
            }
        }
        return best;
    }

    /** {@code fil} has no two-letter code: {@code tl} is another language, and {@code fi} is Finnish. */
    private static String find(String tag) {
        Matcher found = PRIMARY.matcher(tag);
        return found.lookingAt() ? CODES.get(found.group(1).toLowerCase(Locale.ROOT)) : null;
    }

    private static double readQuality(String[] parts) {
        for (int i = 1; i < parts.length; i++) {
            Matcher found = QUALITY.matcher(parts[i]);
            if (found.matches()) {
                String text = Text.trim(found.group(1));
                return text.matches("0(?:\\.\\d{0,9})?|1(?:\\.0{0,9})?") ? Double.parseDouble(text) : -1;
            }
        }
        return 1;
    }

    private static Map<String, String> readCodes() {
        Map<String, String> codes = new HashMap<>();
        for (String code : Data.LANGUAGES.split(" ")) {
            codes.put(code, code);
        }
        for (String pair : Data.OTHER_LANGUAGES.split(" ")) {
            codes.put(pair.split(":")[0], pair.split(":")[1]);
        }
        return codes;
    }
}
