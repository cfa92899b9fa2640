package trackside;

/** Returns where a visitor is, or null if it knows nothing. */
@FunctionalInterface
public interface LocationSource {
    Location locate(Request request, String ip);
}
