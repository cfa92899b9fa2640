package trackside;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What a browser said about itself and its page. It is checked, so every value can be sent on.
 *
 * @param language as the browser writes it, or anything else that came in its place
 * @param name null for a page view
 */
record Collected(
        double width,
        double height,
        Object language,
        String referrer,
        String page,
        String name,
        List<Parameter> parameters) {
    private static final double MAX_PIXELS = 100_000;
    private static final int MAX_NAME_LENGTH = 256;
    private static final int MAX_VALUE_LENGTH = 2048;
    private static final int MAX_PARAMETERS = 12;

    /**
     * Reads what the browser script sends.
     *
     * @throws IllegalArgumentException with a text for the developer of the page, which repeats no value
     */
    static Collected read(String body) {
        Object json;
        try {
            json = Json.read(body.startsWith("\ufeff") ? body.substring(1) : body);
        } catch (IllegalArgumentException notJson) {
            throw new IllegalArgumentException("Body: expected a JSON object, got text that is not JSON");
        }
        if (!(json instanceof Map<?, ?> given)) {
            throw new IllegalArgumentException("Body: expected a JSON object, got another value");
        }
        // In any letter case, so that "name" is a fault and not a page view.
        boolean isEvent = given.keySet().stream().anyMatch(member ->
                "Name".equalsIgnoreCase((String) member) || "Parameters".equalsIgnoreCase((String) member));
        checkSpelling(given, List.of("ScreenWidth", "ScreenHeight", "Absolute"), "");
        checkSpelling(given, isEvent ? List.of("Name", "Parameters") : List.of(), "");
        double width = readPixels(given, "ScreenWidth");
        double height = readPixels(given, "ScreenHeight");
        if (!(given.get("Absolute") instanceof String page) || !Site.isPage(page)) {
            throw new IllegalArgumentException(
                    "Absolute: expected an absolute http or https URL of at most 8192 characters");
        }
        String referrer = given.get("Referrer") instanceof String text && Site.isReferrer(text) ? text : null;
        String name = isEvent ? readName(given.get("Name"), "Name") : null;
        List<Parameter> parameters = isEvent ? readParameters(given.get("Parameters")) : List.of();
        return new Collected(width, height, given.get("Language"), referrer, page, name, parameters);
    }

    private static void checkSpelling(Map<?, ?> given, List<String> known, String path) {
        for (Object came : given.keySet()) {
            for (String right : known) {
                if (!right.equals(came) && right.equalsIgnoreCase((String) came)) {
                    throw new IllegalArgumentException(path + right + ": expected the member to be spelled " + right);
                }
            }
        }
    }

    private static double readPixels(Map<?, ?> given, String member) {
        Object value = given.get(member);
        if (value == null) {
            return 0;
        }
        if (!(value instanceof Double pixels)) {
            throw new IllegalArgumentException(member + ": expected a number or null");
        }
        // A browser that hides its screen may send any number.
        return Math.min(Math.max(pixels, 0), MAX_PIXELS);
    }

    private static String readName(Object value, String path) {
        if (value instanceof String name && name.length() <= MAX_NAME_LENGTH && !Text.trim(name).isEmpty()) {
            return name;
        }
        throw new IllegalArgumentException(path + ": expected a string of 1 to " + MAX_NAME_LENGTH
                + " characters that are not all white space");
    }

    private static List<Parameter> readParameters(Object given) {
        List<Object> elements = new ArrayList<>();
        if (given instanceof Map<?, ?> members) {
            members.forEach((name, value) -> {
                Map<String, Object> element = new LinkedHashMap<>();
                element.put("Name", name);
                element.put("Value", value);
                elements.add(element);
            });
        } else if (given instanceof List<?> list) {
            elements.addAll(list);
        }
        boolean isList = given == null || given instanceof Map || given instanceof List;
        if (!isList || elements.size() > MAX_PARAMETERS) {
            throw new IllegalArgumentException("Parameters: expected an array of 0 to " + MAX_PARAMETERS + " elements");
        }
        List<Parameter> parameters = new ArrayList<>();
        for (Object element : elements) {
            parameters.add(readParameter(element, "Parameters[" + parameters.size() + "]"));
        }
        return parameters;
    }

    private static Parameter readParameter(Object element, String path) {
        if (!(element instanceof Map<?, ?> members)) {
            throw new IllegalArgumentException(path + ": expected an object");
        }
        checkSpelling(members, List.of("Name", "Value"), path + ".");
        String name = readName(members.get("Name"), path + ".Name");
        // Numbers and booleans become text, so that a page can send them as they are.
        Object value = members.get("Value");
        boolean isPlain = value instanceof String || value instanceof Double || value instanceof Boolean;
        Parameter parameter = Parameter.of(name, value);
        if (!isPlain || parameter.value().length() > MAX_VALUE_LENGTH) {
            throw new IllegalArgumentException(
                    path + ".Value: expected a string of at most " + MAX_VALUE_LENGTH + " characters");
        }
        return parameter;
    }
}
