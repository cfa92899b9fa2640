import { isAscii, isUtf8 } from 'node:buffer';
import { type BodyRules, bodyRules } from '@trackside/contract/tracking/body-rules.ts';
import { continentCodes, maxPixels, type Rule } from '@trackside/contract/tracking/field-rules.ts';
import { findFaults } from '@trackside/contract/tracking/find-faults.ts';
import { trackingLengths } from '@trackside/contract/tracking/lengths.ts';
import Type, { type Static, type TProperties, type TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { malformedAs, malformedField, type Refusal } from '../refusal.ts';

const rules = bodyRules.pageView.Metrics;
const { Name, Parameters, OccurredAt } = bodyRules.event;

const text = (maxLength: number, description: string) => Type.String({ maxLength, description });
const optionalText = (maxLength: number, rule: Rule, description: string) =>
  optional(text(maxLength, description), rule);
const pixels = (rule: Rule, description: string) =>
  field(Type.Number({ minimum: 0, maximum: maxPixels, description }), rule);
const name = (description: string, rule: Rule) =>
  field(Type.String({ minLength: 1, maxLength: trackingLengths.name, description }), rule);

/** What both endpoints say about the visitor. Faults are reported in the order of the members. */
const metricsSchema = members(
  {
    Browser: members(
      {
        IP: field(
          Type.String({ description: "The visitor's IPv4 or IPv6 address. Never stored." }),
          rules.Browser.IP,
        ),
        UserAgent: field(
          text(trackingLengths.userAgent, "The visitor's user agent, or an empty string."),
          rules.Browser.UserAgent,
        ),
      },
      "The visitor's browser.",
    ),
    Identify: members(
      {
        ClientId: optionalText(
          trackingLengths.clientId,
          rules.Identify.ClientId,
          "The customer's own identifier of the visitor. Only a keyed hash is stored.",
        ),
      },
      'Who the visitor is, if the customer knows.',
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
        Absolute: field(text(trackingLengths.url, 'The http or https URL of the page.'), rules.Page.Absolute),
      },
      'The page that was seen.',
    ),
    Referrer: members(
      {
        Absolute: optional(
          text(trackingLengths.url, 'The URL that led here; null or empty for none.'),
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
        City: optionalText(trackingLengths.placeName, rules.Location.City, 'City name.'),
        PostalCode: optionalText(trackingLengths.placeCode, rules.Location.PostalCode, 'Postal code.'),
        Region: optionalText(trackingLengths.placeName, rules.Location.Region, 'Region name.'),
        RegionCode: optionalText(trackingLengths.placeCode, rules.Location.RegionCode, 'Region code.'),
        Timezone: optionalText(trackingLengths.placeName, rules.Location.Timezone, 'Timezone name.'),
      },
      'Where the visitor is, as far as the customer knows.',
    ),
  },
  'Everything that is known about the visitor and the page.',
);

const occurredAtSchema = optional(
  Type.String({
    description:
      'When it happened, with seconds and an offset, for a record that had to wait. ' +
      'Null or absent for now. The server says how long ago it may be.',
  }),
  OccurredAt,
);

export const pageViewSchema = members(
  { Metrics: metricsSchema, OccurredAt: occurredAtSchema },
  'One visit to one page.',
);

export const eventSchema = members(
  {
    Metrics: metricsSchema,
    Name: name('Name or category of the event.', Name),
    Parameters: field(
      Type.Array(
        members(
          {
            Name: name('Name of the parameter.', Parameters.each.Name),
            Value: field(
              text(trackingLengths.parameterValue, 'Value of the parameter.'),
              Parameters.each.Value,
            ),
          },
          'One parameter.',
        ),
        {
          maxItems: trackingLengths.parameters,
          description: 'Order and duplicates are kept; empty when there are none.',
        },
      ),
      Parameters.list,
    ),
    OccurredAt: occurredAtSchema,
  },
  'A named occurrence with parameters.',
);

export type PageViewBody = Static<typeof pageViewSchema>;
export type EventBody = Static<typeof eventSchema>;
export type Metrics = Static<typeof metricsSchema>;
export type Parsed = { json: unknown };
export type Valid = { kind: 'page_view'; body: PageViewBody } | { kind: 'event'; body: EventBody };
export type RecordKind = Valid['kind'];

const byteOrderMark = '\uFEFF';
const placeOfFault = / in JSON at position (\d+)(?: \(line \d+ column \d+\))?$/;

/**
 * Reads the body's bytes as JSON. V8's message about bad JSON is not passed on, because it quotes the body.
 */
export function parse(body: Buffer): Parsed | Refusal {
  if (body.length === 0) return malformedAs('Body', 'a JSON object', 'nothing');
  // ASCII bytes are the same text in latin1, which is read without decoding.
  const isPlain = isAscii(body);
  if (!isPlain && !isUtf8(body)) {
    return malformedAs('Body', 'JSON in UTF-8', 'bytes that are not UTF-8');
  }
  let text = body.toString(isPlain ? 'latin1' : 'utf8');
  if (text.startsWith(byteOrderMark)) text = text.slice(1);
  try {
    return { json: JSON.parse(text) };
  } catch (error) {
    // Only at the end of V8's sentence, because its middle quotes the body.
    const position = placeOfFault.exec(error instanceof Error ? error.message : '')?.[1];
    const where = position === undefined ? '' : ` (near character ${Number(position) + 1})`;
    return malformedAs('Body', 'a JSON object', 'text that is not valid JSON', where);
  }
}

/** Compiles the schemas once. The returned step validates a body against the schema of its endpoint. */
export function createValidate(): (kind: RecordKind, parsed: Parsed) => Valid | Refusal {
  const pageView = Compile(pageViewSchema);
  const event = Compile(eventSchema);
  return (kind, { json }) => {
    if (kind === 'page_view') {
      return pageView.Check(json) ? { kind, body: json } : refuse(bodyRules.pageView, json);
    }
    return event.Check(json) ? { kind, body: json } : refuse(bodyRules.event, json);
  };
}

function refuse(rules: BodyRules, json: unknown): Refusal {
  const about = findFaults(rules, json);
  return about === undefined
    ? malformedAs('Body', 'the documented members', 'others')
    : malformedField(about);
}

/** A field: its JSON type for the document, its rule for the verdict. findFaults says what is wrong. */
function field<T extends TSchema>(type: T, rule: Rule) {
  return Type.Refine(
    type,
    (value) => rule(value) === undefined,
    () => 'expected another value',
  );
}

/** A member that may be absent or null. */
function optional<T extends TSchema>(type: T, rule: Rule) {
  return Type.Optional(field(Type.Union([type, Type.Null()]), rule));
}

/**
 * An object of the body. Unknown members are ignored, so that clients can be newer than the server; one that
 * differs from a known member only in letter case is refused, because ignoring it would silently lose data.
 */
function members<P extends TProperties>(properties: P, description: string) {
  const spelling = new Map(Object.keys(properties).map((name) => [name.toLowerCase(), name]));
  return Type.Refine(
    Type.Object(properties, { description }),
    (value) => {
      for (const name in value as object) {
        if (!Object.hasOwn(properties, name) && spelling.has(name.toLowerCase())) return false;
      }
      return true;
    },
    () => 'expected known members in their right spelling',
  );
}
