package trackside.servlet;

import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Collections;
import java.util.List;
import trackside.Answer;
import trackside.Handler;
import trackside.Parameter;
import trackside.Request;

/** For servlet containers. Map it to all paths, in front of other filters. */
public final class TracksideFilter implements Filter {
    private final Handler handler;

    public TracksideFilter(Handler handler) {
        this.handler = handler;
    }

    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        if (!(request instanceof HttpServletRequest asked) || !(response instanceof HttpServletResponse answered)) {
            chain.doFilter(request, response);
            return;
        }
        Request seen = toRequest(asked);
        if (handler.matches(seen)) {
            send(answered, handler.answer(seen, asked.getInputStream()));
            return;
        }
        boolean isCandidate = handler.isCandidate(seen);
        chain.doFilter(request, response);
        if (isCandidate) {
            handler.count(seen, answered.getStatus(), answered.getContentType());
        }
    }

    /** Records an event for the visitor of a request. Returns at once and never throws. */
    public void trackEvent(HttpServletRequest request, String name, Parameter... parameters) {
        handler.trackEvent(toRequest(request), name, parameters);
    }

    /** Adapts the container's request. It is used only until the answer is sent. */
    private static Request toRequest(HttpServletRequest request) {
        String query = request.getQueryString();
        String target = request.getRequestURI() + (query == null ? "" : "?" + query);
        String method = request.getMethod();
        String scheme = request.getScheme();
        String peer = request.getRemoteAddr();
        return new Request() {
            @Override
            public String method() {
                return method;
            }

            @Override
            public String scheme() {
                return scheme;
            }

            @Override
            public String target() {
                return target;
            }

            @Override
            public String header(String name) {
                List<String> values = Collections.list(request.getHeaders(name));
                return values.isEmpty() ? null : String.join(", ", values);
            }

            @Override
            public String peer() {
                return peer;
            }
        };
    }

    private static void send(HttpServletResponse response, Answer answer) throws IOException {
        response.setStatus(answer.status());
        answer.headers().forEach(response::setHeader);
        if (answer.body().length > 0) {
            response.getOutputStream().write(answer.body());
        }
    }
}
