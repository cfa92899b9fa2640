package trackside;

import java.security.SecureRandom;
import java.util.Base64;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Numbers the records of one client in the order in which they are handed over. The stream's name is random, so it
 * says nothing about a machine or a visitor.
 */
final class RecordNumbers {
    private final String stream = nameStream();
    private final AtomicLong last = new AtomicLong();

    /** Returns the stream and the next number, such as {@code 5mQ1v_0hPz-kT3aX.17}. */
    String take() {
        return stream + "." + last.incrementAndGet();
    }

    private static String nameStream() {
        byte[] bytes = new byte[12];
        new SecureRandom().nextBytes(bytes);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }
}
