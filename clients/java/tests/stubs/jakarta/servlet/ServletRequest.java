package jakarta.servlet;

import java.io.IOException;

public interface ServletRequest {
    String getScheme();

    String getRemoteAddr();

    ServletInputStream getInputStream() throws IOException;
}
