package trackside;

import java.util.List;

/** What a handler needs of the client. */
public interface Tracker {
    void trackPageView(Metrics metrics);

    void trackEvent(String name, List<Parameter> parameters, Metrics metrics);
}
