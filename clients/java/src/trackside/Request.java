package trackside;

/** A request as every adapter presents it. */
public interface Request {
    String method();

    /** The scheme as the server sees it, without a proxy. */
    String scheme();

    /** The path with its query, as the client wrote it. */
    String target();

    /**
     * Returns a header, or null. Each character is one byte, as servers present it, and repeated headers are
     * joined by ", ".
     */
    String header(String name);

    /** The address of the other side of the connection, or null. */
    String peer();

    /** Returns a header, or an empty text. */
    default String text(String name) {
        String value = header(name);
        return value == null ? "" : value;
    }

    /** The host that the client asked for. It can send anything, but a host stays a host. */
    default String host() {
        String host = text("host");
        return host.matches("(?i)(?:[\\w.-]+|\\[[\\da-f:.]+\\])(?::\\d+)?") ? host : "localhost";
    }

    default String pathAndQuery() {
        String target = target().split("#", 2)[0];
        if (!target.startsWith("/")) {
            int slash = target.matches("(?is)https?://.*") ? target.indexOf('/', target.indexOf("//") + 2) : -1;
            target = slash < 0 ? "/" : target.substring(slash);
        }
        StringBuilder safe = new StringBuilder();
        for (char c : target.toCharArray()) {
            if (c <= ' ' || c > '~' || "\"<>`".indexOf(c) >= 0) {
                safe.append(String.format("%%%02X", c & 0xff));
            } else {
                safe.append(c);
            }
        }
        return safe.toString();
    }

    default String path() {
        return pathAndQuery().split("\\?", 2)[0];
    }
}
