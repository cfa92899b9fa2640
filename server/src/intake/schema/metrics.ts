import Type from 'typebox';
import { continentCode, continentCodes, countryCode, languageCode } from '../rules/codes.ts';
import { ipAddress } from '../rules/ip-address.ts';
import { orNull, textUpTo } from '../rules/rule.ts';
import { screenPixels } from '../rules/screen-pixels.ts';
import { pageUrl, referrerUrl } from '../rules/urls.ts';
import { field, members, optional } from './members.ts';

const text = (maxLength: number, description: string) => Type.String({ maxLength, description });
const optionalText = (maxLength: number, description: string) =>
  optional(text(maxLength, description), orNull(textUpTo(maxLength)));
const pixels = (description: string) =>
  field(Type.Number({ minimum: 0, maximum: 100_000, description }), screenPixels);

/** Everything that both endpoints say of the visitor; the order of members is the order in which faults are reported. */
export const metricsSchema = members(
  {
    Browser: members(
      {
        IP: field(
          Type.String({ description: "The visitor's IPv4 or IPv6 address. Never stored." }),
          ipAddress,
        ),
        UserAgent: field(text(2048, "The visitor's user agent, or an empty string."), textUpTo(2048)),
      },
      "The visitor's browser.",
    ),
    Identify: members(
      {
        ClientId: optionalText(
          512,
          "The customer's own identifier of the visitor. Only a keyed hash is stored.",
        ),
      },
      'Who the visitor is, where the customer knows it.',
    ),
    Language: members(
      {
        Code: field(
          Type.String({ minLength: 2, maxLength: 2, description: 'ISO 639-1 code, such as de.' }),
          languageCode,
        ),
      },
      "The visitor's language.",
    ),
    Page: members(
      {
        Absolute: field(
          Type.String({ maxLength: 8192, description: 'The http or https URL of the page.' }),
          pageUrl,
        ),
      },
      'The page that was seen.',
    ),
    Referrer: members(
      {
        Absolute: optional(
          Type.String({ maxLength: 8192, description: 'The URL that led here; null or empty for none.' }),
          orNull(referrerUrl),
        ),
      },
      'Where the visitor came from.',
    ),
    Screen: members(
      {
        Height: pixels('Screen height in pixels; 0 for unknown.'),
        Width: pixels('Screen width in pixels; 0 for unknown.'),
      },
      "The visitor's screen.",
    ),
    Location: members(
      {
        ContinentCode: optional(
          Type.String({ enum: [...continentCodes], description: 'Continent code.' }),
          orNull(continentCode),
        ),
        CountryCode: optional(
          Type.String({ minLength: 2, maxLength: 2, description: 'ISO 3166-1 alpha-2 code, or XK.' }),
          orNull(countryCode),
        ),
        City: optionalText(256, 'City name.'),
        PostalCode: optionalText(64, 'Postal code.'),
        Region: optionalText(256, 'Region name.'),
        RegionCode: optionalText(64, 'Region code.'),
        Timezone: optionalText(256, 'Timezone name.'),
      },
      'Where the visitor is, as far as the customer knows.',
    ),
  },
  'All that is known of the visitor and the page.',
);
