package trackside;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** Reads addresses as proxies write them, without ever asking a name server. */
final class Addresses {
    private static final int LONGEST = 128;
    private static final String NUMBER = "(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)";
    private static final Pattern IPV4 = Pattern.compile(NUMBER + "(?:\\." + NUMBER + "){3}");
    private static final Pattern GROUP = Pattern.compile("[\\da-fA-F]{1,4}");
    private static final Map<String, List<String>> NAMED = Map.of(
            "loopback", List.of("127.0.0.0/8", "::1"),
            "private", List.of("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "169.254.0.0/16", "fc00::/7", "fe80::/10"));
    // Providers use 100.64.0.0/10 between their own machines.
    private static final List<Network> INNER =
            readNetworks(List.of("loopback", "private", "100.64.0.0/10", "0.0.0.0/8", "::"));

    /** The bytes of a network, and how many bits of them count. */
    record Network(byte[] bytes, int bits) {
        boolean contains(byte[] address) {
            if (address.length != bytes.length) {
                return false;
            }
            for (int bit = 0; bit < bits; bit++) {
                if (((address[bit / 8] ^ bytes[bit / 8]) & 0x80 >> bit % 8) != 0) {
                    return false;
                }
            }
            return true;
        }
    }

    private Addresses() {}

    /**
     * Reads an address with a port, brackets, quotes or a zone. Each address has one spelling, and IPv4 that is
     * written as IPv6 becomes IPv4. Returns null if there is none.
     */
    static String read(String text) {
        if (text == null || text.length() > LONGEST) {
            return null;
        }
        String bare = Text.trim(text);
        if (bare.length() > 1 && bare.startsWith("\"") && bare.endsWith("\"")) {
            bare = Text.trim(bare.substring(1, bare.length() - 1));
        }
        bare = withoutPort(bare);
        byte[] bytes = unmap(parse(bare.contains(":") ? bare.split("%", 2)[0] : bare));
        return bytes == null ? null : write(bytes);
    }

    /** CloudFront writes {@code 2001:db8::1:443} without brackets, so only this finds the port. */
    static String readWithPort(String text) {
        int colon = text.lastIndexOf(':');
        return read(colon < 0 || text.contains("]") ? text : text.substring(0, colon));
    }

    /** Returns whether an address can be that of a visitor and not of a proxy next to us. */
    static boolean isPublic(String address) {
        return !isInside(address, INNER);
    }

    static boolean isInside(String address, List<Network> networks) {
        byte[] bytes = parse(address);
        return bytes != null && networks.stream().anyMatch(network -> network.contains(bytes));
    }

    static List<Network> readNetworks(List<String> entries) {
        List<Network> networks = new ArrayList<>();
        for (String entry : entries) {
            for (String text : NAMED.getOrDefault(entry, List.of(entry))) {
                networks.add(readNetwork(text));
            }
        }
        return networks;
    }

    /** Returns the network of a household, whose devices change their IPv6 addresses at will. */
    static String household(String address) {
        byte[] bytes = parse(address);
        return Arrays.toString(Arrays.copyOf(bytes, Math.min(8, bytes.length)));
    }

    /** Returns 4 or 16 bytes, or null. */
    static byte[] parse(String text) {
        if (IPV4.matcher(text).matches()) {
            return parseIpv4(text);
        }
        if (text.length() > 45 || !text.contains(":")) {
            return null;
        }
        int gap = text.indexOf("::");
        byte[] head = parseGroups(gap < 0 ? text : text.substring(0, gap), gap < 0);
        byte[] tail = gap < 0 ? new byte[0] : parseGroups(text.substring(gap + 2), true);
        if (head == null || tail == null || (gap < 0 ? head.length != 16 : head.length + tail.length > 14)) {
            return null;
        }
        byte[] bytes = Arrays.copyOf(head, 16);
        System.arraycopy(tail, 0, bytes, 16 - tail.length, tail.length);
        return bytes;
    }

    private static Network readNetwork(String entry) {
        String[] parts = entry.split("/", 2);
        byte[] bytes = parse(parts[0]);
        boolean isWritten = parts.length == 1 || parts[1].matches("\\d{1,3}");
        int bits = bytes == null || !isWritten ? -1 : parts.length == 1 ? 8 * bytes.length : Integer.parseInt(parts[1]);
        if (bits < 0 || bits > 8 * bytes.length) {
            throw new IllegalArgumentException("networks: expected an address or CIDR such as 10.0.0.0/8, "
                    + "or \"loopback\" or \"private\", got \"" + entry + "\"");
        }
        // Addresses are compared as IPv4 where they are IPv4.
        boolean isMapped = bytes.length == 16 && bits >= 96 && unmap(bytes).length == 4;
        return isMapped ? new Network(unmap(bytes), bits - 96) : new Network(bytes, bits);
    }

    private static byte[] parseIpv4(String text) {
        byte[] bytes = new byte[4];
        String[] numbers = text.split("\\.");
        for (int i = 0; i < 4; i++) {
            bytes[i] = (byte) Integer.parseInt(numbers[i]);
        }
        return bytes;
    }

    private static byte[] parseGroups(String text, boolean canEndInIpv4) {
        if (text.isEmpty()) {
            return new byte[0];
        }
        String[] groups = text.split(":", -1);
        byte[] bytes = new byte[2 * groups.length + 2];
        int length = 0;
        for (int i = 0; i < groups.length; i++) {
            if (GROUP.matcher(groups[i]).matches()) {
                int value = Integer.parseInt(groups[i], 16);
                bytes[length++] = (byte) (value >> 8);
                bytes[length++] = (byte) value;
            } else if (canEndInIpv4 && i == groups.length - 1 && IPV4.matcher(groups[i]).matches()) {
                System.arraycopy(parseIpv4(groups[i]), 0, bytes, length, 4);
                length += 4;
            } else {
                return null;
            }
        }
        return length > 16 ? null : Arrays.copyOf(bytes, length);
    }

    private static byte[] unmap(byte[] bytes) {
        if (bytes == null || bytes.length == 4 || bytes[10] != -1 || bytes[11] != -1) {
            return bytes;
        }
        for (int i = 0; i < 10; i++) {
            if (bytes[i] != 0) {
                return bytes;
            }
        }
        return Arrays.copyOfRange(bytes, 12, 16);
    }

    static String write(byte[] bytes) {
        StringBuilder text = new StringBuilder();
        if (bytes.length == 4) {
            for (byte each : bytes) {
                text.append(text.isEmpty() ? "" : ".").append(each & 0xff);
            }
            return text.toString();
        }
        text.append(':');
        for (int i = 0; i < 16; i += 2) {
            text.append(Integer.toHexString((bytes[i] & 0xff) << 8 | bytes[i + 1] & 0xff)).append(':');
        }
        for (int length = 8; length > 1; length--) {
            String run = ":0".repeat(length) + ":";
            int at = text.indexOf(run);
            if (at >= 0) {
                String after = text.substring(at + run.length());
                return text.substring(at == 0 ? 0 : 1, at) + "::" + after.replaceAll(":$", "");
            }
        }
        return text.substring(1, text.length() - 1);
    }

    private static String withoutPort(String text) {
        if (text.startsWith("[")) {
            int end = text.indexOf(']');
            boolean isRight = end > 0 && (end == text.length() - 1 || text.charAt(end + 1) == ':');
            return isRight ? text.substring(1, end) : "";
        }
        int colon = text.indexOf(':');
        return colon >= 0 && colon == text.lastIndexOf(':') ? text.substring(0, colon) : text;
    }
}
