package trackside;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A visitor and a page.
 *
 * @param ip the visitor's address, not a proxy's
 * @param clientId your own id for the visitor, or null; the server hashes it
 * @param language two letters of ISO 639-1
 * @param referrer the page that led there, or null
 * @param width of the screen in pixels; 0 means unknown
 * @param height of the screen in pixels; 0 means unknown
 */
public record Metrics(
        String ip,
        String userAgent,
        String clientId,
        String language,
        String page,
        String referrer,
        double width,
        double height,
        Location location) {
    /** Returns it with the interface's names. */
    Map<String, Object> toMap() {
        Map<String, Object> browser = new LinkedHashMap<>();
        browser.put("IP", ip);
        browser.put("UserAgent", userAgent);
        Map<String, Object> screen = new LinkedHashMap<>();
        screen.put("Width", width);
        screen.put("Height", height);
        Map<String, Object> metrics = new LinkedHashMap<>();
        metrics.put("Browser", browser);
        metrics.put("Identify", member("ClientId", clientId));
        metrics.put("Language", member("Code", language));
        metrics.put("Page", member("Absolute", page));
        metrics.put("Referrer", member("Absolute", referrer));
        metrics.put("Screen", screen);
        metrics.put("Location", (location == null ? Location.UNKNOWN : location).toMap());
        return metrics;
    }

    private static Map<String, Object> member(String name, String value) {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put(name, value);
        return object;
    }
}
