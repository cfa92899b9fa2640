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

/** The rules of a body: one for each field, in the order in which faults are reported. */
export type BodyRules = Rule | ListRules | { readonly [member: string]: BodyRules };
export type ListRules = { readonly list: Rule; readonly each: BodyRules };

const maxParameters = 12;

const parameterValue: Rule = (value) => {
  const fault = textUpTo(trackingLengths.parameterValue)(value);
  const canBeText = typeof value === 'number' || typeof value === 'boolean';
  return fault && canBeText ? { ...fault, advice: 'send it as a string' } : fault;
};

const parameterList: Rule = (value) =>
  Array.isArray(value) && value.length <= maxParameters
    ? undefined
    : expected(`an array of 0 to ${maxParameters} elements`, value);

const pageViewRules = {
  Metrics: {
    Browser: { IP: ipAddress, UserAgent: textUpTo(2048) },
    Identify: { ClientId: orNull(textUpTo(trackingLengths.clientId)) },
    Language: { Code: languageCode },
    Page: { Absolute: pageUrl },
    Referrer: { Absolute: orNull(referrerUrl) },
    Screen: { Height: screenPixels, Width: screenPixels },
    Location: {
      ContinentCode: orNull(continentCode),
      CountryCode: orNull(countryCode),
      City: orNull(textUpTo(256)),
      PostalCode: orNull(textUpTo(64)),
      Region: orNull(textUpTo(256)),
      RegionCode: orNull(textUpTo(64)),
      Timezone: orNull(textUpTo(256)),
    },
  },
};

const eventRules = {
  ...pageViewRules,
  Name: textFromOneTo(trackingLengths.name),
  Parameters: {
    list: parameterList,
    each: { Name: textFromOneTo(trackingLengths.name), Value: parameterValue },
  },
};

export const bodyRules = { pageView: pageViewRules, event: eventRules } satisfies Record<string, BodyRules>;
