package jakarta.servlet;

import java.io.IOException;

public interface ServletResponse {
    String getContentType();

    ServletOutputStream getOutputStream() throws IOException;
}
