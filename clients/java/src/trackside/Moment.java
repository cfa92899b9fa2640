package trackside;

/**
 * A time by both clocks, because either can stop or jump.
 *
 * @param nanos of the clock that never goes back
 * @param millis since 1970
 */
record Moment(long nanos, long millis) {
    static Moment now() {
        return new Moment(System.nanoTime(), System.currentTimeMillis());
    }

    /**
     * Returns the milliseconds since an earlier moment: the larger number of the two, because one clock stops while
     * the machine sleeps, and the other can be set back.
     */
    long millisSince(Moment earlier) {
        return Math.max((nanos - earlier.nanos) / 1_000_000, millis - earlier.millis);
    }
}
