package trackside;

import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;

/** An answer of the endpoint to the browser. */
public record Answer(int status, Map<String, String> headers, byte[] body) {
    static final String METHODS = "GET, HEAD, POST, OPTIONS";

    /** We have the record, whatever happens later. */
    static Answer taken(String allowedOrigin) {
        return new Answer(204, headers(allowedOrigin), new byte[0]);
    }

    /** Says in plain text why, for the developer of the page. */
    static Answer refused(int status, String text, String allowedOrigin) {
        Map<String, String> headers = headers(allowedOrigin);
        headers.put("Content-Type", "text/plain; charset=utf-8");
        headers.put("X-Content-Type-Options", "nosniff");
        return new Answer(status, headers, (text + "\n").getBytes(StandardCharsets.UTF_8));
    }

    static Answer preflight(String allowedOrigin) {
        Map<String, String> headers = headers(allowedOrigin);
        headers.put("Allow", METHODS);
        if (allowedOrigin != null) {
            headers.put("Access-Control-Allow-Methods", "POST");
            headers.put("Access-Control-Allow-Headers", "content-type");
            headers.put("Access-Control-Max-Age", "86400");
        }
        return new Answer(204, headers, new byte[0]);
    }

    Answer with(String name, String value) {
        headers.put(name, value);
        return this;
    }

    /** Credentials are allowed, because clientId may read a cookie. */
    private static Map<String, String> headers(String allowedOrigin) {
        Map<String, String> headers = new LinkedHashMap<>();
        headers.put("Cache-Control", "no-store");
        if (allowedOrigin != null) {
            headers.put("Access-Control-Allow-Origin", allowedOrigin);
            headers.put("Access-Control-Allow-Credentials", "true");
            headers.put("Vary", "Origin");
        }
        return headers;
    }
}
