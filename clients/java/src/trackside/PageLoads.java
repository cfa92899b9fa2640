package trackside;

import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/** Distinguishes page loads from all other requests. */
final class PageLoads {
    private static final Pattern AHEAD = Pattern.compile("(?i)prefetch|prerender|preview|instant");
    private static final List<String> AHEAD_HEADERS =
            List.of("sec-purpose", "x-sec-purpose", "purpose", "x-purpose", "x-moz");
    /** Headers of scripts that load parts of pages. */
    private static final List<String> PIECE_HEADERS =
            List.of("hx-request", "turbo-frame", "rsc", "next-router-prefetch", "x-nextjs-data");
    private static final Pattern HEALTH_AGENTS = Pattern.compile("(?i)kube-probe|ELB-HealthChecker|GoogleHC"
            + "|GoogleStackdriverMonitoring|Consul Health Check|Route ?53-Health-Check"
            + "|Cloudflare-(?:Healthchecks|Traffic-Manager)|Edge Health Probe|Load Balancer Agent|Envoy/HC|HAProxy");
    private static final Pattern HTML = Pattern.compile("(?i)\\s*(?:text/html|application/xhtml\\+xml)\\s*(?:;|$)");

    private PageLoads() {}

    /** Returns whether a person asks for a page, as far as that is known before the answer. */
    static boolean isPageLoad(Request request) {
        boolean isOther = !request.method().equals("GET")
                || isNot(request.header("sec-fetch-dest"), "document")
                || isNot(request.header("sec-fetch-mode"), "navigate")
                || request.header("range") != null
                || request.text("x-requested-with").equalsIgnoreCase("XMLHttpRequest")
                || PIECE_HEADERS.stream().anyMatch(name -> request.header(name) != null)
                || AHEAD_HEADERS.stream().anyMatch(name -> AHEAD.matcher(request.text(name)).find());
        return !isOther
                && !HEALTH_AGENTS.matcher(request.text("user-agent")).find()
                && !request.path().matches("/(?:health|healthz|livez|readyz|ping|up|status)");
    }

    /** Returns whether the answer was a page. A 304 has no type, so the request shows what was asked for. */
    static boolean isPage(int status, String contentType, Request request) {
        if (status == 304 && contentType == null) {
            return request.text("sec-fetch-dest").equals("document")
                    || request.text("accept").toLowerCase(Locale.ROOT).contains("text/html");
        }
        boolean isGood = status >= 200 && status <= 299 || status == 304;
        return isGood && contentType != null && HTML.matcher(contentType).lookingAt();
    }

    private static boolean isNot(String value, String expected) {
        return value != null && !value.equals(expected);
    }
}
