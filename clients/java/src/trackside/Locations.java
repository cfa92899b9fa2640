package trackside;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** Where visitors are, from the headers of the platform in front of the backend. */
public final class Locations {
    private static final int LONGEST_HEADER = 4096;
    private static final int MAX_NAME_LENGTH = 256;
    private static final int MAX_CODE_LENGTH = 64;
    private static final Set<String> PLACEHOLDERS =
            Set.of("", "-", "?", "??", "**", "unknown", "null", "undefined", "(null)");
    private static final Map<String, String> CONTINENTS = readContinents();

    /** The rest needs the managed transform "Add visitor location headers"; the country is always sent. */
    public static final LocationSource CLOUDFLARE = fromHeaders(new Location("cf-ipcontinent", "cf-ipcountry",
            "cf-ipcity", "cf-postal-code", "cf-region", "cf-region-code", "cf-timezone"));

    public static final LocationSource VERCEL = fromHeaders(new Location("x-vercel-ip-continent",
            "x-vercel-ip-country", "x-vercel-ip-city", "x-vercel-ip-postal-code", null, "x-vercel-ip-country-region",
            "x-vercel-ip-timezone"));

    /** Needs an origin request policy that forwards the CloudFront-Viewer headers. */
    public static final LocationSource CLOUDFRONT = fromHeaders(new Location(null, "cloudfront-viewer-country",
            "cloudfront-viewer-city", "cloudfront-viewer-postal-code", "cloudfront-viewer-country-region-name",
            "cloudfront-viewer-country-region", "cloudfront-viewer-time-zone"));

    /** Reads one header with everything, as JSON in base64. Some plans only have the country. */
    public static final LocationSource NETLIFY = Locations::readNetlify;

    private static final LocationSource NETLIFY_COUNTRY =
            fromHeaders(new Location(null, "x-country", null, null, null, null, null));

    private Locations() {}

    /** Reads the headers of any proxy. Each member of {@code names} is the name of a header, or null. */
    public static LocationSource fromHeaders(Location names) {
        return (request, ip) -> complete(new Location(
                readText(request, names.continentCode()),
                readText(request, names.countryCode()),
                readText(request, names.city()),
                readText(request, names.postalCode()),
                readText(request, names.region()),
                readText(request, names.regionCode()),
                readText(request, names.timezone())));
    }

    /** Returns a location that the interface accepts. A record must not be lost because of a city's name. */
    static Location complete(Location found) {
        if (found == null) {
            return Location.UNKNOWN;
        }
        String country = upper(clean(found.countryCode(), MAX_CODE_LENGTH));
        if (country != null && (!CONTINENTS.containsKey(country) || !found.countryCode().matches("\\p{ASCII}*"))) {
            country = null;
        }
        String continent = upper(clean(found.continentCode(), MAX_CODE_LENGTH));
        if (continent == null || !CONTINENTS.containsValue(continent)) {
            continent = CONTINENTS.get(country);
        }
        return new Location(
                continent,
                country,
                clean(found.city(), MAX_NAME_LENGTH),
                clean(found.postalCode(), MAX_CODE_LENGTH),
                clean(found.region(), MAX_NAME_LENGTH),
                clean(found.regionCode(), MAX_CODE_LENGTH),
                clean(found.timezone(), MAX_NAME_LENGTH));
    }

    private static Location readNetlify(Request request, String ip) {
        Location found = Location.UNKNOWN;
        String value = request.text("x-nf-geo");
        try {
            String text = value.length() > LONGEST_HEADER ? null : Text.decode(Base64.getDecoder().decode(value));
            if (text != null && Json.read(text) instanceof Map<?, ?> geo) {
                found = complete(new Location(
                        null,
                        member(geo.get("country"), "code"),
                        member(geo, "city"),
                        geo.containsKey("postalCode") ? member(geo, "postalCode") : member(geo, "postal_code"),
                        member(geo.get("subdivision"), "name"),
                        member(geo.get("subdivision"), "code"),
                        member(geo, "timezone")));
            }
        } catch (IllegalArgumentException broken) {
            // Neither base64 nor JSON: the other header may know the country.
        }
        return found.equals(Location.UNKNOWN) ? NETLIFY_COUNTRY.locate(request, ip) : found;
    }

    private static String member(Object object, String name) {
        return object instanceof Map<?, ?> map && map.get(name) instanceof String text ? text : null;
    }

    private static String clean(String value, int maxLength) {
        if (value == null) {
            return null;
        }
        // Shortened first, so that a long text costs no more than a short one.
        String text = Text.cut(Text.closeGaps(Text.cut(value, 4 * maxLength)), maxLength);
        return PLACEHOLDERS.contains(text.toLowerCase(Locale.ROOT)) ? null : text;
    }

    /** Cloudflare sends UTF-8, which servers present byte by byte; others send percent encoding. */
    private static String readText(Request request, String name) {
        String value = name == null ? null : request.header(name);
        if (value == null || value.length() > LONGEST_HEADER) {
            return null;
        }
        boolean isBytes = value.chars().allMatch(c -> c <= 0xff);
        String decoded = isBytes ? Text.decode(value.getBytes(StandardCharsets.ISO_8859_1)) : null;
        String text = decoded == null ? value : decoded;
        if (!text.contains("%") || text.matches("(?s).*%(?![\\da-fA-F]{2}).*")) {
            return text;
        }
        // URLDecoder turns a plus into a space, and replaces what is not UTF-8.
        String plain = URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
        return plain.contains("\ufffd") ? text : plain;
    }

    private static String upper(String text) {
        return text == null ? null : text.toUpperCase(Locale.ROOT);
    }

    private static Map<String, String> readContinents() {
        Map<String, String> continents = new HashMap<>();
        for (String pair : Data.COUNTRIES.split(" ")) {
            continents.put(pair.split(":")[0], pair.split(":")[1]);
        }
        return continents;
    }
}
