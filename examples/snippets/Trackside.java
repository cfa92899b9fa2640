// Trackside.java: Java 17 or newer, nothing to install.
//   java Trackside.java          sends a test page view and an event
//   java Trackside.java serve    receives what the script in your pages sends, on port 3000
// A complete client, with a servlet filter, is in clients/java of Trackside's folder.
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLDecoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Pattern;

public class Trackside {
    static final String TRACKSIDE = "http://127.0.0.1:8080";
    static final String API_KEY = "YOUR_API_KEY";
    static final String SITE = "https://shop.example";
    static final int PROXIES = 0; // how many of your own proxies are in front of this program
    static final int TIMEOUT_SECONDS = 3;

    /** One for the whole application: it keeps the connection open. */
    static final HttpClient CLIENT =
            HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(TIMEOUT_SECONDS)).build();

    record Visit(String ip, String userAgent, String language, String country, String page,
            String referrer, String width, String height) {}

    /** Everything from a browser can be missing or made up, so nothing is passed on unread. */
    static String metrics(Visit visit) {
        return """
                {"Browser": {"IP": %s, "UserAgent": %s}, "Identify": {"ClientId": %s}, "Language": {"Code": %s},
                "Location": {"CountryCode": %s}, "Page": {"Absolute": %s}, "Referrer": {"Absolute": %s},
                "Screen": {"Width": %d, "Height": %d}}""".formatted(
                json(visit.ip), json(cut(visit.userAgent, 2048)),
                json(null), // your own id of a signed-in user, if you have one
                json(readLanguage(visit.language)), json(readCountry(visit.country)), json(cut(visit.page, 8192)),
                json(readReferrer(visit.referrer)), readPixels(visit.width), readPixels(visit.height));
    }

    static String sendPageView(Visit visit) throws InterruptedException {
        return send("/api/page-view", "{\"Metrics\": " + metrics(visit) + "}");
    }

    static String sendEvent(Visit visit, String name, Map<String, String> parameters) throws InterruptedException {
        var listed = parameters.entrySet().stream()
                .map(each -> "{\"Name\": " + json(each.getKey()) + ", \"Value\": " + json(each.getValue()) + "}")
                .toList();
        return send("/api/event-view", "{\"Name\": " + json(name) + ", \"Parameters\": " + listed
                + ", \"Metrics\": " + metrics(visit) + "}");
    }

    /** Returns the status and the answer. All attempts have the same key, so the record counts once. */
    static String send(String path, String body) throws InterruptedException {
        var request = HttpRequest.newBuilder(URI.create(TRACKSIDE + path))
                .header("Authorization", API_KEY)
                .header("Content-Type", "application/json")
                .header("Idempotency-Key", UUID.randomUUID().toString())
                .POST(BodyPublishers.ofString(body))
                .build();
        String result = "";
        for (int pause : List.of(1, 2, 0)) {
            CompletableFuture<HttpResponse<String>> answer = CLIENT.sendAsync(request, BodyHandlers.ofString());
            try {
                var response = answer.get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
                result = response.statusCode() + " " + response.body();
                if (response.statusCode() < 500) break;
            } catch (ExecutionException | TimeoutException fault) {
                answer.cancel(true);
                result = "0 " + fault;
            }
            TimeUnit.SECONDS.sleep(pause);
        }
        return result;
    }

    /** A string as JSON writes it. With Jackson or Gson at hand, let them do it. */
    static String json(String text) {
        if (text == null) return "null";
        var out = new StringBuilder("\"");
        for (char c : text.toCharArray()) {
            if (c == '"' || c == '\\') out.append('\\').append(c);
            else if (c < ' ' || c > '~') out.append(String.format("\\u%04x", (int) c));
            else out.append(c);
        }
        return out.append('"').toString();
    }

    static String cut(String text, int most) {
        return text.substring(0, Math.min(text.length(), most));
    }

    static final Pattern ADDRESS = Pattern.compile("\\d{1,3}(\\.\\d{1,3}){3}|[\\da-fA-F:.]*:[\\da-fA-F:.]*");

    /** Without port, brackets and zone: [fe80::1%eth0]:443 is fe80::1. */
    static String readAddress(String text) {
        var bare = text.strip().replaceFirst("^\\[(.*)\\](:\\d+)?$", "$1").replaceFirst("^([\\d.]+):\\d+$", "$1");
        var address = bare.split("%", 2)[0];
        return ADDRESS.matcher(address).matches() ? address : null;
    }

    static final Pattern TWO_LETTERS =
            Pattern.compile("(?:^|,)\\s*([a-z]{2})(?![a-z\\d])", Pattern.CASE_INSENSITIVE);

    /** The first language of two letters in a tag or a header. Shortening fil-PH would make it Finnish. */
    static String readLanguage(String text) {
        var found = TWO_LETTERS.matcher(cut(text, 200));
        return found.find() ? found.group(1) : "en";
    }

    /** Cloudflare sends XX for unknown and T1 for Tor. */
    static String readCountry(String text) {
        return text.matches("(?!XX)[A-Z]{2}") ? text : null;
    }

    static String readReferrer(String text) {
        return text.matches("(?is)[a-z][a-z\\d+.-]*://[^/?#\\\\\\s].*") ? cut(text, 8192) : null;
    }

    static int readPixels(String text) {
        return text.matches("[0-9]{1,5}") ? Integer.parseInt(text) : 0;
    }

    static final ThreadPoolExecutor SENDER =
            new ThreadPoolExecutor(1, 1, 0, TimeUnit.SECONDS, new ArrayBlockingQueue<>(1000),
                    (call, sender) -> System.err.println("The queue is full"));

    /** Visitors never wait for Trackside. If it is away for long, the queue is full and this one is lost. */
    static void sendLater(Callable<String> call) {
        SENDER.execute(() -> {
            try {
                var result = call.call();
                if (!result.startsWith("200")) System.err.println("Trackside: " + result);
            } catch (Exception fault) {
                System.err.println("Trackside: " + fault);
            }
        });
    }

    static void side(HttpExchange exchange) throws IOException {
        try (exchange) {
            var visit = describe(exchange);
            var isPage = visit.page.matches("(?is)https?://[^/?#\\\\\\s].*");
            if (visit.ip != null && isPage) sendLater(() -> sendPageView(visit));
            exchange.sendResponseHeaders(204, -1);
        }
    }

    static void signUp(HttpExchange exchange) throws IOException {
        try (exchange) {
            var from = describe(exchange);
            var visit = new Visit(from.ip, from.userAgent, from.language, from.country, SITE + "/sign-up",
                    from.referrer, from.width, from.height);
            if (visit.ip != null) sendLater(() -> sendEvent(visit, "Sign-up", Map.of("plan", "pro")));
            exchange.getResponseHeaders().set("Location", "/welcome");
            exchange.sendResponseHeaders(303, -1);
        }
    }

    static Visit describe(HttpExchange exchange) throws IOException {
        var form = readForm(exchange);
        var language = form.getOrDefault("language", "");
        return new Visit(
                findAddress(exchange),
                header(exchange, "User-Agent"),
                language.isEmpty() ? header(exchange, "Accept-Language") : language,
                header(exchange, "CF-IPCountry"), // if you are behind Cloudflare
                form.getOrDefault("page", ""),
                form.getOrDefault("referrer", ""),
                form.getOrDefault("screenWidth", ""),
                form.getOrDefault("screenHeight", ""));
    }

    static String header(HttpExchange exchange, String name) {
        return String.join(",", exchange.getRequestHeaders().getOrDefault(name, List.of()));
    }

    static Map<String, String> readForm(HttpExchange exchange) throws IOException {
        var form = new HashMap<String, String>();
        var body = new String(exchange.getRequestBody().readNBytes(65_536), StandardCharsets.UTF_8);
        for (String pair : body.split("&")) {
            var parts = pair.split("=", 2);
            try {
                form.put(parts[0], URLDecoder.decode(parts[parts.length - 1], StandardCharsets.UTF_8).strip());
            } catch (IllegalArgumentException broken) {
                // A percent sign without its two digits.
            }
        }
        return form;
    }

    /** Behind proxies, the peer is one of them, and must not be counted as a visitor. */
    static String findAddress(HttpExchange exchange) {
        if (PROXIES == 0) return readAddress(exchange.getRemoteAddress().getAddress().getHostAddress());
        var chain = header(exchange, "X-Forwarded-For").split(",", -1);
        return chain.length >= PROXIES ? readAddress(chain[chain.length - PROXIES]) : null;
    }

    public static void main(String[] args) throws Exception {
        if (args.length > 0 && args[0].equals("serve")) {
            var server = HttpServer.create(new InetSocketAddress("127.0.0.1", 3000), 0);
            server.setExecutor(Executors.newFixedThreadPool(16));
            server.createContext("/side", Trackside::side);
            server.createContext("/sign-up", Trackside::signUp);
            server.start();
            return;
        }
        var visit = new Visit(
                "203.0.113.7",
                "Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0",
                "en-US",
                "DE",
                SITE + "/",
                "https://www.google.com/",
                "1920",
                "1080");
        System.out.println(sendPageView(visit));
        System.out.println(sendEvent(visit, "Sign-up", Map.of("plan", "pro")));
    }
}
