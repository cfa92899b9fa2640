package trackside;

import java.util.HashMap;
import java.util.List;
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

    /** When a fault was last reported. */
    static final class Told {
        private long at = System.nanoTime() - INTERVAL_NANOS;
        /** What came since then, or null. */
        private Fault untold;
    }

    FaultTeller(Consumer<Fault> onError) {
        this.onError = onError == null ? FaultTeller::log : onError;
    }

    void tell(Fault fault) {
        Told due = note(fault);
        if (due != null) {
            passOn(due);
        }
    }

    /** Reports the faults that are waiting for their minute to pass. */
    void tellRest() {
        listUntold().forEach(this::passOn);
    }

    void passOn(Told due) {
        Fault fault = takeUntold(due);
        if (fault == null) {
            return;
        }
        try {
            onError.accept(fault);
        } catch (Throwable ignored) {
            // A program's own function that fails must not become the problem of any request.
            LOG.log(System.Logger.Level.DEBUG, "onError failed", ignored);
        }
    }

    /** Counts a fault. Returns what to pass on, once no lock is held that a request may wait for, or null. */
    synchronized Told note(Fault fault) {
        String name = fault.kind() + ": " + fault.message();
        boolean isFull = !told.containsKey(name) && told.size() >= MAX_MESSAGES;
        // The message of this kind says by how many seconds a clock is wrong.
        String key = isFull || fault.kind().equals("time-refused") ? fault.kind() : name;
        Told entry = told.computeIfAbsent(key, unused -> new Told());
        int records = fault.records() + (entry.untold == null ? 0 : entry.untold.records());
        entry.untold = new Fault(fault.kind(), fault.message(), records, fault.cause());
        if (System.nanoTime() - entry.at < INTERVAL_NANOS) {
            return null;
        }
        entry.at = System.nanoTime();
        return entry;
    }

    private synchronized List<Told> listUntold() {
        return told.values().stream().filter(entry -> entry.untold != null).toList();
    }

    private synchronized Fault takeUntold(Told entry) {
        Fault fault = entry.untold;
        entry.at = System.nanoTime();
        entry.untold = null;
        return fault;
    }

    private static void log(Fault fault) {
        String records = fault.records() == 1 ? "1 record" : fault.records() + " records";
        String text = fault.kind() + ": " + fault.message() + " (" + records + ")";
        LOG.log(System.Logger.Level.ERROR, text, fault.cause());
    }
}
