import type { Sent } from './sent.ts';

export function javaSnippet(origin: string, domain: string, key: string, sent: Sent): string {
  const isEvent = sent === 'event';
  return `// TracksideCall.java: Java 17 or newer, nothing to install. To try it: java TracksideCall.java
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;

public class TracksideCall {
    static final String API_KEY = "${key}";

    // One for the whole application: it keeps the connection open.
    static final HttpClient CLIENT = HttpClient.newHttpClient();

    record Visit(String ip, String userAgent, String clientId, String country, String language,
            String page, String referrer, int screenWidth, int screenHeight) {}

    static void send(Visit visit) throws IOException, InterruptedException {
        String body = """
                {${isEvent ? event : ''}"Metrics": {
                  "Browser": {"IP": %s, "UserAgent": %s},
                  "Identify": {"ClientId": %s},
                  "Language": {"Code": %s},
                  "Location": {"CountryCode": %s},
                  "Page": {"Absolute": %s},
                  "Referrer": {"Absolute": %s},
                  "Screen": {"Width": %d, "Height": %d}
                }}""".formatted(
                json(visit.ip), json(visit.userAgent), json(visit.clientId), json(visit.language.substring(0, 2)),
                json(visit.country), json(visit.page), json(visit.referrer), visit.screenWidth, visit.screenHeight);
        var request = HttpRequest.newBuilder(URI.create("${origin}/api/${isEvent ? 'event-view' : 'page-view'}"))
                .header("Authorization", API_KEY)
                .header("Content-Type", "application/json")
                .timeout(Duration.ofSeconds(5))
                .POST(BodyPublishers.ofString(body))
                .build();
        var response = CLIENT.send(request, BodyHandlers.ofString());
        if (response.statusCode() != 200) throw new IOException("${sent} refused: " + response.body());
    }

    /** A string as JSON writes it. With Jackson or Gson at hand, let them do it. */
    static String json(String text) {
        if (text == null) return "null";
        var out = new StringBuilder("\\"");
        for (char c : text.toCharArray()) {
            if (c == '"' || c == '\\\\') out.append('\\\\').append(c);
            else if (c < ' ') out.append(String.format("\\\\u%04x", (int) c));
            else out.append(c);
        }
        return out.append('"').toString();
    }

    public static void main(String[] args) throws Exception {
        send(new Visit(
                "203.0.113.7", // request.getRemoteAddr(), or what your proxy says
                "Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0", // getHeader("User-Agent")
                null, // your own id of a signed-in user, if you have one
                "DE", // from your proxy or a GeoIP look-up, or null
                // The rest comes from a small script in the page:
                "en-US", // navigator.language
                "https://${domain}/", // location.href
                "https://www.google.com/", // document.referrer, or null
                1920, // screen.width
                1080)); // screen.height
        System.out.println("sent");
    }
}
`;
}

/** What an event has besides the metrics of a page view. */
const event = `"Name": "Sign-up", "Parameters": [{"Name": "plan", "Value": "pro"}],
                 `;

export const javaEndpoint = `// SideController.java: Spring Boot, beside TracksideCall.java
import jakarta.servlet.http.HttpServletRequest;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.*;

@RestController
class SideController {
    @PostMapping("/side")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    void side(HttpServletRequest request, @RequestParam String language, @RequestParam String page,
            @RequestParam String referrer, @RequestParam int screenWidth, @RequestParam int screenHeight)
            throws Exception {
        TracksideCall.send(new TracksideCall.Visit(
                request.getRemoteAddr(), // behind a proxy: server.forward-headers-strategy=native
                String.valueOf(request.getHeader("User-Agent")),
                null, null, language + "en", page, referrer.isEmpty() ? null : referrer,
                screenWidth, screenHeight));
    }
}
`;
