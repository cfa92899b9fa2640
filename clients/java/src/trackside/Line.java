package trackside;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Consumer;
import java.util.function.DoubleSupplier;
import trackside.Result.Kind;

/**
 * Decides which record is sent when. It has no thread and no clock of its own: the caller passes the time. It is not
 * safe for use by several threads.
 */
final class Line {
    private static final long FIRST_BACKOFF = Duration.ofMillis(250).toNanos();
    private static final long LONGEST_BACKOFF = Duration.ofSeconds(30).toNanos();
    /** The server remembers a key for an hour. A repeat after that would count twice. */
    private static final long SAFE_TO_REPEAT_MILLIS = Duration.ofMinutes(55).toMillis();
    private static final Duration UNAUTHORIZED_WAIT = Duration.ofMinutes(1);
    private static final Duration LONGEST_ASKED = Duration.ofMinutes(5);
    private static final int MAX_REFUSALS = 6;
    /** After this many failures of one record, others are tried, because that record may be at fault. */
    private static final int PATIENCE = 3;

    private final int maxRecords;
    private final long maxBytes;
    private final long maxAge;
    private final Consumer<Fault> tell;
    private final DoubleSupplier random;

    private final Deque<Queued> waiting = new ArrayDeque<>();
    private long bytes;
    private boolean isAway;
    private boolean isProbing;
    private int awayFailures;
    private long resumeAt;
    /** Changes with each failure that counts, so that failures at the same moment count as one. */
    private int wave;

    int queued;
    long accepted;
    long refused;
    long dropped;
    long retried;

    record Flight(Queued queued, Moment startedAt, int wave) {}

    /**
     * What to do now.
     *
     * @param flight what to send, or null
     * @param waitNanos how long until something may be sent, or 0 to wait for news
     */
    record Next(Flight flight, long waitNanos) {}

    Line(int maxRecords, long maxBytes, Duration maxAge, Consumer<Fault> tell, DoubleSupplier random) {
        this.maxRecords = maxRecords;
        this.maxBytes = maxBytes;
        this.maxAge = maxAge.toNanos();
        this.tell = tell;
        this.random = random;
    }

    void add(Sender.Outgoing one, long now) {
        if (queued >= maxRecords || bytes + one.body().length > maxBytes) {
            dropped++;
            tell.accept(new Fault("queue-full", "Expected room in the queue, got " + maxRecords + " records or "
                    + maxBytes + " bytes waiting: find out why they aren't being sent, or raise maxRecords and "
                    + "maxBytes."));
            return;
        }
        queued++;
        bytes += one.body().length;
        waiting.addLast(new Queued(one, now));
    }

    Next next(Moment now) {
        giveUpOld(now);
        if (waiting.isEmpty() || isAway && isProbing) {
            return new Next(null, 0);
        }
        if (isAway) {
            if (now.nanos() < resumeAt) {
                return new Next(null, resumeAt - now.nanos());
            }
            isProbing = true;
        }
        Queued one = waiting.removeFirst();
        if (one.attempts++ > 0) {
            retried++;
        }
        return new Next(new Flight(one, now, wave), 0);
    }

    /** Notes the outcome of an attempt: the end of its record, or another try. */
    void land(Flight flight, Sender.Attempt attempt, long now) {
        Queued one = flight.queued();
        Result result = attempt.result();
        if (flight.wave() == wave) {
            isProbing = false;
        }
        if (attempt.isUncertain() && one.uncertainSince == null) {
            one.uncertainSince = flight.startedAt();
        }
        if (one.dropTime(result)) {
            noteAnswer(flight.wave());
            tell.accept(new Fault("time-refused", "Expected Trackside to accept the time at which the record was "
                    + "tracked, got a refusal (" + result.message() + "): check this machine's clock. The record is "
                    + "sent without the time, so it counts when it arrives."));
            waiting.addFirst(one);
            return;
        }
        switch (result.kind()) {
            case ACCEPTED -> {
                noteAnswer(flight.wave());
                accepted++;
                end(one);
            }
            case MALFORMED, CONTINGENT_USED_UP -> {
                noteAnswer(flight.wave());
                refused++;
                tell.accept(new Fault(result.kind().toString(), result.message()));
                end(one);
            }
            default -> landInVain(one, flight.wave(), result, now);
        }
    }

    private void landInVain(Queued one, int flightWave, Result result, long now) {
        // With a wrong key records are kept, because it can be corrected.
        Duration asked = result.kind() == Kind.UNAUTHORIZED ? UNAUTHORIZED_WAIT : result.retryAfter();
        noteFailure(flightWave, asked == null ? Duration.ZERO : asked, now);
        if (isRefusedOnTheWay(result.code())) {
            one.refusals++;
        }
        if (one.refusals >= MAX_REFUSALS) {
            drop(one, new Fault("refused-on-the-way", result.message()));
            return;
        }
        tell.accept(new Fault(result.kind().toString(), result.message()));
        if (++one.failures < PATIENCE) {
            waiting.addFirst(one);
        } else {
            one.failures = 0;
            waiting.addLast(one);
        }
    }

    /** Ends a pause, for somebody who cannot wait for it. */
    void hurry() {
        awayFailures = 0;
        resumeAt = Long.MIN_VALUE;
    }

    /** Drops all records, and returns how many. Those on their way may not land anymore. */
    int leave() {
        int count = queued;
        int lost = waiting.size();
        if (lost > 0) {
            tell.accept(new Fault("closed", "Expected to send all records before the program ends, got no answer in "
                    + "time: they are lost.", lost, null));
        }
        if (count > lost) {
            tell.accept(new Fault("closed", "Expected an answer before the program ends, got none in time: records "
                    + "that were on their way may or may not have been counted.", count - lost, null));
        }
        waiting.clear();
        bytes = 0;
        queued = 0;
        dropped += count;
        return count;
    }

    private void noteAnswer(int flightWave) {
        // An answer to a request from before the last failure says nothing about now.
        if (flightWave == wave) {
            isAway = false;
            hurry();
        }
    }

    private void noteFailure(int flightWave, Duration asked, long now) {
        if (flightWave != wave) {
            return;
        }
        wave++;
        isAway = true;
        isProbing = false;
        awayFailures++;
        Duration most = asked.compareTo(LONGEST_ASKED) > 0 ? LONGEST_ASKED : asked;
        resumeAt = now + most.toNanos() + backoff(awayFailures, random);
    }

    private void giveUpOld(Moment now) {
        while (!waiting.isEmpty()) {
            Queued one = waiting.peekFirst();
            boolean isTooOld = now.nanos() - one.trackedAt > maxAge;
            Moment since = one.uncertainSince;
            Fault fault;
            if (since != null && (isTooOld || now.millisSince(since) > SAFE_TO_REPEAT_MILLIS)) {
                fault = new Fault("unknown-outcome", "Expected Trackside to confirm the record within 55 minutes, "
                        + "got no confirmation: it may or may not have been counted. It is not sent again, "
                        + "because the server would no longer recognize it.");
            } else if (isTooOld) {
                fault = new Fault("too-old", "Expected to deliver the record within maxAge, got no answer.");
            } else {
                return;
            }
            drop(waiting.removeFirst(), fault);
        }
    }

    private void drop(Queued one, Fault fault) {
        dropped++;
        tell.accept(fault);
        end(one);
    }

    private void end(Queued one) {
        queued--;
        bytes -= one.outgoing.body().length;
    }

    /** Returns a delay with full jitter, so that many clients don't return at the same moment. */
    static long backoff(int failures, DoubleSupplier random) {
        long limit = failures > 9 ? LONGEST_BACKOFF : Math.min(LONGEST_BACKOFF, FIRST_BACKOFF << failures - 1);
        return (long) (random.getAsDouble() * limit);
    }

    /** A firewall can refuse one page forever. 404 and 405 are about the URL. */
    private static boolean isRefusedOnTheWay(int code) {
        return switch (code) {
            case 401, 404, 405, 408, 425, 429 -> false;
            default -> code >= 400 && code < 500;
        };
    }
}
