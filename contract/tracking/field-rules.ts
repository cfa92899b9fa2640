import { describeCode, describeValue } from './describe-value.ts';
import { isIpAddress } from './ip-address.ts';
import { trackingLengths } from './lengths.ts';

/**
 * What is wrong with a value, in parts. The sentence is put together where it is needed, so that nobody has
 * to take it apart again.
 */
export type RuleFault = {
  expected: string;
  /** What was sent. Values themselves are left out, except short ones in fields that hold codes. */
  got: string;
  /** What to send instead. */
  advice?: string;
};

/** Returns what is wrong with a value, or undefined if nothing is. */
export type Rule = (value: unknown) => RuleFault | undefined;

export const expected = (what: string, value: unknown): RuleFault => ({
  expected: what,
  got: describeValue(value),
});

export function spellRuleFault({ expected: what, got, advice }: RuleFault): string {
  const sentence = `expected ${what}, got ${got}`;
  return advice === undefined ? sentence : `${sentence}; ${advice}`;
}

/** Returns a rule for a string of at most `max` UTF-16 code units. */
export function textUpTo(max: number): Rule {
  const what = `a string of at most ${max} characters`;
  return (value) => (typeof value === 'string' && value.length <= max ? undefined : expected(what, value));
}

/** Returns a rule for a string with visible characters, of at most `max` UTF-16 code units. */
export function textFromOneTo(max: number): Rule {
  const what = `a string of 1 to ${max} characters that are not all white space`;
  return (value) =>
    typeof value === 'string' && value.length <= max && /\S/.test(value) ? undefined : expected(what, value);
}

/** Extends a rule: absent and null both mean "unknown". */
export function orNull(rule: Rule): Rule {
  return (value) => {
    if (value === null || value === undefined) return undefined;
    const fault = rule(value);
    return fault && { ...fault, expected: `${fault.expected} or null` };
  };
}

/** Requires an IPv4 or IPv6 literal: no port, no zone, no brackets. */
export function ipAddress(value: unknown): RuleFault | undefined {
  if (typeof value === 'string' && isIpAddress(value)) return undefined;
  return expected('an IPv4 or IPv6 address without port or zone', value);
}

const maxUrlLength = trackingLengths.url;
const httpWithHost = /^https?:\/\/[^/?#\\]/i;
const schemeWithHost = /^[a-z][a-z0-9+.-]*:\/\/[^/?#\\]/i;

/** Requires a complete http or https URL for the page. */
export function pageUrl(value: unknown): RuleFault | undefined {
  if (isUrl(value, httpWithHost)) return undefined;
  return expected(`an absolute http or https URL of at most ${maxUrlLength} characters`, value);
}

/**
 * Requires any scheme with a host for the referrer (apps send android-app://…). An empty string means none.
 */
export function referrerUrl(value: unknown): RuleFault | undefined {
  if (value === '' || isUrl(value, schemeWithHost)) return undefined;
  return expected(
    `an absolute URL with scheme and host of at most ${maxUrlLength} characters, an empty string`,
    value,
  );
}

/** Matches nearly every URL in practice, all of which every parser accepts. This saves parsing them. */
const ordinaryUrl = /^https?:\/\/(?!xn--)[a-z\d-]+(?:\.(?!xn--)[a-z\d-]+)*\.[a-z]{2,}(?:\/[!-~]*)?$/;

function isUrl(value: unknown, shape: RegExp): boolean {
  if (typeof value !== 'string' || value.length > maxUrlLength) return false;
  return ordinaryUrl.test(value) || (shape.test(value) && URL.canParse(value));
}

export const maxPixels = 100_000;

/** Requires a screen width or height. 0 means unknown. */
export function screenPixels(value: unknown): RuleFault | undefined {
  if (typeof value !== 'number' || !(value >= 0)) return expected('a number of at least 0', value);
  if (value > maxPixels) return { expected: `a number of at most ${maxPixels}`, got: 'a larger number' };
  return undefined;
}

export const continentCodes = ['AF', 'NA', 'OC', 'AN', 'AS', 'EU', 'SA'] as const;
const continents: ReadonlySet<unknown> = new Set(continentCodes);

/** Requires an ISO 639-1 code, in any letter case. */
export function languageCode(value: unknown): RuleFault | undefined {
  if (typeof value === 'string' && isLanguageCode(value)) return undefined;
  const fault = expectedCode('an ISO 639-1 code of two letters', value);
  const first = typeof value === 'string' ? value.slice(0, 2).toLowerCase() : '';
  const isLocale = typeof value === 'string' && /^[a-z]{2}[-_]/i.test(value) && isLanguageCode(first);
  return isLocale ? { ...fault, advice: `send "${first}"` } : fault;
}

export function continentCode(value: unknown): RuleFault | undefined {
  if (continents.has(value)) return undefined;
  return expectedCode(`one of ${continentCodes.join(', ')}`, value);
}

/**
 * Requires an assigned ISO 3166-1 alpha-2 code, in any letter case. Codes that mean "unknown" elsewhere (XX,
 * T1) must be null here.
 */
export function countryCode(value: unknown): RuleFault | undefined {
  if (typeof value === 'string' && isCountryCode(value)) return undefined;
  return expectedCode('an assigned ISO 3166-1 alpha-2 code', value);
}

const expectedCode = (what: string, value: unknown): RuleFault => ({
  expected: what,
  got: describeCode(value),
});

/** The codes of ISO 639-1. */
export const languageCodes: readonly string[] = (
  'aa ab ae af ak am an ar as av ay az ba be bg bi bm bn bo br bs ca ce ch co cr cs cu cv cy da de dv ' +
  'dz ee el en eo es et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu hy hz ia id ie ' +
  'ig ii ik io is it iu ja jv ka kg ki kj kk kl km kn ko kr ks ku kv kw ky la lb lg li ln lo lt lu lv ' +
  'mg mh mi mk ml mn mr ms mt my na nb nd ne ng nl nn no nr nv ny oc oj om or os pa pi pl ps pt qu rm ' +
  'rn ro ru rw sa sc sd se sg si sk sl sm sn so sq sr ss st su sv sw ta te tg th ti tk tl tn to tr ts ' +
  'tt tw ty ug uk ur uz ve vi vo wa wo xh yi yo za zh zu'
).split(' ');
const languages: ReadonlySet<string> = new Set(languageCodes);

export function isLanguageCode(value: string): boolean {
  // Some symbols have a Latin lower case: the Kelvin sign becomes k.
  return languages.has(value) || (/^[a-z]{2}$/i.test(value) && languages.has(value.toLowerCase()));
}

/** The assigned codes, and XK (Kosovo), which geolocation databases use although it is not assigned. */
export const countryCodes: readonly string[] = (
  'AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT ' +
  'BV BW BY BZ CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ' +
  'ER ES ET FI FJ FK FM FO FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT ' +
  'HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS ' +
  'LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI ' +
  'NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW SA SB SC SD SE SG ' +
  'SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG ' +
  'UM US UY UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW XK'
).split(' ');
const countries: ReadonlySet<string> = new Set(countryCodes);

export function isCountryCode(value: string): boolean {
  // Letters of other alphabets can have a Latin upper case: ſ becomes S.
  return countries.has(value) || (/^[a-z]{2}$/i.test(value) && countries.has(value.toUpperCase()));
}
