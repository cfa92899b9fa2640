package jakarta.servlet;

import java.io.IOException;

/** Only what the filter uses of the real interface. */
public interface Filter {
    void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException;
}
