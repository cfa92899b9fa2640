package trackside;

import com.sun.net.httpserver.HttpContext;
import com.sun.net.httpserver.HttpServer;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Enumeration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import trackside.servlet.TracksideFilter;

/** Runs the cases that clients/test gives to every client, and writes the results as JSON. */
public final class Conformance {
    private static final Map<String, LocationSource> SOURCES = Map.of(
            "cloudflare", Locations.CLOUDFLARE,
            "cloudfront", Locations.CLOUDFRONT,
            "netlify", Locations.NETLIFY,
            "vercel", Locations.VERCEL);

    /** Each client has its own thread, so one for each API key is enough. */
    private static final Map<String, Trackside> CLIENTS = new LinkedHashMap<>();

    private Conformance() {}

    public static void main(String[] args) throws Exception {
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        Object given = Json.read(input.readLine());
        switch (args[0]) {
            case "cases" -> {
                List<Object> outcomes = new ArrayList<>();
                for (Object each : (List<?>) given) {
                    outcomes.add(runCase(map(each)));
                }
                write(Map.of("servlet filter", outcomes));
            }
            case "late" -> write(((List<?>) given).stream().map(each -> runLate(map(each))).toList());
            case "contract" -> {
                List<Object> outcomes = new ArrayList<>();
                for (Object each : (List<?>) map(given).get("requests")) {
                    outcomes.add(sendRecord(text(map(given), "url"), map(each)));
                }
                write(outcomes);
            }
            default -> serve(map(given), input);
        }
    }

    /** Stands in for the client, and keeps the record that it gets. */
    private static final class Kept implements Tracker {
        private Map<String, Object> record;

        @Override
        public void trackPageView(Metrics metrics) {
            record = recordOf("/api/page-view", Map.of("Metrics", metrics.toMap()));
        }

        @Override
        public void trackEvent(String name, List<Parameter> parameters, Metrics metrics) {
            List<Map<String, String>> list = parameters.stream()
                    .map(each -> Map.of("Name", each.name(), "Value", each.value())).toList();
            record = recordOf("/api/event-view", Map.of("Name", name, "Parameters", list, "Metrics", metrics.toMap()));
        }

        private static Map<String, Object> recordOf(String path, Map<String, Object> body) {
            return Map.of("path", path, "body", body);
        }
    }

    private static Map<String, Object> runCase(Map<String, Object> given) throws IOException, ServletException {
        Kept kept = new Kept();
        Map<String, Object> answer = map(given.get("answer"));
        TestResponse response = new TestResponse();
        Handler handler = new Handler(kept, readSettings(map(given.get("settings"))));
        new TracksideFilter(handler).doFilter(new TestRequest(map(given.get("request"))), response, (asked, answered) -> {
            response.status = ((Double) answer.get("status")).intValue();
            response.contentType = text(answer, "contentType");
        });
        Map<String, Object> outcome = new LinkedHashMap<>();
        outcome.put("status", given.get("kind").equals("endpoint") ? response.status : null);
        outcome.put("record", kept.record);
        return outcome;
    }

    private static final Map<String, Sender.Attempt> ATTEMPTS = Map.of(
            "accepted", attempt(Result.Kind.ACCEPTED, 200, false),
            "time-refused", attempt(Result.Kind.MALFORMED, 400, false),
            "unauthorized", attempt(Result.Kind.UNAUTHORIZED, 401, false),
            "unavailable", attempt(Result.Kind.UNAVAILABLE, 503, false),
            "unknown", attempt(Result.Kind.UNAVAILABLE, 503, true),
            "no-connection", attempt(Result.Kind.UNAVAILABLE, 0, false),
            "no-response", attempt(Result.Kind.UNAVAILABLE, 0, true));

    private static Sender.Attempt attempt(Result.Kind kind, int code, boolean isUncertain) {
        return new Sender.Attempt(new Result(kind, code, "OccurredAt: expected another", null), true, isUncertain);
    }

    /** Returns the body of each attempt. */
    private static List<String> runLate(Map<String, Object> given) {
        long startedAt = millis(given.get("startedAt"));
        Line line = new Line(1, 1000, Duration.ofDays(100_000), fault -> {}, () -> 0);
        byte[] body = text(given, "body").getBytes(StandardCharsets.UTF_8);
        line.add(new Sender.Outgoing("key", "/api/page-view", body, "stream.1", new Moment(0, startedAt)), 0);
        List<String> bodies = new ArrayList<>();
        for (Object each : (List<?>) given.get("attempts")) {
            long after = millis(map(each).get("after"));
            long nanos = Duration.ofMillis(after).toNanos();
            Moment now = new Moment(nanos, startedAt + after + millis(map(each).get("clock")));
            Line.Flight flight = line.next(now).flight();
            bodies.add(new String(flight.queued().toSend(now).body(), StandardCharsets.UTF_8));
            line.land(flight, ATTEMPTS.get(text(map(each), "answer")), nanos);
        }
        return bodies;
    }

    private static long millis(Object seconds) {
        return Math.round((Double) seconds * 1000);
    }

    private static Handler.Options readSettings(Map<String, Object> settings) {
        Handler.Options options = new Handler.Options().countPages(true).onError(fault -> {});
        if (settings.get("proxies") != null) {
            options.proxies(readProxies(map(settings.get("proxies"))));
        }
        if (settings.get("location") instanceof List<?> sources) {
            options.location(sources.stream().map(Conformance::readSource).toArray(LocationSource[]::new));
        }
        if (settings.get("language") instanceof String language) {
            options.language(language);
        }
        if (settings.get("origins") instanceof List<?> origins) {
            options.origins(strings(origins));
        }
        return options.respectDoNotTrack(Boolean.TRUE.equals(settings.get("respectDoNotTrack")));
    }

    private static Proxies readProxies(Map<String, Object> given) {
        Proxies proxies;
        if (given.get("header") instanceof String header) {
            proxies = Proxies.header(header);
            return given.get("networks") instanceof List<?> list ? proxies.from(strings(list)) : proxies;
        }
        proxies = given.get("hops") instanceof Double hops
                ? Proxies.hops(hops.intValue())
                : Proxies.networks(strings((List<?>) given.get("networks")));
        return given.get("list") instanceof String list ? proxies.list(list) : proxies;
    }

    private static LocationSource readSource(Object source) {
        if (source instanceof String name) {
            return SOURCES.get(name);
        }
        return Locations.fromHeaders(readLocation(map(source)));
    }

    private static Location readLocation(Map<String, Object> given) {
        return new Location(text(given, "ContinentCode"), text(given, "CountryCode"), text(given, "City"),
                text(given, "PostalCode"), text(given, "Region"), text(given, "RegionCode"), text(given, "Timezone"));
    }

    private static Map<String, Object> sendRecord(String url, Map<String, Object> given) {
        Trackside client;
        try {
            client = CLIENTS.computeIfAbsent(text(given, "apiKey"), key -> Trackside.builder(url, key).build());
        } catch (IllegalArgumentException fault) {
            return Map.of("thrown", fault.getMessage());
        }
        Map<String, Object> body = map(Json.read(text(given, "body")));
        Metrics metrics;
        String name;
        List<Parameter> parameters = new ArrayList<>();
        boolean isEvent = text(given, "path").equals("/api/event-view");
        try {
            metrics = readMetrics(map(body.get("Metrics")));
            name = (String) body.get("Name");
            Map<String, Object> again = new LinkedHashMap<>(Map.of("Metrics", metrics.toMap()));
            if (isEvent) {
                for (Object each : (List<?>) Objects.requireNonNull(body.get("Parameters"))) {
                    parameters.add(new Parameter(present(map(each), "Name"), present(map(each), "Value")));
                }
                again.put("Name", name);
                again.put("Parameters", parameters.stream().map(Conformance::toMap).toList());
            }
            if (!withoutNulls(again).equals(withoutNulls(body))) {
                return Map.of("ruledOut", "members");
            }
        } catch (ClassCastException | NullPointerException wrongType) {
            return Map.of("ruledOut", "types");
        }
        Result result = isEvent
                ? client.event(name, parameters, metrics)
                : client.pageView(metrics);
        return Map.of("kind", result.kind().toString(), "code", result.code(), "message", result.message());
    }

    private static Map<String, Object> toMap(Parameter parameter) {
        Map<String, Object> members = new LinkedHashMap<>();
        members.put("Name", parameter.name());
        members.put("Value", parameter.value());
        return members;
    }

    private static Metrics readMetrics(Map<String, Object> given) {
        Map<String, Object> browser = map(given.get("Browser"));
        Map<String, Object> screen = map(given.get("Screen"));
        return new Metrics(
                present(browser, "IP"),
                present(browser, "UserAgent"),
                text(map(given.get("Identify")), "ClientId"),
                present(map(given.get("Language")), "Code"),
                present(map(given.get("Page")), "Absolute"),
                text(map(given.get("Referrer")), "Absolute"),
                (Double) screen.get("Width"),
                (Double) screen.get("Height"),
                readLocation(Objects.requireNonNull(map(given.get("Location")))));
    }

    private static Object withoutNulls(Object value) {
        if (!(value instanceof Map<?, ?> members)) {
            return value instanceof List<?> list ? list.stream().map(Conformance::withoutNulls).toList() : value;
        }
        Map<Object, Object> kept = new LinkedHashMap<>();
        members.forEach((name, member) -> {
            if (member != null) {
                kept.put(name, withoutNulls(member));
            }
        });
        return kept;
    }

    private static void serve(Map<String, Object> given, BufferedReader input) throws IOException {
        List<String> faults = new CopyOnWriteArrayList<>();
        Trackside client = Trackside.builder(text(given, "url"), text(given, "apiKey"))
                .release(text(given, "release"))
                .timeout(Duration.ofSeconds(5))
                .onError(fault -> faults.add(fault.kind()))
                .build();
        Handler handler = new Handler(client, readSettings(map(given.get("settings"))));
        HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
        server.setExecutor(Executors.newCachedThreadPool());
        HttpContext shop = server.createContext("/", exchange -> {
            if (exchange.getRequestURI().getPath().equals("/checkout")) {
                handler.trackEvent(HttpServerFilter.toRequest(exchange), "Order paid", Parameter.of("total", 44));
                exchange.getResponseHeaders().set("Location", "/thanks");
                exchange.sendResponseHeaders(303, -1);
                return;
            }
            byte[] page = "<h1>Shop</h1>".getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", "text/html");
            exchange.sendResponseHeaders(200, page.length);
            exchange.getResponseBody().write(page);
            exchange.close();
        });
        shop.getFilters().add(new HttpServerFilter(handler));
        server.start();
        write(Map.of("port", server.getAddress().getPort()));
        while (input.readLine() != null) {
            // The input ends when the website should.
        }
        int remaining = client.close(Duration.ofSeconds(5));
        Counts counts = client.counts();
        write(Map.of("remaining", remaining, "faults", List.copyOf(faults), "counts", Map.of(
                "queued", counts.queued(), "accepted", counts.accepted(), "refused", counts.refused(),
                "dropped", counts.dropped(), "retried", counts.retried())));
        System.exit(0);
    }

    private static final class TestRequest implements HttpServletRequest {
        private final Map<String, Object> given;
        private final String[] target;

        TestRequest(Map<String, Object> given) {
            this.given = given;
            this.target = text(given, "target").split("\\?", 2);
        }

        @Override
        public String getMethod() {
            return text(given, "method");
        }

        @Override
        public String getScheme() {
            return text(given, "scheme");
        }

        @Override
        public String getRequestURI() {
            return target[0];
        }

        @Override
        public String getQueryString() {
            return target.length > 1 ? target[1] : null;
        }

        @Override
        public String getRemoteAddr() {
            return text(given, "peer");
        }

        @Override
        public Enumeration<String> getHeaders(String name) {
            List<String> values = new ArrayList<>();
            for (Object pair : (List<?>) given.get("headers")) {
                if (name.equalsIgnoreCase((String) ((List<?>) pair).get(0))) {
                    values.add((String) ((List<?>) pair).get(1));
                }
            }
            return Collections.enumeration(values);
        }

        @Override
        public ServletInputStream getInputStream() {
            ByteArrayInputStream body = new ByteArrayInputStream(text(given, "body").getBytes(StandardCharsets.UTF_8));
            return new ServletInputStream() {
                @Override
                public int read() {
                    return body.read();
                }
            };
        }
    }

    private static final class TestResponse implements HttpServletResponse {
        private int status = 200;
        private String contentType;

        @Override
        public void setStatus(int value) {
            status = value;
        }

        @Override
        public int getStatus() {
            return status;
        }

        @Override
        public void setHeader(String name, String value) {}

        @Override
        public String getContentType() {
            return contentType;
        }

        @Override
        public ServletOutputStream getOutputStream() {
            return new ServletOutputStream() {
                @Override
                public void write(int b) {}
            };
        }
    }

    private static void write(Object value) {
        System.out.println(Json.write(value));
        System.out.flush();
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> map(Object value) {
        return (Map<String, Object>) value;
    }

    private static String text(Map<String, Object> members, String name) {
        return (String) members.get(name);
    }

    /** Java's types cannot leave out a member that is required. */
    private static String present(Map<String, Object> members, String name) {
        if (!members.containsKey(name)) {
            throw new NullPointerException(name);
        }
        return text(members, name);
    }

    private static List<String> strings(List<?> values) {
        return values.stream().map(String.class::cast).toList();
    }
}
