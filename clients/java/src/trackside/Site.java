package trackside;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Where a URL leads to. The host is in lower case, and has its port unless that is the default one. It
 * refuses too much rather than too little, because one bad URL costs the whole record.
 */
record Site(String scheme, String host) {
    private static final int MAX_URL_LENGTH = 8192;
    private static final Pattern WITH_HOST = Pattern.compile("([a-zA-Z][a-zA-Z0-9+.-]*)://([^/?#\\\\]+)");
    private static final Pattern HOST =
            Pattern.compile("([a-zA-Z\\d._-]{1,253}|\\[[\\da-fA-F:.]{2,45}\\])(?::(\\d{1,5}))?");

    /** Returns null if it is not a URL with a host. */
    static Site read(String url) {
        Matcher found = url == null ? null : WITH_HOST.matcher(url);
        if (found == null || !found.lookingAt()) {
            return null;
        }
        return make(found.group(1), found.group(2).substring(found.group(2).lastIndexOf('@') + 1));
    }

    static Site make(String scheme, String host) {
        Matcher found = host == null ? null : HOST.matcher(host);
        if (found == null || !found.matches()) {
            return null;
        }
        String lower = scheme.toLowerCase(Locale.ROOT);
        String name = readName(found.group(1).toLowerCase(Locale.ROOT));
        int port = found.group(2) == null ? -1 : Integer.parseInt(found.group(2));
        if (name == null || port > 65535) {
            return null;
        }
        int ordinary = lower.equals("http") ? 80 : lower.equals("https") ? 443 : -1;
        return new Site(lower, port < 0 || port == ordinary ? name : name + ":" + port);
    }

    static boolean isPage(String url) {
        Site site = read(url);
        return isReferrer(url) && (site.scheme.equals("http") || site.scheme.equals("https"));
    }

    static boolean isReferrer(String url) {
        return read(url) != null && url.length() <= MAX_URL_LENGTH;
    }

    String origin() {
        return scheme + "://" + host;
    }

    private static String readName(String name) {
        if (name.startsWith("[")) {
            byte[] bytes = Addresses.parse(name.substring(1, name.length() - 1));
            return bytes == null || bytes.length != 16 ? null : "[" + Addresses.write(bytes) + "]";
        }
        // A name that ends in a number has to be an IPv4 address.
        String bare = name.replaceAll("\\.+$", "");
        if (bare.substring(bare.lastIndexOf('.') + 1).matches("\\d+|0x[\\da-f]*")) {
            return Addresses.parse(name) == null ? null : name;
        }
        return name;
    }
}
