package trackside;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;

/** Reads X-Forwarded-For, and Forwarded of RFC 7239. */
final class ForwardedList {
    private ForwardedList() {}

    /**
     * Visits the elements from the right end, where our own proxies write, until {@code visit} returns false.
     * Whatever a client put in front, even an unbalanced quote, cannot change the elements after it.
     */
    static void eachFromRight(String value, Predicate<String> visit) {
        int end = value.length();
        boolean isQuoted = false;
        for (int at = end - 1; at >= 0; at--) {
            char sign = value.charAt(at);
            if (sign == '"') {
                if (!isQuoted || !isEscaped(value, at)) {
                    isQuoted = !isQuoted;
                }
            } else if (sign == ',' && !isQuoted) {
                String element = Text.trim(value.substring(at + 1, end));
                if (!element.isEmpty() && !visit.test(element)) {
                    return;
                }
                end = at;
            }
        }
        String first = Text.trim(value.substring(0, end));
        if (!first.isEmpty()) {
            visit.test(first);
        }
    }

    /** Returns the n-th element from the right end, the leftmost if there are fewer, or null. */
    static String pick(String value, int n) {
        String[] picked = {null};
        int[] count = {0};
        eachFromRight(value, element -> {
            picked[0] = element;
            return ++count[0] < n;
        });
        return picked[0];
    }

    /** Returns {@code for}, {@code proto} or {@code host} of an element of Forwarded, or null. */
    static String readPair(String element, String name) {
        for (String pair : pairsOf(element)) {
            int equals = pair.indexOf('=');
            if (equals < 0 || !Text.trim(pair.substring(0, equals)).toLowerCase(Locale.ROOT).equals(name)) {
                continue;
            }
            String value = Text.trim(pair.substring(equals + 1));
            boolean isQuoted = value.length() > 1 && value.startsWith("\"") && value.endsWith("\"");
            return isQuoted ? value.substring(1, value.length() - 1).replaceAll("\\\\(.)", "$1") : value;
        }
        return null;
    }

    private static boolean isEscaped(String value, int quoteAt) {
        int at = quoteAt;
        while (at > 0 && value.charAt(at - 1) == '\\') {
            at--;
        }
        return (quoteAt - at) % 2 == 1;
    }

    /** A quoted host comes from the client, so a semicolon in it must not begin a pair. */
    private static List<String> pairsOf(String element) {
        List<String> pairs = new ArrayList<>();
        int start = 0;
        boolean isQuoted = false;
        for (int at = 0; at < element.length(); at++) {
            char sign = element.charAt(at);
            if (sign == '"') {
                isQuoted = !isQuoted;
            } else if (sign == '\\' && isQuoted) {
                at++;
            } else if (sign == ';' && !isQuoted) {
                pairs.add(element.substring(start, at));
                start = at + 1;
            }
        }
        pairs.add(element.substring(start));
        return pairs;
    }
}
