import {
  continentCode,
  countryCode,
  expected,
  ipAddress,
  languageCode,
  orNull,
  pageUrl,
  type Rule,
  referrerUrl,
  screenPixels,
  textFromOneTo,
  textUpTo,
} from './field-rules.ts';
import { trackingLengths } from './lengths.ts';
import { occurredAt } from './occurred-at.ts';

/** The rules of a body: one for each field, in the order in which faults are reported. */
export type BodyRules = Rule | ListRules | { readonly [member: string]: BodyRules };
export type ListRules = { readonly list: Rule; readonly each: BodyRules };

const parameterValue: Rule = (value) => {
  const fault = textUpTo(trackingLengths.parameterValue)(value);
  const canBeText = typeof value === 'number' || typeof value === 'boolean';
  return fault && canBeText ? { ...fault, advice: 'send it as a string' } : fault;
};

const parameterList: Rule = (value) =>
  Array.isArray(value) && value.length <= trackingLengths.parameters
    ? undefined
    : expected(`an array of 0 to ${trackingLengths.parameters} elements`, value);

const metricsRules = {
  Metrics: {
    Browser: { IP: ipAddress, UserAgent: textUpTo(trackingLengths.userAgent) },
    Identify: { ClientId: orNull(textUpTo(trackingLengths.clientId)) },
    Language: { Code: languageCode },
    Page: { Absolute: pageUrl },
    Referrer: { Absolute: orNull(referrerUrl) },
    Screen: { Height: screenPixels, Width: screenPixels },
    Location: {
      ContinentCode: orNull(continentCode),
      CountryCode: orNull(countryCode),
      City: orNull(textUpTo(trackingLengths.placeName)),
      PostalCode: orNull(textUpTo(trackingLengths.placeCode)),
      Region: orNull(textUpTo(trackingLengths.placeName)),
      RegionCode: orNull(textUpTo(trackingLengths.placeCode)),
      Timezone: orNull(textUpTo(trackingLengths.placeName)),
    },
  },
};

/** What both kinds of record may have besides. */
const optionalRules = { OccurredAt: orNull(occurredAt) };

const pageViewRules = { ...metricsRules, ...optionalRules };

const eventRules = {
  ...metricsRules,
  Name: textFromOneTo(trackingLengths.name),
  Parameters: {
    list: parameterList,
    each: { Name: textFromOneTo(trackingLengths.name), Value: parameterValue },
  },
  ...optionalRules,
};

export const bodyRules = { pageView: pageViewRules, event: eventRules } satisfies Record<string, BodyRules>;
