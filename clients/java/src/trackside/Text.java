package trackside;

import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/** Trims and cuts texts like the tracking interface, which does it like JavaScript. */
final class Text {
    private static final String SPACE =
            "\\t-\\r \\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000\\ufeff";

    private Text() {}

    /** Shortens a text, but not in the middle of a character. */
    static String cut(String text, int maxLength) {
        if (text.length() <= maxLength) {
            return text;
        }
        int end = Character.isHighSurrogate(text.charAt(maxLength - 1)) ? maxLength - 1 : maxLength;
        return trim(text.substring(0, end));
    }

    static String trim(String text) {
        return text.replaceAll("^[" + SPACE + "]+|[" + SPACE + "]+$", "");
    }

    /** Replaces each run of white space and control characters with one space, and trims the ends. */
    static String closeGaps(String text) {
        return trim(text.replaceAll("[" + SPACE + "\\u0000-\\u001f\\u007f-\\u009f]+", " "));
    }

    /** Decodes UTF-8, or returns null if the bytes are not UTF-8. */
    static String decode(byte[] bytes) {
        try {
            return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
        } catch (CharacterCodingException notUtf8) {
            return null;
        }
    }

    /** Writes a number as a browser does, so that 5.0 and 5 are the same value of a parameter. */
    static String writeNumber(double number) {
        if (number == 0) {
            return "0";
        }
        if (!Double.isFinite(number)) {
            return Double.toString(number);
        }
        BigDecimal shortest = new BigDecimal(Double.toString(number)).stripTrailingZeros();
        double size = Math.abs(number);
        if (size >= 1e-6 && size < 1e21) {
            return shortest.toPlainString();
        }
        String digits = shortest.unscaledValue().abs().toString();
        int exponent = digits.length() - 1 - shortest.scale();
        String fraction = digits.length() > 1 ? "." + digits.substring(1) : "";
        String sign = number < 0 ? "-" : "";
        return sign + digits.charAt(0) + fraction + "e" + (exponent > 0 ? "+" : "-") + Math.abs(exponent);
    }
}
