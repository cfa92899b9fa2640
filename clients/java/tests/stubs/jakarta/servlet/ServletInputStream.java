package jakarta.servlet;

import java.io.InputStream;

public abstract class ServletInputStream extends InputStream {}
