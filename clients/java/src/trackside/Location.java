package trackside;

import java.util.LinkedHashMap;
import java.util.Map;

/** Where a visitor is. What is unknown is null. */
public record Location(
        String continentCode,
        String countryCode,
        String city,
        String postalCode,
        String region,
        String regionCode,
        String timezone) {
    public static final Location UNKNOWN = new Location(null, null, null, null, null, null, null);

    Map<String, Object> toMap() {
        Map<String, Object> members = new LinkedHashMap<>();
        members.put("ContinentCode", continentCode);
        members.put("CountryCode", countryCode);
        members.put("City", city);
        members.put("PostalCode", postalCode);
        members.put("Region", region);
        members.put("RegionCode", regionCode);
        members.put("Timezone", timezone);
        return members;
    }
}
