import { continentCodes, isCountryCode } from '@trackside/contract/tracking/field-rules.ts';
import type { ContinentCode, Location } from '../record/metrics.ts';
import { continentOfCountry } from './continent-of-country.ts';

const maxNameLength = 256;
const maxCodeLength = 64;

/** What sources say when they mean that they do not know. */
const placeholders: ReadonlySet<string> = new Set([
  '-',
  '?',
  '??',
  '**',
  'unknown',
  'null',
  'undefined',
  '(null)',
]);

/**
 * A location that the interface takes, whatever was found: unknown is null, texts are cut to what is allowed,
 * and the continent follows from the country where it is missing. A record must not be lost for a city's
 * name.
 */
export function completeLocation(found: Location | undefined): Location {
  const given: { [member in keyof Location]?: unknown } = found ?? {};
  const country = toCountry(given.CountryCode);
  return {
    ContinentCode: toContinent(given.ContinentCode) ?? continentOfCountry(country ?? '') ?? null,
    CountryCode: country ?? null,
    City: toText(given.City, maxNameLength),
    PostalCode: toText(given.PostalCode, maxCodeLength),
    Region: toText(given.Region, maxNameLength),
    RegionCode: toText(given.RegionCode, maxCodeLength),
    Timezone: toText(given.Timezone, maxNameLength),
  };
}

/** Whether anything is known in a complete location. */
export function isKnown(location: Location): boolean {
  return Object.values(location).some((value) => value !== null);
}

function toCountry(value: unknown): string | undefined {
  const code = toText(value, maxCodeLength);
  return code !== null && isCountryCode(code) ? code.toUpperCase() : undefined;
}

function toContinent(value: unknown): ContinentCode | undefined {
  const code = toText(value, maxCodeLength)?.toUpperCase();
  return continentCodes.find((continent) => continent === code);
}

function toText(value: unknown, maxLength: number): string | null {
  if (typeof value !== 'string') return null;
  // Cut first, so that a long text costs no more than a short one.
  const text = cut(
    value
      .slice(0, 4 * maxLength)
      .replace(/[\s\p{Cc}]+/gu, ' ')
      .trim(),
    maxLength,
  );
  return text === '' || placeholders.has(text.toLowerCase()) ? null : text;
}

/** Not through the middle of a surrogate pair. */
function cut(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  const isHalf = /[\uD800-\uDBFF]/.test(text[maxLength - 1]!);
  return text.slice(0, isHalf ? maxLength - 1 : maxLength).trimEnd();
}
