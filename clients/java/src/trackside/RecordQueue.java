package trackside;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadFactory;
import java.util.function.Consumer;
import java.util.function.Function;

/** Sends records from its own threads, which start with the first record. */
final class RecordQueue {
    private final Sending sending;
    private final Line line;
    private final int concurrency;
    private final ThreadFactory threads;
    private final FaultTeller teller;
    /** Passed on once the lock is released, because requests wait for the lock. */
    private List<FaultTeller.Told> due = new ArrayList<>();
    private int workers;
    private int idle;
    private boolean isClosed;

    /** Sends a record once. The number says which attempt this is, from 1 on. */
    interface Sending {
        Sender.Attempt send(Sender.Outgoing record, int number);
    }

    RecordQueue(Sending sending, Function<Consumer<Fault>, Line> makeLine, int concurrency, ThreadFactory threads,
            FaultTeller teller) {
        this.sending = sending;
        this.threads = threads;
        this.concurrency = concurrency;
        this.teller = teller;
        this.line = makeLine.apply(this::note);
    }

    void push(Sender.Outgoing record) {
        hold(() -> add(record));
    }

    private void add(Sender.Outgoing record) {
        if (isClosed) {
            line.dropped++;
            note(new Fault("closed", "Expected no record after close(), got one: it is not sent."));
            return;
        }
        line.add(record, System.nanoTime());
        startWorker();
        notifyAll();
    }

    private void startWorker() {
        if (idle > 0 || workers >= concurrency) {
            return;
        }
        try {
            Thread worker = threads.newThread(this::work);
            worker.setName("trackside-" + (workers + 1));
            worker.setDaemon(true);
            worker.start();
        } catch (Throwable cause) {
            note(new Fault("unexpected", "Expected to start a thread, got an exception: the next record tries it "
                    + "again.", 1, cause));
            return;
        }
        // Counted only now, because one that didn't start would take up a place for good.
        workers++;
    }

    /** Counts a record that can't be sent. */
    synchronized void countRefused() {
        line.refused++;
    }

    /** Waits until all is sent or the time is up, and returns how many records remain. */
    int flush(Duration within) {
        int remaining = waitUntilEmpty(within);
        teller.tellRest();
        return remaining;
    }

    int close(Duration within) {
        waitUntilEmpty(within);
        int[] remaining = new int[1];
        hold(() -> {
            isClosed = true;
            remaining[0] = line.leave();
            notifyAll();
        });
        teller.tellRest();
        return remaining[0];
    }

    synchronized Counts counts() {
        return new Counts(line.queued, line.accepted, line.refused, line.dropped, line.retried);
    }

    private synchronized int waitUntilEmpty(Duration within) {
        long deadline = System.nanoTime() + within.toNanos();
        line.hurry();
        notifyAll();
        if (line.queued > 0) {
            // The thread of an earlier record may have failed to start.
            startWorker();
        }
        try {
            long left = within.toNanos();
            while (line.queued > 0 && workers > 0 && left > 0) {
                wait(left / 1_000_000, (int) (left % 1_000_000));
                left = deadline - System.nanoTime();
            }
        } catch (InterruptedException fault) {
            Thread.currentThread().interrupt();
        }
        return line.queued;
    }

    private void work() {
        for (Line.Flight flight = take(); flight != null; flight = take()) {
            carry(flight);
        }
    }

    private void carry(Line.Flight flight) {
        Sender.Attempt attempt = send(flight.queued());
        hold(() -> {
            // Once it is closed, the record is already counted as left over.
            if (!isClosed) {
                line.land(flight, attempt, System.nanoTime());
            }
            notifyAll();
        });
    }

    private Sender.Attempt send(Queued one) {
        try {
            return sending.send(one.toSend(Moment.now()), one.attempts);
        } catch (Throwable cause) {
            teller.tell(new Fault("unexpected", "Expected to send the record, got an exception.", 1, cause));
            Result failed = new Result(Result.Kind.UNAVAILABLE, 0, "Expected an answer, got an exception.", null);
            return new Sender.Attempt(failed, true, true);
        }
    }

    private Line.Flight take() {
        try {
            while (true) {
                Line.Next next;
                List<FaultTeller.Told> found;
                synchronized (this) {
                    if (isClosed) {
                        return null;
                    }
                    next = line.next(Moment.now());
                    // Faults are passed on first.
                    if (next.flight() == null && due.isEmpty()) {
                        rest(next.waitNanos());
                    }
                    found = takeDue();
                }
                found.forEach(teller::passOn);
                if (next.flight() != null) {
                    return next.flight();
                }
            }
        } catch (InterruptedException fault) {
            Thread.currentThread().interrupt();
            return null;
        }
    }

    private void rest(long nanos) throws InterruptedException {
        idle++;
        try {
            wait(nanos == 0 ? 0 : Math.max(1, nanos / 1_000_000));
        } finally {
            idle--;
        }
    }

    private void hold(Runnable work) {
        List<FaultTeller.Told> found;
        synchronized (this) {
            work.run();
            found = takeDue();
        }
        found.forEach(teller::passOn);
    }

    private void note(Fault fault) {
        FaultTeller.Told told = teller.note(fault);
        if (told != null) {
            due.add(told);
        }
    }

    private List<FaultTeller.Told> takeDue() {
        List<FaultTeller.Told> found = due;
        due = new ArrayList<>();
        return found;
    }
}
