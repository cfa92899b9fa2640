package trackside;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Arrays;

/** The time that a record is sent with if it had to wait. */
final class OccurredAt {
    /** Sooner than that, the time of arrival says the same. */
    private static final long WORTH_TELLING = Duration.ofSeconds(5).toMillis();
    /**
     * The server takes records of the last 25 hours, unless it is configured otherwise. The hour is for repeats,
     * which must not change anymore.
     */
    private static final long LONGEST_TELLABLE = Duration.ofHours(24).toMillis();
    private static final DateTimeFormatter FORMAT =
            DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSS'Z'").withZone(ZoneOffset.UTC);

    private OccurredAt() {}

    /** Returns the milliseconds since 1970 to send with a record, or null if it is to count when it arrives. */
    static Long find(Moment handedOver, Moment now) {
        // This is never negative, so the time is never in the future.
        long waited = now.millisSince(handedOver);
        return waited > WORTH_TELLING && waited <= LONGEST_TELLABLE ? now.millis() - waited : null;
    }

    /** Adds the time at the end of a body. */
    static byte[] addTo(byte[] body, Long occurredAt) {
        if (occurredAt == null) {
            return body;
        }
        String member = ",\"OccurredAt\":\"" + FORMAT.format(Instant.ofEpochMilli(occurredAt)) + "\"}";
        byte[] added = member.getBytes(StandardCharsets.US_ASCII);
        byte[] longer = Arrays.copyOf(body, body.length - 1 + added.length);
        System.arraycopy(added, 0, longer, body.length - 1, added.length);
        return longer;
    }
}
