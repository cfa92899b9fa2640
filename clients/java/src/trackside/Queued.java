package trackside;

import trackside.Result.Kind;

/** A record that waits for its delivery. */
final class Queued {
    final Sender.Outgoing outgoing;
    final long trackedAt;
    Moment uncertainSince;
    int attempts;
    int failures;
    int refusals;
    /** The time that it was last sent with, or null. */
    private Long occurredAt;
    private boolean isTimeRefused;

    Queued(Sender.Outgoing outgoing, long trackedAt) {
        this.outgoing = outgoing;
        this.trackedAt = trackedAt;
    }

    /** Returns the record as it is sent now. What the server may have is repeated byte for byte. */
    Sender.Outgoing toSend(Moment now) {
        if (uncertainSince == null) {
            occurredAt = isTimeRefused ? null : OccurredAt.find(outgoing.handedOver(), now);
        }
        return outgoing.withBody(OccurredAt.addTo(outgoing.body(), occurredAt));
    }

    /** Leaves the time out from now on, if that is what the server refuses. Returns whether it is. */
    boolean dropTime(Result result) {
        if (occurredAt == null || uncertainSince != null) {
            return false;
        }
        isTimeRefused = result.kind() == Kind.MALFORMED && result.message().startsWith("OccurredAt:");
        return isTimeRefused;
    }
}
