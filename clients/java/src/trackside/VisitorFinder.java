package trackside;

import java.util.Locale;

/** Finds the visitor behind the proxies that are trusted, and nobody behind those that are not. */
final class VisitorFinder {
    private final Proxies proxies;

    VisitorFinder(Proxies proxies) {
        this.proxies = proxies;
    }

    /**
     * The sender of a request.
     *
     * @param ip null if it cannot be known: no address is better than a forged one, or than a proxy's
     * @param hops how many of our proxies it came through; with 0, only the connection can be trusted
     * @param element what the outermost of them wrote into Forwarded
     */
    record Visitor(String ip, int hops, String element) {}

    Visitor find(Request request) {
        String peer = Addresses.read(request.peer());
        if (proxies.header != null) {
            return findByHeader(request, peer);
        }
        if (proxies.hops > 0) {
            return findByHops(request, peer);
        }
        return proxies.networks == null ? new Visitor(peer, 0, null) : findByNetworks(request, peer);
    }

    /** Returns scheme and host as the visitor sees them. */
    String origin(Request request) {
        Visitor found = find(request);
        String scheme = request.scheme();
        Site site = null;
        if (found.hops > 0) {
            String proto = readPart(request, found, "proto");
            if (proto != null && proto.matches("(?i)https?")) {
                scheme = proto.toLowerCase(Locale.ROOT);
            }
            site = Site.make(scheme, readPart(request, found, "host"));
        }
        // The port that the request itself leaves out is that of its own scheme.
        Site own = Site.make(request.scheme(), request.host());
        site = site == null && own != null ? Site.make(scheme, own.host()) : site;
        return site == null ? scheme + "://localhost" : site.origin();
    }

    private String readPart(Request request, Visitor found, String part) {
        if (isForwarded()) {
            return found.element == null ? null : ForwardedList.readPair(found.element, part);
        }
        return ForwardedList.pick(request.text("x-forwarded-" + part), found.hops);
    }

    private Visitor findByHops(Request request, String peer) {
        Visitor[] found = {null};
        ForwardedList.eachFromRight(request.text(proxies.list), element -> {
            int hops = found[0] == null ? 1 : found[0].hops + 1;
            found[0] = new Visitor(null, hops, element);
            return hops < proxies.hops;
        });
        if (found[0] == null) {
            return unproxied(peer);
        }
        return new Visitor(readElement(found[0].element), found[0].hops, found[0].element);
    }

    private Visitor findByNetworks(Request request, String peer) {
        if (peer == null || !Addresses.isInside(peer, proxies.networks)) {
            return new Visitor(peer, 0, null);
        }
        // A proxy that forwards nothing is not a visitor itself.
        Visitor[] found = {new Visitor(null, 1, null)};
        int[] hops = {0};
        ForwardedList.eachFromRight(request.text(proxies.list), element -> {
            String ip = readElement(element);
            found[0] = new Visitor(ip, ++hops[0], element);
            return ip != null && Addresses.isInside(ip, proxies.networks);
        });
        return found[0];
    }

    private Visitor findByHeader(Request request, String peer) {
        if (proxies.networks != null && (peer == null || !Addresses.isInside(peer, proxies.networks))) {
            return new Visitor(peer, 0, null);
        }
        // If the header came twice, the platform added the last one.
        String value = ForwardedList.pick(request.text(proxies.header), 1);
        if (value == null) {
            return unproxied(peer);
        }
        boolean isCloudFront = proxies.header.equals("cloudfront-viewer-address");
        return new Visitor(isCloudFront ? Addresses.readWithPort(value) : Addresses.read(value), 1, null);
    }

    /** A public peer that forwards nothing bypassed the proxy. An internal one is the proxy itself. */
    private static Visitor unproxied(String peer) {
        return new Visitor(peer != null && Addresses.isPublic(peer) ? peer : null, 0, null);
    }

    private String readElement(String element) {
        return Addresses.read(isForwarded() ? ForwardedList.readPair(element, "for") : element);
    }

    private boolean isForwarded() {
        return proxies.list.equals("forwarded");
    }
}
