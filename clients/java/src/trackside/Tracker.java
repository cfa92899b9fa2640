package trackside;

import java.util.List;

/** The part of the client that a handler needs. */
public interface Tracker {
    void trackPageView(Metrics metrics);

    void trackEvent(String name, List<Parameter> parameters, Metrics metrics);
}
