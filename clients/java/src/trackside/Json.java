package trackside;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reads and writes JSON, since the standard library does not. */
final class Json {
    private static final int DEEPEST = 64;

    private final String text;
    private int at;

    private Json(String text) {
        this.text = text;
    }

    /**
     * Returns a Map, List, String, Double, Boolean or null.
     *
     * @throws IllegalArgumentException if the text is not JSON
     */
    static Object read(String text) {
        Json json = new Json(text);
        Object value = json.readValue(0);
        json.skipSpace();
        if (json.at < text.length()) {
            throw json.fault();
        }
        return value;
    }

    static String write(Object value) {
        StringBuilder out = new StringBuilder();
        write(value, out);
        return out.toString();
    }

    private static void write(Object value, StringBuilder out) {
        if (value instanceof Map<?, ?> map) {
            char before = '{';
            for (Map.Entry<?, ?> entry : map.entrySet()) {
                out.append(before);
                writeText(String.valueOf(entry.getKey()), out);
                out.append(':');
                write(entry.getValue(), out);
                before = ',';
            }
            out.append(map.isEmpty() ? "{}" : "}");
        } else if (value instanceof List<?> list) {
            char before = '[';
            for (Object each : list) {
                out.append(before);
                write(each, out);
                before = ',';
            }
            out.append(list.isEmpty() ? "[]" : "]");
        } else if (value instanceof String string) {
            writeText(string, out);
        } else if (value instanceof Double number) {
            if (!Double.isFinite(number)) {
                throw new IllegalArgumentException("a number that JSON cannot hold");
            }
            out.append(Text.writeNumber(number));
        } else {
            out.append(value);
        }
    }

    private static void writeText(String string, StringBuilder out) {
        out.append('"');
        for (int i = 0; i < string.length(); i++) {
            char c = string.charAt(i);
            if (c == '"' || c == '\\') {
                out.append('\\').append(c);
            } else if (c < ' ' || c > '~') {
                out.append(String.format("\\u%04x", (int) c));
            } else {
                out.append(c);
            }
        }
        out.append('"');
    }

    private Object readValue(int depth) {
        if (depth > DEEPEST) {
            throw fault();
        }
        skipSpace();
        char c = peek();
        if (c == '{') {
            return readObject(depth);
        }
        if (c == '[') {
            return readList(depth);
        }
        if (c == '"') {
            return readText();
        }
        for (String word : new String[] {"true", "false", "null"}) {
            if (text.startsWith(word, at)) {
                at += word.length();
                return word.equals("null") ? null : Boolean.valueOf(word);
            }
        }
        return readNumber();
    }

    private Map<String, Object> readObject(int depth) {
        Map<String, Object> members = new LinkedHashMap<>();
        at++;
        skipSpace();
        if (peek() == '}') {
            at++;
            return members;
        }
        do {
            skipSpace();
            if (peek() != '"') {
                throw fault();
            }
            String name = readText();
            skipSpace();
            expect(':');
            members.put(name, readValue(depth + 1));
            skipSpace();
        } while (hasNext('}'));
        return members;
    }

    private List<Object> readList(int depth) {
        List<Object> elements = new ArrayList<>();
        at++;
        skipSpace();
        if (peek() == ']') {
            at++;
            return elements;
        }
        do {
            elements.add(readValue(depth + 1));
            skipSpace();
        } while (hasNext(']'));
        return elements;
    }

    private boolean hasNext(char end) {
        char c = peek();
        at++;
        if (c != ',' && c != end) {
            throw fault();
        }
        return c == ',';
    }

    private String readText() {
        StringBuilder out = new StringBuilder();
        at++;
        for (char c = peek(); c != '"'; c = peek()) {
            at++;
            if (c < ' ') {
                throw fault();
            }
            out.append(c == '\\' ? readEscape() : c);
        }
        at++;
        return out.toString();
    }

    private char readEscape() {
        char c = peek();
        at++;
        switch (c) {
            case '"', '\\', '/':
                return c;
            case 'b':
                return '\b';
            case 'f':
                return '\f';
            case 'n':
                return '\n';
            case 'r':
                return '\r';
            case 't':
                return '\t';
            case 'u':
                if (at + 4 > text.length() || !text.substring(at, at + 4).matches("[0-9a-fA-F]{4}")) {
                    throw fault();
                }
                at += 4;
                return (char) Integer.parseInt(text.substring(at - 4, at), 16);
            default:
                throw fault();
        }
    }

    private Double readNumber() {
        int start = at;
        while (at < text.length() && "+-.0123456789eE".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
        String number = text.substring(start, at);
        if (!number.matches("-?(?:0|[1-9][0-9]*)(?:\\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")) {
            throw fault();
        }
        return Double.valueOf(number);
    }

    private void skipSpace() {
        while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
    }

    private char peek() {
        if (at >= text.length()) {
            throw fault();
        }
        return text.charAt(at);
    }

    private void expect(char c) {
        if (peek() != c) {
            throw fault();
        }
        at++;
    }

    private IllegalArgumentException fault() {
        return new IllegalArgumentException("no JSON at character " + at);
    }
}
