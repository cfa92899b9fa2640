package trackside;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Sends page views and events, in the background or with an answer. Create one for each website, and share it
 * between threads.
 */
public final class Trackside implements Tracker, AutoCloseable {
    /** The most that the server reads. */
    private static final int MAX_BODY_BYTES = 512 * 1024;
    /** A program waits for this. If the server asks for more time, the program has to send it later. */
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(30);
    private static final Duration CLOSE_WITHIN = Duration.ofSeconds(5);

    private final RecordNumbers numbers = new RecordNumbers();
    private final Sender sender;
    private final FaultTeller teller;
    private final int retries;
    private final RecordQueue queue;

    /** What can be set. Each method returns the same builder. */
    public static final class Builder {
        private final String url;
        private final String apiKey;
        private String release;
        private Duration timeout = Duration.ofSeconds(10);
        private int retries = 3;
        private int maxRecords = 10_000;
        private long maxBytes = 64L << 20;
        private Duration maxAge = Duration.ofHours(24);
        private int concurrency = 4;
        private Consumer<Fault> onError;

        private Builder(String url, String apiKey) {
            this.url = Checks.url(url);
            this.apiKey = Checks.apiKey(apiKey);
            this.release = Checks.releaseOf(System.getenv("TRACKSIDE_RELEASE"));
        }

        /**
         * The version of your program, such as a commit: 1 to 64 printable ASCII characters. The environment's
         * TRACKSIDE_RELEASE by default, if it is set.
         */
        public Builder release(String value) {
            release = Checks.release("release", value);
            return this;
        }

        /** The timeout of one attempt. 10 seconds by default. */
        public Builder timeout(Duration value) {
            Checks.number("timeout", value.toMillis(), 1, 120_000);
            timeout = value;
            return this;
        }

        /** Retries of {@code pageView} and {@code event}. 3 by default. */
        public Builder retries(int value) {
            Checks.number("retries", value, 0, 10);
            retries = value;
            return this;
        }

        /** When this many wait, new records are dropped. 10,000 by default. */
        public Builder maxRecords(int value) {
            Checks.number("maxRecords", value, 1, 10_000_000);
            maxRecords = value;
            return this;
        }

        /** When this many bytes wait, new records are dropped. 64 MiB by default. */
        public Builder maxBytes(long value) {
            Checks.number("maxBytes", value, 1 << 20, 1L << 40);
            maxBytes = value;
            return this;
        }

        /** How long a record waits. 24 hours by default. */
        public Builder maxAge(Duration value) {
            Checks.number("maxAge", value.toSeconds(), 1, 30L * 24 * 60 * 60);
            maxAge = value;
            return this;
        }

        /** The number of sending threads. 4 by default; they start with the first record. */
        public Builder concurrency(int value) {
            Checks.number("concurrency", value, 1, 1000);
            concurrency = value;
            return this;
        }

        /** Called for faults, each at most once a minute. Writes to System.Logger by default. */
        public Builder onError(Consumer<Fault> value) {
            onError = value;
            return this;
        }

        public Trackside build() {
            return new Trackside(this);
        }
    }

    public static Builder builder(String url, String apiKey) {
        return new Builder(url, apiKey);
    }

    private Trackside(Builder options) {
        sender = new Sender(options.url, options.apiKey, options.release, options.timeout);
        teller = new FaultTeller(options.onError);
        retries = options.retries;
        Function<Consumer<Fault>, Line> makeLine = tell -> new Line(options.maxRecords, options.maxBytes,
                options.maxAge, tell, () -> ThreadLocalRandom.current().nextDouble());
        queue = new RecordQueue(sender::send, makeLine, options.concurrency, Thread::new, teller);
    }

    /** Takes a page view and returns at once. Never throws. */
    @Override
    public void trackPageView(Metrics metrics) {
        track("/api/page-view", null, null, metrics);
    }

    /** Takes an event and returns at once. Never throws. */
    @Override
    public void trackEvent(String name, List<Parameter> parameters, Metrics metrics) {
        track("/api/event-view", name, parameters, metrics);
    }

    /** Sends a page view and waits for the answer. */
    public Result pageView(Metrics metrics) {
        return deliver("/api/page-view", null, null, metrics);
    }

    /** Sends an event and waits for the answer. */
    public Result event(String name, List<Parameter> parameters, Metrics metrics) {
        return deliver("/api/event-view", name, parameters, metrics);
    }

    /**
     * Waits until all tracked records are settled or the time is up. Returns how many remain. Faults that are not
     * reported yet go to {@code onError}.
     */
    public int flush(Duration within) {
        return queue.flush(within);
    }

    /** Flushes for up to 5 seconds, then takes no more records. */
    @Override
    public void close() {
        close(CLOSE_WITHIN);
    }

    /** Flushes, then takes no more records. Returns how many were left over. */
    public int close(Duration within) {
        return queue.close(within);
    }

    public Counts counts() {
        return queue.counts();
    }

    private void track(String path, String name, List<Parameter> parameters, Metrics metrics) {
        try {
            queue.push(makeRecord(path, name, parameters, metrics));
        } catch (IllegalArgumentException fault) {
            queue.countRefused();
            teller.tell(new Fault("malformed", fault.getMessage()));
        } catch (RuntimeException cause) {
            teller.tell(new Fault("unexpected", "Expected to take the record, got an exception.", 1, cause));
        }
    }

    private Result deliver(String path, String name, List<Parameter> parameters, Metrics metrics) {
        Sender.Outgoing record;
        try {
            record = makeRecord(path, name, parameters, metrics);
        } catch (IllegalArgumentException fault) {
            return new Result(Result.Kind.MALFORMED, 400, fault.getMessage(), null);
        }
        Queued waiting = new Queued(record, record.handedOver().nanos());
        Sender.Attempt attempt = tryOnce(waiting);
        for (int failures = 1; failures <= retries && attempt.isTransient(); failures++) {
            Duration asked = attempt.result().retryAfter() == null ? Duration.ZERO : attempt.result().retryAfter();
            if (asked.compareTo(LONGEST_WAIT) > 0) {
                break;
            }
            try {
                long backoff = Line.backoff(failures, () -> ThreadLocalRandom.current().nextDouble());
                Thread.sleep(asked.toMillis() + backoff / 1_000_000);
            } catch (InterruptedException fault) {
                Thread.currentThread().interrupt();
                break;
            }
            attempt = tryOnce(waiting);
        }
        return attempt.result();
    }

    private Sender.Attempt tryOnce(Queued one) {
        Moment now = Moment.now();
        one.attempts++;
        Sender.Attempt attempt = sender.send(one.toSend(now), one.attempts);
        if (attempt.isUncertain() && one.uncertainSince == null) {
            one.uncertainSince = now;
        }
        // If a clock is wrong, the record is not lost, but counts when it arrives.
        return one.dropTime(attempt.result()) ? tryOnce(one) : attempt;
    }

    private Sender.Outgoing makeRecord(String path, String name, List<Parameter> parameters, Metrics metrics) {
        Map<String, Object> body = new LinkedHashMap<>();
        if (path.equals("/api/event-view")) {
            body.put("Name", name);
            body.put("Parameters", (parameters == null ? List.<Parameter>of() : parameters).stream()
                    .map(Trackside::toMap).toList());
        }
        body.put("Metrics", metrics == null ? null : metrics.toMap());
        byte[] bytes;
        try {
            bytes = Json.write(body).getBytes(StandardCharsets.US_ASCII);
        } catch (IllegalArgumentException fault) {
            throw new IllegalArgumentException("Body: expected values that JSON can hold, got others", fault);
        }
        if (bytes.length > MAX_BODY_BYTES) {
            throw new IllegalArgumentException("Body: expected at most " + MAX_BODY_BYTES + " bytes, got more");
        }
        return new Sender.Outgoing(UUID.randomUUID().toString(), path, bytes, numbers.take(), Moment.now());
    }

    private static Map<String, Object> toMap(Parameter parameter) {
        Map<String, Object> members = new LinkedHashMap<>();
        members.put("Name", parameter.name());
        members.put("Value", parameter.value());
        return members;
    }
}
