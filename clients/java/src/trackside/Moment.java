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
}
