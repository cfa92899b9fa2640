import { continentCodes, isCountryCode } from '@trackside/contract/tracking/field-rules.ts';
import type { ContinentCode, Location } from '../record/metrics.ts';
import { continentOfCountry } from './continent-of-country.ts';

const maxNameLength = 256;
const maxCodeLength = 64;

/** Texts that sources use for an unknown value. */
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
 * Returns a location that the interface accepts, whatever was found: unknown values are null, texts are
 * shortened to the allowed length, and a missing continent is derived from the country. A record must not be
 * lost because of a city's name.
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

/** Returns whether a complete location has any known value. */
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
  // Shortened first, so that a long text costs no more than a short one.
  const text = cut(
    value
      .slice(0, 4 * maxLength)
      .replace(/[\s\p{Cc}]+/gu, ' ')
      .trim(),
    maxLength,
  );
  return text === '' || placeholders.has(text.toLowerCase()) ? null : text;
}

/** Shortens a text, but not in the middle of a surrogate pair. */
function cut(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  const isHalf = /[\uD800-\uDBFF]/.test(text[maxLength - 1]!);
  return text.slice(0, isHalf ? maxLength - 1 : maxLength).trimEnd();
}
