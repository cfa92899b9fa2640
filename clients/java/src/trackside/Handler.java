package trackside;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;

/** The endpoint and the page counter, for any server. An adapter brings the request. */
public final class Handler {
    private static final int MAX_BODY_BYTES = 32 * 1024;
    private static final int MAX_USER_AGENT_LENGTH = 2048;
    private static final int MAX_CLIENT_ID_LENGTH = 512;
    private static final String ORIGIN_ADVICE =
            "list it in origins if it is yours, and set proxies if yours looks different to visitors";
    private static final List<String> FORWARDING = List.of("x-forwarded-for", "forwarded", "cf-connecting-ip",
            "fly-client-ip", "x-vercel-forwarded-for", "x-nf-client-connection-ip");

    private final Tracker trackside;
    private final Options options;
    private final VisitorFinder visitors;
    private final RateLimit limit;
    private final FaultTeller teller;
    private final byte[] script;
    private final String tag;

    /** What can be set. Each method returns the same options. */
    public static final class Options {
        private String path = "/side";
        private Proxies proxies = Proxies.none();
        private List<LocationSource> location = List.of();
        private String language = "en";
        private Function<Request, String> clientId = unused -> null;
        private final List<Site> origins = new ArrayList<>();
        private double perMinute = 60;
        private boolean respectsDoNotTrack;
        private boolean countsPages;
        private Predicate<String> ignore = unused -> false;
        private Consumer<Fault> onError;

        /** The path of the script, which it also sends to. Avoid words that ad blockers look for. */
        public Options path(String value) {
            if (!value.matches("/[^?#\\s]*[^?#\\s/]")) {
                throw new IllegalArgumentException("path: expected one such as \"/side\"");
            }
            path = value;
            return this;
        }

        public Options proxies(Proxies value) {
            proxies = value;
            return this;
        }

        /** The first source that knows a country counts. */
        public Options location(LocationSource... values) {
            location = List.of(values);
            return this;
        }

        /** For visitors whose language has no two-letter code. */
        public Options language(String value) {
            if (!Languages.isCode(value)) {
                throw new IllegalArgumentException("language: expected two letters of ISO 639-1 such as \"en\"");
            }
            language = value.toLowerCase(Locale.ROOT);
            return this;
        }

        /** Your own id for the visitor, or null. It runs inside the request. */
        public Options clientId(Function<Request, String> value) {
            clientId = value;
            return this;
        }

        /** Further origins whose pages may send. */
        public Options origins(List<String> values) {
            for (String value : values) {
                Site site = Site.read(value);
                if (site == null || !value.matches("(?i)https?://[^/?#@]+/?")) {
                    throw new IllegalArgumentException("origins: expected one such as https://www.shop.example");
                }
                origins.add(site);
            }
            return this;
        }

        /** The limit for one visitor. One address may send ten times as many. 0 means no limit. */
        public Options perMinute(double value) {
            perMinute = value;
            return this;
        }

        /** Records nothing for browsers that send DNT: 1 or Sec-GPC: 1. */
        public Options respectDoNotTrack(boolean value) {
            respectsDoNotTrack = value;
            return this;
        }

        /** Counts each HTML page that the server sends, without a script. */
        public Options countPages(boolean value) {
            countsPages = value;
            return this;
        }

        /** Returns true for URLs of pages that should not be counted. */
        public Options ignore(Predicate<String> value) {
            ignore = value;
            return this;
        }

        /** Called when settings look wrong or a callback fails. Writes to System.Logger by default. */
        public Options onError(Consumer<Fault> value) {
            onError = value;
            return this;
        }
    }

    public Handler(Tracker trackside, Options options) {
        this.trackside = trackside;
        this.options = options;
        visitors = new VisitorFinder(options.proxies);
        limit = options.perMinute > 0 ? new RateLimit(options.perMinute) : null;
        teller = new FaultTeller(options.onError);
        script = (options.respectsDoNotTrack ? Data.RESPECTFUL_SCRIPT : Data.SCRIPT).getBytes(StandardCharsets.UTF_8);
        tag = "W/\"" + hash(script).substring(0, 16) + "\"";
    }

    /** Returns whether a request is for the endpoint. Some servers add a slash. */
    public boolean matches(Request request) {
        return request.path().equals(options.path) || request.path().equals(options.path + "/");
    }

    /** Returns the answer of the endpoint. Never throws, and does not wait for Trackside. */
    public Answer answer(Request request, InputStream body) {
        try {
            return switch (request.method()) {
                case "GET", "HEAD" -> answerScript(request);
                case "POST" -> take(request, body);
                case "OPTIONS" -> {
                    Sender sender = judgeSender(request, visitors.origin(request));
                    yield Answer.preflight(sender == null ? null : sender.allowedOrigin);
                }
                default -> Answer.refused(405, "Method: expected one of " + Answer.METHODS, null)
                        .with("Allow", Answer.METHODS);
            };
        } catch (RuntimeException cause) {
            // Visitors can do nothing about our faults, and should not see them.
            report(cause);
            return Answer.taken(null);
        }
    }

    /** Returns whether a request may load a page that is to be counted. */
    public boolean isCandidate(Request request) {
        try {
            return options.countsPages && PageLoads.isPageLoad(request) && !matches(request);
        } catch (RuntimeException cause) {
            report(cause);
            return false;
        }
    }

    /** Records a page view if the answer to a candidate was a page. Never throws. */
    public void count(Request request, int status, String contentType) {
        try {
            if (!PageLoads.isPage(status, contentType, request) || isRefusedByVisitor(request)) {
                return;
            }
            String page = visitors.origin(request) + request.pathAndQuery();
            if (!Site.isPage(page) || options.ignore.test(page)) {
                return;
            }
            String ip = readIp(request);
            if (ip != null && waitSeconds(ip, request) == 0) {
                trackside.trackPageView(describeRequest(request, ip, page, referrerOf(request)));
            }
        } catch (RuntimeException cause) {
            report(cause);
        }
    }

    /** Records an event of the backend for the visitor of a request. Returns at once and never throws. */
    public void trackEvent(Request request, String name, Parameter... parameters) {
        try {
            String ip = isRefusedByVisitor(request) ? null : readIp(request);
            if (ip == null) {
                return;
            }
            String page = visitors.origin(request) + request.pathAndQuery();
            String referrer = referrerOf(request);
            Site own = Site.read(page);
            // The visitor sees the page that the form or script was sent from.
            if (referrer != null && own != null && !request.method().equals("GET")
                    && Site.read(referrer).host().equals(own.host())) {
                page = referrer;
                referrer = null;
            }
            trackside.trackEvent(name, List.of(parameters), describeRequest(request, ip, page, referrer));
        } catch (RuntimeException cause) {
            report(cause);
        }
    }

    private Answer take(Request request, InputStream input) {
        String origin = visitors.origin(request);
        Sender sender = judgeSender(request, origin);
        if (sender == null) {
            String text = "Origin: expected a page of " + origin + ", got another origin or none; " + ORIGIN_ADVICE;
            return Answer.refused(403, text, null);
        }
        String allowed = sender.allowedOrigin;
        if (isRefusedByVisitor(request)) {
            return Answer.taken(allowed);
        }
        String ip = readIp(request);
        double wait = ip == null ? 0 : waitSeconds(ip, request);
        if (wait > 0) {
            String seconds = String.valueOf(Math.max(1, (int) Math.ceil(wait)));
            return Answer.refused(429, "Too many from this address; wait " + seconds + " s", allowed)
                    .with("Retry-After", seconds);
        }
        Collected seen;
        try {
            byte[] body = input.readNBytes(MAX_BODY_BYTES + 1);
            if (body.length > MAX_BODY_BYTES) {
                return Answer.refused(413, "Body: expected at most " + MAX_BODY_BYTES + " bytes, got more", allowed);
            }
            seen = Collected.read(new String(body, StandardCharsets.UTF_8));
        } catch (IOException gone) {
            return Answer.refused(400, "Body: expected all of it in time, got a part at most", allowed);
        } catch (IllegalArgumentException wrong) {
            return Answer.refused(400, wrong.getMessage(), allowed);
        }
        if (!isOwnPage(seen.page(), sender, origin)) {
            String text = "Absolute: expected a page of " + origin + ", got one of another host; " + ORIGIN_ADVICE;
            return Answer.refused(403, text, allowed);
        }
        if (ip != null) {
            record(request, ip, seen);
        }
        return Answer.taken(allowed);
    }

    private void record(Request request, String ip, Collected seen) {
        Metrics metrics = describe(request, ip, Languages.read(seen.language(), options.language), seen.page(),
                seen.referrer(), seen.width(), seen.height());
        if (seen.name() == null) {
            trackside.trackPageView(metrics);
        } else {
            trackside.trackEvent(seen.name(), seen.parameters(), metrics);
        }
    }

    private Answer answerScript(Request request) {
        Map<String, String> headers = new LinkedHashMap<>();
        boolean isShared = !options.origins.isEmpty();
        headers.put("Cache-Control", "public, max-age=3600, stale-while-revalidate=86400");
        headers.put("ETag", tag);
        headers.put("Cross-Origin-Resource-Policy", isShared ? "cross-origin" : "same-origin");
        if (isShared) {
            headers.put("Access-Control-Allow-Origin", "*");
        }
        for (String held : request.text("if-none-match").split(",")) {
            if (held.trim().equals("*") || held.trim().replaceFirst("^W/", "").equals(tag.substring(2))) {
                return new Answer(304, headers, new byte[0]);
            }
        }
        headers.put("Content-Type", "text/javascript; charset=utf-8");
        headers.put("X-Content-Type-Options", "nosniff");
        return new Answer(200, headers, request.method().equals("HEAD") ? new byte[0] : script);
    }

    /**
     * Whose page sent a request.
     *
     * @param allowedOrigin only of a listed page of another origin, whose browser needs to be allowed
     */
    private record Sender(String host, String allowedOrigin) {}

    /** Browsers say themselves whose page it is, and no script can change it. Returns null for a foreign one. */
    private Sender judgeSender(Request request, String ownOrigin) {
        String fetchSite = request.text("sec-fetch-site");
        String given = request.header("origin");
        Site source = Site.read(given == null ? request.header("referer") : given);
        // This holds even behind a proxy that changes the host.
        if (fetchSite.equals("same-origin")) {
            return new Sender(source == null ? null : source.host(), null);
        }
        if (source == null) {
            return null;
        }
        if (options.origins.contains(source)) {
            return new Sender(source.host(), source.origin());
        }
        if (fetchSite.equals("same-site") || fetchSite.equals("cross-site")) {
            return null;
        }
        // Only the host, because the scheme looks different behind a proxy that ends TLS.
        Site own = Site.read(ownOrigin);
        return own != null && source.host().equals(own.host()) ? new Sender(source.host(), null) : null;
    }

    private boolean isOwnPage(String page, Sender sender, String ownOrigin) {
        String host = Site.read(page).host();
        Site own = Site.read(ownOrigin);
        return host.equals(sender.host)
                || own != null && host.equals(own.host())
                || options.origins.stream().anyMatch(listed -> listed.host().equals(host));
    }

    private Metrics describeRequest(Request request, String ip, String page, String referrer) {
        String language = Languages.readAccepted(request.text("accept-language"), options.language);
        return describe(request, ip, language, page, referrer, 0, 0);
    }

    private Metrics describe(Request request, String ip, String language, String page, String referrer,
            double width, double height) {
        String userAgent = request.text("user-agent");
        userAgent = userAgent.substring(0, Math.min(userAgent.length(), MAX_USER_AGENT_LENGTH));
        return new Metrics(ip, userAgent, identify(request), language, page, referrer, width, height,
                locate(request, ip));
    }

    private String identify(Request request) {
        try {
            String id = options.clientId.apply(request);
            if (id == null || id.length() <= MAX_CLIENT_ID_LENGTH) {
                return id == null || id.isEmpty() ? null : id;
            }
            teller.tell(new Fault("callback", "clientId: expected a string of at most " + MAX_CLIENT_ID_LENGTH
                    + " characters; the record was sent without it"));
        } catch (RuntimeException cause) {
            teller.tell(new Fault("callback", "clientId: failed, so the record was sent without it", 1, cause));
        }
        return null;
    }

    private Location locate(Request request, String ip) {
        Location first = null;
        for (LocationSource source : options.location) {
            try {
                Location found = Locations.complete(source.locate(request, ip));
                if (found.countryCode() != null) {
                    return found;
                }
                first = first == null ? found : first;
            } catch (RuntimeException cause) {
                teller.tell(new Fault("callback", "location: failed, so the record was sent without it", 1, cause));
            }
        }
        return first == null ? Location.UNKNOWN : first;
    }

    private boolean isRefusedByVisitor(Request request) {
        return options.respectsDoNotTrack
                && (request.text("dnt").equals("1") || request.text("sec-gpc").equals("1"));
    }

    /** If the address is unknown or a proxy's, only the settings can help, so that is reported. */
    private String readIp(Request request) {
        VisitorFinder.Visitor found = visitors.find(request);
        if (found.ip() == null) {
            teller.tell(new Fault("no-address",
                    "The visitor's address is not known, so nothing was recorded: set or correct proxies."));
        } else if (found.hops() == 0 && !Addresses.isPublic(found.ip())) {
            FORWARDING.stream().filter(name -> request.header(name) != null).findFirst().ifPresent(name ->
                    teller.tell(new Fault("proxies", "Requests come from an inner address with " + name
                            + ", so a proxy stands in front, and all visitors are counted as one: set proxies.")));
        }
        return found.ip();
    }

    private double waitSeconds(String ip, Request request) {
        double wait = limit == null ? 0 : limit.take(ip, request.text("user-agent"), System.nanoTime());
        if (wait > 0) {
            teller.tell(new Fault("too-many", "A visitor sent too many records in a minute, and the rest was left "
                    + "out. If that was no attack, raise perMinute; if all visitors seem to be one, set proxies."));
        }
        return wait;
    }

    private void report(RuntimeException cause) {
        teller.tell(new Fault("unexpected", "Expected to handle the request, got an exception.", 1, cause));
    }

    private static String referrerOf(Request request) {
        String referrer = request.header("referer");
        return Site.isReferrer(referrer) ? referrer : null;
    }

    private static String hash(byte[] bytes) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
        } catch (NoSuchAlgorithmException impossible) {
            throw new AssertionError("every Java has SHA-256", impossible);
        }
    }
}
