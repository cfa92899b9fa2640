package trackside;

import java.util.List;
import java.util.Locale;

/** Which machines in front of the backend may say where a request comes from. */
public final class Proxies {
    private static final int MAX_HOPS = 32;
    private static final List<String> LISTS = List.of("x-forwarded-for", "forwarded");

    final int hops;
    final List<Addresses.Network> networks;
    final String header;
    final String list;

    private Proxies(int hops, List<Addresses.Network> networks, String header, String list) {
        this.hops = hops;
        this.networks = networks;
        this.header = header;
        this.list = list;
    }

    /** Nothing is trusted: the connection's own address is the visitor's. */
    public static Proxies none() {
        return new Proxies(0, null, null, LISTS.get(0));
    }

    /** This many proxies append to the list, and nobody can bypass them. */
    public static Proxies hops(int hops) {
        if (hops < 1 || hops > MAX_HOPS) {
            throw new IllegalArgumentException("hops: expected 1 to " + MAX_HOPS + ", got " + hops);
        }
        return new Proxies(hops, null, null, LISTS.get(0));
    }

    /** The addresses and CIDRs of the proxies, also "loopback" and "private". This is the safest choice. */
    public static Proxies networks(List<String> networks) {
        if (networks.isEmpty()) {
            throw new IllegalArgumentException("networks: expected at least one, got none");
        }
        return new Proxies(0, Addresses.readNetworks(networks), null, LISTS.get(0));
    }

    /** One header that the platform sets and overwrites, such as "cf-connecting-ip". */
    public static Proxies header(String header) {
        if (!header.matches("[\\w!#$%&'*+.^`|~-]+") || LISTS.contains(header.toLowerCase(Locale.ROOT))) {
            throw new IllegalArgumentException("header: expected a header of one address such as cf-connecting-ip");
        }
        return new Proxies(0, null, header.toLowerCase(Locale.ROOT), LISTS.get(0));
    }

    /** Believes the header only from these networks. */
    public Proxies from(List<String> trusted) {
        if (header == null) {
            throw new IllegalArgumentException("from: expected only with header");
        }
        return new Proxies(0, Addresses.readNetworks(trusted), header, list);
    }

    /** Reads "x-forwarded-for", which is the default, or "forwarded". */
    public Proxies list(String name) {
        if (header != null || !LISTS.contains(name.toLowerCase(Locale.ROOT))) {
            throw new IllegalArgumentException("list: expected x-forwarded-for or forwarded, with hops or networks");
        }
        return new Proxies(hops, networks, null, name.toLowerCase(Locale.ROOT));
    }
}
