package trackside;

import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import trackside.Result.Kind;

/** The client's own tests, without a framework: each is a sentence and a method that throws. */
public final class OwnTests {
    private static final Sender.Attempt ACCEPTED = attempt(Kind.ACCEPTED, 200, null, false);
    private static final Sender.Attempt AWAY = attempt(Kind.UNAVAILABLE, 503, null, false);
    private static final Metrics METRICS =
            new Metrics("203.0.113.7", "", null, "en", "https://shop.example/", null, 0, 0, null);

    private interface Test {
        void run() throws Exception;
    }

    private OwnTests() {}

    public static void main(String[] args) {
        Map<String, Test> tests = new LinkedHashMap<>();
        tests.put("drops what finds no room", OwnTests::dropsWhatFindsNoRoom);
        tests.put("doubles the delay up to 30 seconds", OwnTests::doublesTheDelay);
        tests.put("waits as long as the server asks, but no more than 5 minutes", OwnTests::waitsAsAsked);
        tests.put("sends one record to see whether the server is back", OwnTests::probes);
        tests.put("tries another record when one keeps failing", OwnTests::triesAnother);
        tests.put("gives up after 24 hours", OwnTests::givesUp);
        tests.put("does not repeat after 55 minutes what may have been counted", OwnTests::doesNotRepeat);
        tests.put("counts the time during which the machine sleeps", OwnTests::countsSleep);
        tests.put("keeps records while the key is wrong, and drops what is refused", OwnTests::keepsAndDrops);
        tests.put("leaves nothing behind at the end", OwnTests::leavesNothing);
        tests.put("reports a fault once a minute, and the rest when asked to", OwnTests::reportsTheRest);
        tests.put("reports how many records are lost when nobody listens", OwnTests::reportsEachLostRecord);
        tests.put("holds up no other request while onError runs", OwnTests::doesNotWaitForOnError);
        tests.put("survives an Error of onError", OwnTests::survivesAnError);
        tests.put("sends a record again after an Error", OwnTests::sendsAgainAfterAnError);
        tests.put("starts a thread later if none can be started now", OwnTests::startsAThreadLater);
        tests.put("reports what was on its way when it was closed", OwnTests::reportsWhatWasOnItsWay);
        tests.put("never throws into the request", OwnTests::neverThrows);
        tests.put("is not held up by a server that never answers", OwnTests::isNotHeldUp);
        tests.put("sends a request once, and numbers it", OwnTests::numbersRequests);
        tests.put("numbers records, and names the release", OwnTests::numbersRecords);
        tests.put("says that a clock is wrong", OwnTests::saysThatAClockIsWrong);
        tests.put("knows that a record may be counted all the same", OwnTests::knowsUnknownOutcome);
        tests.put("limits a visitor and an address", OwnTests::limits);
        tests.put("tells of wrong settings at the start", OwnTests::tellsOfWrongSettings);
        tests.put("writes and reads JSON", OwnTests::writesJson);
        int failed = 0;
        for (Map.Entry<String, Test> test : tests.entrySet()) {
            try {
                test.getValue().run();
                System.out.println("ok: " + test.getKey());
            } catch (Exception | Error fault) {
                failed++;
                System.out.println("FAILED: " + test.getKey());
                fault.printStackTrace(System.out);
            }
        }
        System.exit(failed == 0 ? 0 : 1);
    }

    /** A line whose random part is always the largest. */
    private static final class TestLine {
        final List<String> kinds = new ArrayList<>();
        final Line line = new Line(3, 100, Duration.ofHours(24), fault -> kinds.add(fault.kind()), () -> 1);

        TestLine(String... keys) {
            for (String key : keys) {
                line.add(outgoing(key, 10), 0);
            }
        }

        Line.Flight take(Duration passed) {
            Line.Flight flight = line.next(at(passed)).flight();
            expect(true, flight != null);
            return flight;
        }

        Duration waitAt(Duration passed) {
            Line.Next next = line.next(at(passed));
            expect(null, next.flight());
            return Duration.ofNanos(next.waitNanos());
        }

        void fail(Duration passed, Sender.Attempt attempt) {
            line.land(take(passed), attempt, passed.toNanos());
        }
    }

    private static Moment at(Duration passed) {
        return new Moment(passed.toNanos(), passed.toMillis());
    }

    private static Sender.Outgoing outgoing(String key, int bytes) {
        return new Sender.Outgoing(key, "/api/page-view", new byte[bytes], "stream.1", new Moment(0, 0));
    }

    private static Sender.Attempt attempt(Kind kind, int code, Duration retryAfter, boolean isUncertain) {
        return new Sender.Attempt(new Result(kind, code, "", retryAfter), true, isUncertain);
    }

    private static void dropsWhatFindsNoRoom() {
        TestLine test = new TestLine("a", "b", "c", "d");
        expect(List.of(3, 1L), List.of(test.line.queued, test.line.dropped));
        test = new TestLine();
        test.line.add(outgoing("a", 60), 0);
        test.line.add(outgoing("b", 60), 0);
        expect(List.of("queue-full"), test.kinds);
    }

    private static void doublesTheDelay() {
        TestLine test = new TestLine("a");
        Duration passed = Duration.ZERO;
        List<Long> delays = new ArrayList<>();
        for (int i = 0; i < 9; i++) {
            test.fail(passed, AWAY);
            Duration wait = test.waitAt(passed);
            delays.add(wait.toMillis());
            passed = passed.plus(wait);
        }
        expect(List.of(250L, 500L, 1000L, 2000L, 4000L, 8000L, 16000L, 30000L, 30000L), delays);
        expect(500_000_000L, Line.backoff(3, () -> 0.5));
    }

    private static void waitsAsAsked() {
        TestLine test = new TestLine("a");
        test.fail(Duration.ZERO, attempt(Kind.UNAVAILABLE, 503, Duration.ofSeconds(20), false));
        expect(Duration.ofMillis(20_250), test.waitAt(Duration.ZERO));
        Duration later = Duration.ofMinutes(1);
        test.fail(later, attempt(Kind.UNAVAILABLE, 503, Duration.ofHours(9), false));
        expect(Duration.ofMillis(300_500), test.waitAt(later));
    }

    private static void probes() {
        TestLine test = new TestLine("a", "b");
        Line.Flight first = test.take(Duration.ZERO);
        Line.Flight second = test.take(Duration.ZERO);
        test.line.land(first, AWAY, 0);
        test.line.land(second, AWAY, 0);
        // Failures at the same moment count once.
        expect(Duration.ofMillis(250), test.waitAt(Duration.ZERO));
        Duration later = Duration.ofSeconds(1);
        Line.Flight probe = test.take(later);
        expect(Duration.ZERO, test.waitAt(later));
        test.line.land(probe, ACCEPTED, later.toNanos());
        test.take(later);
    }

    private static void triesAnother() {
        TestLine test = new TestLine("a", "b");
        StringBuilder keys = new StringBuilder();
        for (int i = 0; i < 4; i++) {
            Line.Flight flight = test.take(Duration.ofMinutes(i));
            keys.append(flight.queued().outgoing.key());
            test.line.land(flight, AWAY, Duration.ofMinutes(i).toNanos());
        }
        expect("aaab", keys.toString());
    }

    private static void givesUp() {
        TestLine test = new TestLine("a");
        test.fail(Duration.ofHours(24), AWAY);
        expect(Duration.ZERO, test.waitAt(Duration.ofHours(24).plusSeconds(1)));
        expect(List.of("unavailable", "too-old"), test.kinds);
    }

    private static void doesNotRepeat() {
        TestLine test = new TestLine("a");
        test.fail(Duration.ZERO, attempt(Kind.UNAVAILABLE, 0, null, true));
        test.fail(Duration.ofMinutes(55), AWAY);
        expect(Duration.ZERO, test.waitAt(Duration.ofMinutes(55).plusSeconds(1)));
        expect(List.of("unavailable", "unavailable", "unknown-outcome"), test.kinds);
    }

    private static void countsSleep() {
        TestLine test = new TestLine("a");
        test.fail(Duration.ZERO, attempt(Kind.UNAVAILABLE, 0, null, true));
        Moment afterSleep = new Moment(Duration.ofSeconds(1).toNanos(), Duration.ofMinutes(56).toMillis());
        expect(null, test.line.next(afterSleep).flight());
        expect(List.of("unavailable", "unknown-outcome"), test.kinds);
    }

    private static void keepsAndDrops() {
        TestLine test = new TestLine("a", "b", "c");
        test.fail(Duration.ZERO, attempt(Kind.MALFORMED, 400, null, false));
        test.fail(Duration.ZERO, attempt(Kind.CONTINGENT_USED_UP, 429, null, false));
        expect(2L, test.line.refused);
        test.fail(Duration.ZERO, attempt(Kind.UNAUTHORIZED, 401, null, false));
        expect(Duration.ofMillis(60_250), test.waitAt(Duration.ZERO));
        for (int i = 1; i <= 6; i++) {
            test.fail(Duration.ofMinutes(5 * i), attempt(Kind.UNAVAILABLE, 403, null, false));
        }
        expect(List.of(0, 1L), List.of(test.line.queued, test.line.dropped));
    }

    private static void leavesNothing() {
        TestLine test = new TestLine();
        test.line.leave();
        expect(List.of(), test.kinds);
        test = new TestLine("a", "b", "c");
        test.line.leave();
        expect(List.of(0, 3L), List.of(test.line.queued, test.line.dropped));
        expect(List.of("closed"), test.kinds);
        test = new TestLine("a", "b");
        test.take(Duration.ZERO);
        test.line.leave();
        expect(List.of(0, 2L), List.of(test.line.queued, test.line.dropped));
        expect(List.of("closed", "closed"), test.kinds);
    }

    private static void reportsTheRest() {
        List<String> told = new ArrayList<>();
        FaultTeller teller = new FaultTeller(fault -> told.add(fault.message() + " " + fault.records()));
        for (String message : List.of("a", "b", "a", "a")) {
            teller.tell(new Fault("malformed", message));
        }
        expect(List.of("a 1", "b 1"), told);
        teller.tellRest();
        teller.tellRest();
        expect(List.of("a 1", "b 1", "a 2"), told);
    }

    private static void reportsEachLostRecord() {
        BlockingQueue<Fault> faults = new LinkedBlockingQueue<>();
        Trackside client = Trackside.builder("http://127.0.0.1:1", "key").maxRecords(100).onError(faults::add).build();
        for (int i = 0; i < 1000; i++) {
            client.trackPageView(METRICS);
        }
        client.close(Duration.ZERO);
        Map<String, Integer> told = new HashMap<>();
        for (Fault fault : faults) {
            told.merge(fault.kind(), fault.records(), Integer::sum);
        }
        expect(List.of(900, 100), List.of(told.get("queue-full"), told.get("closed")));
        expect(List.of(0, 1000L), List.of(client.counts().queued(), client.counts().dropped()));
    }

    private static void doesNotWaitForOnError() throws InterruptedException {
        BlockingQueue<String> kinds = new LinkedBlockingQueue<>();
        CountDownLatch mayEnd = new CountDownLatch(1);
        Trackside client = Trackside.builder("http://127.0.0.1:1", "key").maxRecords(1).onError(fault -> {
            kinds.add(fault.kind());
            try {
                mayEnd.await(30, TimeUnit.SECONDS);
            } catch (InterruptedException unused) {
                Thread.currentThread().interrupt();
            }
        }).build();
        client.trackPageView(METRICS);
        expect("unavailable", kinds.poll(30, TimeUnit.SECONDS));
        // The first of them is told that the queue is full, the second only counts.
        startDaemon(() -> client.trackPageView(METRICS));
        expect("queue-full", kinds.poll(15, TimeUnit.SECONDS));
        Thread second = startDaemon(() -> client.trackPageView(METRICS));
        second.join(15_000);
        expect(false, second.isAlive());
        expect(2L, client.counts().dropped());
        mayEnd.countDown();
        client.close(Duration.ZERO);
    }

    private static Thread startDaemon(Runnable work) {
        Thread thread = new Thread(work);
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    private static void survivesAnError() throws InterruptedException {
        BlockingQueue<String> kinds = new LinkedBlockingQueue<>();
        Trackside client = Trackside.builder("http://127.0.0.1:1", "key").maxRecords(1).onError(fault -> {
            kinds.add(fault.kind());
            throw new NoClassDefFoundError("broken");
        }).build();
        client.trackPageView(METRICS);
        expect("unavailable", kinds.poll(30, TimeUnit.SECONDS));
        client.trackPageView(METRICS);
        expect("queue-full", kinds.poll(30, TimeUnit.SECONDS));
        for (int i = 0; i < 1000 && client.counts().retried() == 0; i++) {
            client.flush(Duration.ofMillis(10));
        }
        expect(true, client.counts().retried() > 0);
        client.close(Duration.ZERO);
    }

    private static void sendsAgainAfterAnError() {
        RecordQueue queue = makeQueue((record, number) -> {
            if (number == 1) {
                throw new NoClassDefFoundError("broken");
            }
            return ACCEPTED;
        }, Thread::new);
        queue.push(outgoing("a", 2));
        expect(0, queue.flush(Duration.ofSeconds(30)));
        expect(1L, queue.counts().accepted());
    }

    private static void startsAThreadLater() {
        List<Thread> threads = new ArrayList<>();
        RecordQueue queue = makeQueue((record, number) -> ACCEPTED, work -> {
            threads.add(threads.isEmpty() ? new Unstartable() : new Thread(work));
            return threads.get(threads.size() - 1);
        });
        queue.push(outgoing("a", 2));
        expect(1, queue.counts().queued());
        queue.push(outgoing("b", 2));
        expect(0, queue.flush(Duration.ofSeconds(30)));
        expect(2L, queue.counts().accepted());
    }

    private static final class Unstartable extends Thread {
        @Override
        public void start() {
            throw new OutOfMemoryError("unable to create native thread");
        }
    }

    private static RecordQueue makeQueue(RecordQueue.Sending sending, ThreadFactory threads) {
        return new RecordQueue(sending, tell -> new Line(10, 100, Duration.ofHours(24), tell, () -> 1), 1, threads,
                new FaultTeller(fault -> {}));
    }

    private static void reportsWhatWasOnItsWay() throws InterruptedException {
        CountDownLatch isSending = new CountDownLatch(1);
        CountDownLatch mayFail = new CountDownLatch(1);
        List<Thread> threads = new ArrayList<>();
        RecordQueue queue = makeQueue((record, number) -> {
            isSending.countDown();
            try {
                mayFail.await(30, TimeUnit.SECONDS);
            } catch (InterruptedException unused) {
                Thread.currentThread().interrupt();
            }
            return AWAY;
        }, work -> {
            threads.add(new Thread(work));
            return threads.get(0);
        });
        for (String key : List.of("a", "b", "c")) {
            queue.push(outgoing(key, 2));
        }
        isSending.await(30, TimeUnit.SECONDS);
        expect(3, queue.close(Duration.ZERO));
        expect(List.of(0, 3L), List.of(queue.counts().queued(), queue.counts().dropped()));
        mayFail.countDown();
        threads.get(0).join(30_000);
        expect(List.of(0, 3L), List.of(queue.counts().queued(), queue.counts().dropped()));
    }

    private static final class Broken implements Tracker {
        @Override
        public void trackPageView(Metrics metrics) {
            throw new IllegalStateException("broken");
        }

        @Override
        public void trackEvent(String name, List<Parameter> parameters, Metrics metrics) {
            throw new IllegalStateException("broken");
        }
    }

    private record Visit(String method, String peer) implements Request {
        @Override
        public String scheme() {
            return "https";
        }

        @Override
        public String target() {
            return "/side";
        }

        @Override
        public String header(String name) {
            return name.equals("origin") || name.equals("referer") ? "https://localhost/" : null;
        }
    }

    private static void neverThrows() {
        List<String> kinds = new ArrayList<>();
        Handler handler = new Handler(new Broken(), new Handler.Options()
                .clientId(request -> {
                    throw new IllegalStateException("broken");
                })
                .location((request, ip) -> {
                    throw new IllegalStateException("broken");
                })
                .onError(fault -> {
                    kinds.add(fault.kind());
                    throw new IllegalStateException("broken, too");
                }));
        byte[] body = "{\"Absolute\":\"https://localhost/\"}".getBytes();
        Answer answer = handler.answer(new Visit("POST", "203.0.113.7"), new ByteArrayInputStream(body));
        handler.count(new Visit("GET", "203.0.113.7"), 200, "text/html");
        handler.trackEvent(new Visit("POST", "203.0.113.7"), "Order");
        expect(204, answer.status());
        expect(List.of("callback", "callback", "unexpected"), kinds);
    }

    private static void isNotHeldUp() throws IOException {
        List<String> kinds = new CopyOnWriteArrayList<>();
        try (ServerSocket silent = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            Trackside client = Trackside.builder("http://127.0.0.1:" + silent.getLocalPort(), "key")
                    .timeout(Duration.ofMillis(50)).retries(0).onError(fault -> kinds.add(fault.kind())).build();
            client.trackPageView(METRICS);
            expect(1, client.counts().queued());
            expect(Kind.UNAVAILABLE, client.pageView(METRICS).kind());
            expect(1, client.close(Duration.ZERO));
            client.trackPageView(METRICS);
            expect(true, kinds.contains("closed"));
            Metrics notInJson = new Metrics("", "", null, "", "", null, Double.NaN, 0, null);
            expect(Kind.MALFORMED, client.pageView(notInJson).kind());
            client.trackPageView(notInJson);
            expect(1L, client.counts().refused());
        }
    }

    private static void knowsUnknownOutcome() throws IOException {
        List<String> outcomes = new ArrayList<>(List.of("unknown", "other"));
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            exchange.getRequestBody().readAllBytes();
            exchange.getResponseHeaders().set("Trackside-Outcome", outcomes.remove(0));
            byte[] body = "{\"Code\":503,\"Message\":\"Later\"}".getBytes();
            exchange.sendResponseHeaders(503, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
        try {
            String url = "http://127.0.0.1:" + server.getAddress().getPort();
            Sender sender = new Sender(url, "key", "1.4.2", Duration.ofSeconds(30));
            Sender.Outgoing one = outgoing("a", 2);
            expect(true, sender.send(one, 1).isUncertain());
            expect(false, sender.send(one, 2).isUncertain());
        } finally {
            server.stop(0);
        }
    }

    private static void numbersRecords() throws IOException {
        List<String> sequences = new CopyOnWriteArrayList<>();
        List<String> releases = new CopyOnWriteArrayList<>();
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            exchange.getRequestBody().readAllBytes();
            sequences.add(exchange.getRequestHeaders().getFirst("Trackside-Sequence"));
            releases.add(exchange.getRequestHeaders().getFirst("Trackside-Release"));
            int code = sequences.size() == 2 ? 503 : 200;
            byte[] body = ("{\"Code\":" + code + ",\"Message\":\"Said so\"}").getBytes();
            exchange.sendResponseHeaders(code, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
        String url = "http://127.0.0.1:" + server.getAddress().getPort();
        try (Trackside client = Trackside.builder(url, "key").release(" 1.4.2 ").build()) {
            client.pageView(METRICS);
            client.pageView(METRICS);
            client.trackPageView(METRICS);
            expect(0, client.flush(Duration.ofSeconds(30)));
        } finally {
            server.stop(0);
        }
        String stream = sequences.get(0).split("\\.")[0];
        expect(true, stream.matches("[\\w-]{16}"));
        expect(List.of(stream + ".1", stream + ".2", stream + ".2", stream + ".3"), sequences);
        expect(List.of("1.4.2", "1.4.2", "1.4.2", "1.4.2"), releases);
        expect(null, Checks.releaseOf(" "));
        expect("3f9c2d1", Checks.releaseOf(" 3f9c2d1 "));
    }

    private static void saysThatAClockIsWrong() {
        TestLine test = new TestLine("a");
        Line.Flight flight = test.take(Duration.ofMinutes(1));
        flight.queued().toSend(new Moment(Duration.ofMinutes(1).toNanos(), 60_000));
        Result refusal = new Result(Kind.MALFORMED, 400, "OccurredAt: expected another", null);
        test.line.land(flight, new Sender.Attempt(refusal, false, false), Duration.ofMinutes(1).toNanos());
        expect(List.of("time-refused"), test.kinds);
        expect(1, test.line.queued);
    }

    private static void numbersRequests() throws IOException {
        List<String> numbers = new CopyOnWriteArrayList<>();
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            exchange.getRequestBody().readAllBytes();
            numbers.add(String.valueOf(exchange.getRequestHeaders().getFirst("Trackside-Attempt")));
            // The second record has arrived, by a connection that was used before, and gets no answer.
            if (numbers.size() != 2) {
                byte[] body = "{\"Code\":200,\"Message\":\"Success\"}".getBytes();
                exchange.sendResponseHeaders(200, body.length);
                exchange.getResponseBody().write(body);
            }
            exchange.close();
        });
        server.start();
        String url = "http://127.0.0.1:" + server.getAddress().getPort();
        String resend = "jdk.httpclient.enableAllMethodRetry";
        try (Trackside client = Trackside.builder(url, "key").retries(1).build()) {
            expect(Kind.ACCEPTED, client.pageView(METRICS).kind());
            expect(Kind.ACCEPTED, client.pageView(METRICS).kind());
            System.setProperty(resend, "");
            expect(Kind.ACCEPTED, client.pageView(METRICS).kind());
            expect(List.of("1", "1", "2", "null"), numbers);
        } finally {
            System.clearProperty(resend);
            server.stop(0);
        }
    }

    private static void limits() {
        RateLimit limit = new RateLimit(2);
        expect(List.of(0.0, 0.0, 30.0), List.of(limit.take("203.0.113.7", "a", 0), limit.take("203.0.113.7", "a", 0),
                limit.take("203.0.113.7", "a", 0)));
        expect(0.0, limit.take("203.0.113.7", "b", 0));
        expect(0.0, limit.take("203.0.113.7", "a", 30_000_000_000L));
        for (int i = 0; i < 21; i++) {
            double wait = limit.take("2001:db8::" + Integer.toHexString(i), "agent " + i, 0);
            expect(i == 20, wait > 0);
        }
    }

    private static void tellsOfWrongSettings() {
        List<Runnable> wrong = List.of(
                () -> Trackside.builder("trackside.example", "key"),
                () -> Trackside.builder("https://user:secret@trackside.example", "key"),
                () -> Trackside.builder("https://trackside.example?x", "key"),
                () -> Trackside.builder("https://trackside.example", ""),
                () -> Trackside.builder("https://trackside.example", "Bearer key"),
                () -> Trackside.builder("https://trackside.example", "key").timeout(Duration.ZERO),
                () -> Trackside.builder("https://trackside.example", "key").release(" "),
                () -> Trackside.builder("https://trackside.example", "key").release("x".repeat(65)),
                () -> Trackside.builder("https://trackside.example", "key").release("gr\u00f6\u00dfer"),
                () -> Checks.releaseOf("a\nb"),
                () -> Proxies.hops(0),
                () -> Proxies.networks(List.of()),
                () -> Proxies.networks(List.of("10.0.0.0/33")),
                () -> Proxies.header("X-Forwarded-For"),
                () -> Proxies.hops(1).list("x-real-ip"),
                () -> new Handler.Options().path("side"),
                () -> new Handler.Options().language("english"),
                () -> new Handler.Options().origins(List.of("https://shop.example/x")));
        for (Runnable each : wrong) {
            boolean isRefused = false;
            try {
                each.run();
            } catch (IllegalArgumentException expected) {
                isRefused = true;
            }
            expect(true, isRefused);
        }
    }

    private static void writesJson() {
        String text = "{\"a\":[1,-0.5,1e-7,true,null,{}],\"b\":\"\\u00e9\\\"\\\\ \"}";
        expect(text, Json.write(Json.read(text)));
        for (String wrong : List.of("", "{", "[1,]", "01", "1.", "\"\\x\"", "{\"a\" 1}", "nul", "[".repeat(100_000))) {
            try {
                Json.read(wrong);
                throw new AssertionError("expected a fault for " + wrong);
            } catch (IllegalArgumentException expected) {
                // Right.
            }
        }
    }

    private static void expect(Object expected, Object got) {
        if (!java.util.Objects.equals(expected, got)) {
            throw new AssertionError("expected " + expected + ", got " + got);
        }
    }
}
