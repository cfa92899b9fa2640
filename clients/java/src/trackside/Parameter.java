package trackside;

/** A name and a value of an event, which has at most 12. */
public record Parameter(String name, String value) {
    /** Makes a parameter from a string, a number, a boolean or anything else that has a text. */
    public static Parameter of(String name, Object value) {
        return new Parameter(name, value instanceof Double number ? Text.writeNumber(number) : String.valueOf(value));
    }
}
