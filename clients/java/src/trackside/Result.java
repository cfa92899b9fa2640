package trackside;

import java.time.Duration;

/**
 * The outcome of a record that a program waited for.
 *
 * @param code the HTTP status, or 0 if there was no answer
 * @param retryAfter null if the server did not ask for it
 */
public record Result(Kind kind, int code, String message, Duration retryAfter) {
    /** The outcome in one word. */
    public enum Kind {
        ACCEPTED("accepted"),
        MALFORMED("malformed"),
        UNAUTHORIZED("unauthorized"),
        CONTINGENT_USED_UP("contingent-used-up"),
        /** There was no answer from Trackside. The record may have been counted. */
        UNAVAILABLE("unavailable");

        private final String text;

        Kind(String text) {
            this.text = text;
        }

        @Override
        public String toString() {
            return text;
        }
    }
}
