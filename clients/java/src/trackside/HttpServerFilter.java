package trackside;

import com.sun.net.httpserver.Filter;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsExchange;
import java.io.IOException;
import java.util.List;

/** For Java's own HTTP server: {@code context.getFilters().add(new HttpServerFilter(handler))}. */
public final class HttpServerFilter extends Filter {
    private final Handler handler;

    public HttpServerFilter(Handler handler) {
        this.handler = handler;
    }

    @Override
    public String description() {
        return "Serves Trackside's endpoint, and counts pages";
    }

    @Override
    public void doFilter(HttpExchange exchange, Chain chain) throws IOException {
        Request request = toRequest(exchange);
        if (handler.matches(request)) {
            send(exchange, handler.answer(request, exchange.getRequestBody()));
            return;
        }
        boolean isCandidate = handler.isCandidate(request);
        chain.doFilter(exchange);
        if (isCandidate) {
            String contentType = exchange.getResponseHeaders().getFirst("Content-Type");
            handler.count(request, exchange.getResponseCode(), contentType);
        }
    }

    /** Makes the request that the handler's trackEvent takes. */
    public static Request toRequest(HttpExchange exchange) {
        return new Request() {
            @Override
            public String method() {
                return exchange.getRequestMethod();
            }

            @Override
            public String scheme() {
                return exchange instanceof HttpsExchange ? "https" : "http";
            }

            @Override
            public String target() {
                return exchange.getRequestURI().toString();
            }

            @Override
            public String header(String name) {
                List<String> values = exchange.getRequestHeaders().get(name);
                return values == null ? null : String.join(", ", values);
            }

            @Override
            public String peer() {
                return exchange.getRemoteAddress() == null
                        ? null
                        : exchange.getRemoteAddress().getAddress().getHostAddress();
            }
        };
    }

    private static void send(HttpExchange exchange, Answer answer) throws IOException {
        answer.headers().forEach(exchange.getResponseHeaders()::set);
        exchange.sendResponseHeaders(answer.status(), answer.body().length == 0 ? -1 : answer.body().length);
        if (answer.body().length > 0) {
            exchange.getResponseBody().write(answer.body());
        }
        exchange.close();
    }
}
