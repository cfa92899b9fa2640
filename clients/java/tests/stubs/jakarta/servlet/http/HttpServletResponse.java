package jakarta.servlet.http;

import jakarta.servlet.ServletResponse;

public interface HttpServletResponse extends ServletResponse {
    void setStatus(int status);

    int getStatus();

    void setHeader(String name, String value);
}
