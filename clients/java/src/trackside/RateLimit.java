package trackside;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Limits the records of a visitor, which is an address (for IPv6 its /64) with a user agent. A user agent is
 * easily forged, so an address has a limit too.
 */
final class RateLimit {
    /** A whole office or a mobile network can be behind one address. */
    private static final int VISITORS_OF_ADDRESS = 10;
    /** A few megabytes: more visitors than one server has in a minute. */
    private static final int MAX_KEYS = 20_000;

    private final Buckets visitors;
    private final Buckets addresses;

    RateLimit(double perMinute) {
        visitors = new Buckets(perMinute);
        addresses = new Buckets(perMinute * VISITORS_OF_ADDRESS);
    }

    /** Counts one record. Returns 0, or the seconds until the next one is allowed. */
    synchronized double take(String address, String userAgent, long nanos) {
        String network = Addresses.household(address);
        double wait = addresses.take(network, nanos);
        return wait > 0 ? wait : visitors.take(network + userAgent.hashCode(), nanos);
    }

    /** A bucket of tokens for each key, full at first and refilled over a minute. */
    private static final class Buckets {
        private final double perMinute;
        private final Map<String, Bucket> byKey = new LinkedHashMap<>(16, 0.75f, true) {
            @Override
            protected boolean removeEldestEntry(Map.Entry<String, Bucket> eldest) {
                return size() > MAX_KEYS;
            }
        };

        private static final class Bucket {
            double tokens;
            long at;
        }

        Buckets(double perMinute) {
            this.perMinute = perMinute;
        }

        double take(String key, long nanos) {
            double capacity = Math.max(1, perMinute);
            Bucket bucket = byKey.computeIfAbsent(key, unused -> {
                Bucket full = new Bucket();
                full.tokens = capacity;
                full.at = nanos;
                return full;
            });
            bucket.tokens = Math.min(capacity, bucket.tokens + (nanos - bucket.at) / 60e9 * perMinute);
            bucket.at = nanos;
            if (bucket.tokens < 1) {
                return (1 - bucket.tokens) / perMinute * 60;
            }
            bucket.tokens--;
            return 0;
        }
    }
}
