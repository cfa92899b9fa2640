import { bodyRules } from '@trackside/contract/tracking/body-rules.ts';
import { continentCodes } from '@trackside/contract/tracking/codes.ts';
import type { Rule } from '@trackside/contract/tracking/rule.ts';
import Type from 'typebox';
import { field, members, optional } from './members.ts';

const rules = bodyRules.pageView.Metrics;

const text = (maxLength: number, description: string) => Type.String({ maxLength, description });
const optionalText = (maxLength: number, rule: Rule, description: string) =>
  optional(text(maxLength, description), rule);
const pixels = (rule: Rule, description: string) =>
  field(Type.Number({ minimum: 0, maximum: 100_000, description }), rule);

/** Everything that both endpoints say of the visitor; the order of members is the order in which faults are reported. */
export const metricsSchema = members(
  {
    Browser: members(
      {
        IP: field(
          Type.String({ description: "The visitor's IPv4 or IPv6 address. Never stored." }),
          rules.Browser.IP,
        ),
        UserAgent: field(
          text(2048, "The visitor's user agent, or an empty string."),
          rules.Browser.UserAgent,
        ),
      },
      "The visitor's browser.",
    ),
    Identify: members(
      {
        ClientId: optionalText(
          512,
          rules.Identify.ClientId,
          "The customer's own identifier of the visitor. Only a keyed hash is stored.",
        ),
      },
      'Who the visitor is, where the customer knows it.',
    ),
    Language: members(
      {
        Code: field(
          Type.String({ minLength: 2, maxLength: 2, description: 'ISO 639-1 code, such as de.' }),
          rules.Language.Code,
        ),
      },
      "The visitor's language.",
    ),
    Page: members(
      {
        Absolute: field(
          Type.String({ maxLength: 8192, description: 'The http or https URL of the page.' }),
          rules.Page.Absolute,
        ),
      },
      'The page that was seen.',
    ),
    Referrer: members(
      {
        Absolute: optional(
          Type.String({ maxLength: 8192, description: 'The URL that led here; null or empty for none.' }),
          rules.Referrer.Absolute,
        ),
      },
      'Where the visitor came from.',
    ),
    Screen: members(
      {
        Height: pixels(rules.Screen.Height, 'Screen height in pixels; 0 for unknown.'),
        Width: pixels(rules.Screen.Width, 'Screen width in pixels; 0 for unknown.'),
      },
      "The visitor's screen.",
    ),
    Location: members(
      {
        ContinentCode: optional(
          Type.String({ enum: [...continentCodes], description: 'Continent code.' }),
          rules.Location.ContinentCode,
        ),
        CountryCode: optional(
          Type.String({ minLength: 2, maxLength: 2, description: 'ISO 3166-1 alpha-2 code, or XK.' }),
          rules.Location.CountryCode,
        ),
        City: optionalText(256, rules.Location.City, 'City name.'),
        PostalCode: optionalText(64, rules.Location.PostalCode, 'Postal code.'),
        Region: optionalText(256, rules.Location.Region, 'Region name.'),
        RegionCode: optionalText(64, rules.Location.RegionCode, 'Region code.'),
        Timezone: optionalText(256, rules.Location.Timezone, 'Timezone name.'),
      },
      'Where the visitor is, as far as the customer knows.',
    ),
  },
  'All that is known of the visitor and the page.',
);
