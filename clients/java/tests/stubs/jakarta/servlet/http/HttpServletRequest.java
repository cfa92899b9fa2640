package jakarta.servlet.http;

import jakarta.servlet.ServletRequest;
import java.util.Enumeration;

public interface HttpServletRequest extends ServletRequest {
    String getMethod();

    String getRequestURI();

    String getQueryString();

    Enumeration<String> getHeaders(String name);
}
