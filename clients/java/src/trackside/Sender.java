package trackside;

import java.io.ByteArrayOutputStream;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.channels.UnresolvedAddressException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import trackside.Result.Kind;

/** Sends one request, and says what its answer means. Never throws. */
final class Sender {
    private static final int MAX_ANSWER_BYTES = 16 * 1024;
    private static final int MAX_MESSAGE_LENGTH = 1000;

    private final String url;
    private final String apiKey;
    private final String release;
    private final Duration timeout;
    private final HttpClient http;

    /**
     * A record as it was handed over. Every attempt has this key and this number.
     *
     * @param key the Idempotency-Key, by which the server recognizes a repeat
     * @param sequence its stream and number
     */
    record Outgoing(String key, String path, byte[] body, String sequence, Moment handedOver) {
        Outgoing withBody(byte[] other) {
            return new Outgoing(key, path, other, sequence, handedOver);
        }
    }

    /**
     * The result of one request, and what it means for the next.
     *
     * @param isTransient whether the same request may get another answer in a moment
     * @param isUncertain whether the record may have been counted although no answer says so
     */
    record Attempt(Result result, boolean isTransient, boolean isUncertain) {}

    /** The release may be null. */
    Sender(String url, String apiKey, String release, Duration timeout) {
        this.url = url;
        this.apiKey = apiKey;
        this.release = release;
        this.timeout = timeout;
        // Redirects are not followed, because the API key would be sent along.
        this.http = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .followRedirects(HttpClient.Redirect.NEVER)
                .connectTimeout(timeout)
                .build();
    }

    /**
     * Sends the record once.
     *
     * @param number which attempt this is, from 1 on
     */
    Attempt send(Outgoing one, int number) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url + one.path()))
                .timeout(timeout)
                .header("Authorization", apiKey)
                .header("Content-Type", "application/json")
                .header("Idempotency-Key", one.key())
                .header("Trackside-Sequence", one.sequence())
                .POST(HttpRequest.BodyPublishers.ofByteArray(one.body()));
        if (release != null) {
            request.header("Trackside-Release", release);
        }
        if (!isResentByJava()) {
            // With a first attempt, the server doesn't have to ask others.
            request.header("Trackside-Attempt", Integer.toString(number));
        }
        CompletableFuture<HttpResponse<byte[]>> answer = http.sendAsync(request.build(), unused -> bounded());
        try {
            HttpResponse<byte[]> response = answer.get(timeout.toMillis() + 50, TimeUnit.MILLISECONDS);
            byte[] body = response.body();
            String text = body.length > MAX_ANSWER_BYTES ? "" : new String(body, StandardCharsets.UTF_8);
            return readAnswer(response.statusCode(), response.headers(), text);
        } catch (ExecutionException fault) {
            // If Java has sent it before, only the last attempt is known here.
            return noAnswer(isResentByJava() || isReached(fault.getCause()));
        } catch (TimeoutException fault) {
            answer.cancel(true);
            return noAnswer(true);
        } catch (InterruptedException fault) {
            answer.cancel(true);
            Thread.currentThread().interrupt();
            return noAnswer(true);
        }
    }

    /**
     * With this property, Java sends a POST again by itself when the connection breaks, with the same number.
     * Without a number, the server takes every request for a possible repeat.
     */
    private static boolean isResentByJava() {
        String value = System.getProperty("jdk.httpclient.enableAllMethodRetry");
        return value != null && (value.isEmpty() || Boolean.parseBoolean(value));
    }

    private static HttpResponse.BodySubscriber<byte[]> bounded() {
        ByteArrayOutputStream start = new ByteArrayOutputStream();
        return HttpResponse.BodySubscribers.mapping(
                HttpResponse.BodySubscribers.ofByteArrayConsumer(piece -> piece.ifPresent(bytes ->
                        start.write(bytes, 0, Math.min(bytes.length, MAX_ANSWER_BYTES + 1 - start.size())))),
                unused -> start.toByteArray());
    }

    /** Returns false if the connection was never made, so that nothing can have arrived. */
    private static boolean isReached(Throwable cause) {
        for (Throwable each = cause; each != null; each = each.getCause()) {
            if (each instanceof ConnectException
                    || each instanceof HttpConnectTimeoutException
                    || each instanceof UnresolvedAddressException) {
                return false;
            }
        }
        return true;
    }

    private static Attempt noAnswer(boolean isReached) {
        String message = "Expected an answer from Trackside, got " + (isReached ? "no answer" : "no connection")
                + ": check that it's running and that url is correct.";
        return new Attempt(new Result(Kind.UNAVAILABLE, 0, message, null), true, isReached);
    }

    private Attempt readAnswer(int status, HttpHeaders headers, String text) {
        Duration wait = readRetryAfter(headers.firstValue("retry-after").orElse(null));
        // The server may count the record all the same.
        boolean isUncertain = headers.firstValue("trackside-outcome").orElse("").equals("unknown");
        Object answer = null;
        try {
            answer = Json.read(text);
        } catch (IllegalArgumentException notJson) {
            // It is judged as a stranger's below.
        }
        Map<?, ?> members = answer instanceof Map<?, ?> map ? map : Map.of();
        boolean isOurs = members.get("Code") instanceof Double && members.get("Message") instanceof String;
        int code = isOurs ? ((Double) members.get("Code")).intValue() : 0;
        if (!isOurs || code == 200 && (status < 200 || status > 299)) {
            return judgeStranger(status, wait);
        }
        // Whatever is at that address could send the key back to us, and messages end up in logs.
        String message = Text.cut(((String) members.get("Message")).replace(apiKey, "[API key]"), MAX_MESSAGE_LENGTH);
        return switch (code) {
            case 200 -> certain(Kind.ACCEPTED, code, message, null);
            case 400 -> certain(Kind.MALFORMED, code, message, null);
            case 401 -> certain(Kind.UNAUTHORIZED, code, message, null);
            case 429 -> certain(Kind.CONTINGENT_USED_UP, code, message, wait == null ? untilNextMonth() : wait);
            case 404, 405 -> certain(Kind.UNAVAILABLE, code, wrongUrl(code), null);
            default -> new Attempt(new Result(Kind.UNAVAILABLE, code, message, wait), isTransient(code), isUncertain);
        };
    }

    private static Attempt certain(Kind kind, int code, String message, Duration wait) {
        return new Attempt(new Result(kind, code, message, wait), false, false);
    }

    /** Something other than Trackside answered: a proxy in front of it, or whatever is at that address. */
    private static Attempt judgeStranger(int status, Duration wait) {
        String message;
        if (status == 404 || status == 405) {
            message = wrongUrl(status);
        } else if (status >= 300 && status < 400) {
            message = "Expected an answer from Trackside, got the redirect " + status + ". It is not followed, "
                    + "because the API key would be sent along: set url to the final address.";
        } else if (status < 300) {
            message = "Expected an answer from Trackside, got status " + status + " from something else: "
                    + "check that url is the address of Trackside.";
        } else {
            message = "Expected an answer from Trackside, got status " + status + " from something in front of it: "
                    + "check the proxy or firewall in between.";
        }
        // A gateway's 5xx can come after the server has counted the record.
        boolean isUncertain = status >= 500 || status >= 200 && status < 300;
        return new Attempt(new Result(Kind.UNAVAILABLE, status, message, wait), isTransient(status), isUncertain);
    }

    private static String wrongUrl(int status) {
        return "Expected an answer from Trackside, got status " + status + ": check that url is the address of "
                + "Trackside, without /api/page-view.";
    }

    private static boolean isTransient(int status) {
        return status >= 500 || status == 408 || status == 425 || status == 429;
    }

    private static Duration readRetryAfter(String value) {
        if (value == null || value.matches("\\d{1,12}")) {
            return value == null ? null : Duration.ofSeconds(Long.parseLong(value));
        }
        try {
            Instant date = ZonedDateTime.parse(value, DateTimeFormatter.RFC_1123_DATE_TIME).toInstant();
            Duration wait = Duration.between(Instant.now(), date);
            return wait.isNegative() ? Duration.ZERO : wait;
        } catch (DateTimeParseException noDate) {
            return null;
        }
    }

    private static Duration untilNextMonth() {
        ZonedDateTime now = ZonedDateTime.now(ZoneOffset.UTC);
        return Duration.between(now, now.toLocalDate().withDayOfMonth(1).plusMonths(1).atStartOfDay(ZoneOffset.UTC));
    }
}
