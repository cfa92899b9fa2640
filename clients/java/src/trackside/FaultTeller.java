package trackside;

import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;

/** Reports a fault at once, and the same fault at most once a minute. */
final class FaultTeller {
    private static final long INTERVAL_NANOS = 60_000_000_000L;
    /** Some messages hold a number that differs each time. Beyond this, faults are distinguished by kind. */
    private static final int MAX_MESSAGES = 50;
    private static final System.Logger LOG = System.getLogger("trackside");

    private final Consumer<Fault> onError;
    private final Map<String, Told> told = new HashMap<>();

    private static final class Told {
        long at = System.nanoTime() - INTERVAL_NANOS;
        int untold;
    }

    FaultTeller(Consumer<Fault> onError) {
        this.onError = onError == null ? FaultTeller::log : onError;
    }

    void tell(Fault fault) {
        int records = note(fault);
        if (records == 0) {
            return;
        }
        try {
            onError.accept(new Fault(fault.kind(), fault.message(), records, fault.cause()));
        } catch (RuntimeException ignored) {
            // A program's own function that fails must not become the problem of any request.
            LOG.log(System.Logger.Level.DEBUG, "onError failed", ignored);
        }
    }

    /** Returns how many records to report now, or 0. */
    private synchronized int note(Fault fault) {
        String name = fault.kind() + ": " + fault.message();
        boolean isFull = !told.containsKey(name) && told.size() >= MAX_MESSAGES;
        // The message of this kind says by how many seconds a clock is wrong.
        String key = isFull || fault.kind().equals("time-refused") ? fault.kind() : name;
        Told entry = told.computeIfAbsent(key, unused -> new Told());
        entry.untold += fault.records();
        long now = System.nanoTime();
        if (now - entry.at < INTERVAL_NANOS) {
            return 0;
        }
        int records = entry.untold;
        entry.at = now;
        entry.untold = 0;
        return records;
    }

    private static void log(Fault fault) {
        String records = fault.records() == 1 ? "1 record" : fault.records() + " records";
        String text = fault.kind() + ": " + fault.message() + " (" + records + ")";
        LOG.log(System.Logger.Level.ERROR, text, fault.cause());
    }
}
