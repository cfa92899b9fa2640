package trackside;

/**
 * Something that went wrong with records. It never holds an API key, an address or a value.
 *
 * @param records how many records, or attempts to send one, since this fault was last reported
 * @param cause null if there is none
 */
public record Fault(String kind, String message, int records, Throwable cause) {
    Fault(String kind, String message) {
        this(kind, message, 1, null);
    }
}
