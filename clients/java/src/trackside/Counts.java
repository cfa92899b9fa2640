package trackside;

/**
 * The records of a client since it was made.
 *
 * @param queued tracked and not yet settled
 * @param accepted answered with 200
 * @param refused answered with 400 or 429, or not sent at all, because JSON can't hold them or they are too large
 * @param dropped lost without an answer: no room, too old, or left over
 * @param retried attempts after the first
 */
public record Counts(int queued, long accepted, long refused, long dropped, long retried) {}
