import { describeCode } from './describe-value.ts';
import { isLanguageCode } from './iso-639-1.ts';
import { isCountryCode } from './iso-3166-1.ts';

export const continentCodes = ['AF', 'NA', 'OC', 'AN', 'AS', 'EU', 'SA'] as const;
const continents: ReadonlySet<unknown> = new Set(continentCodes);

/** ISO 639-1, in any letter case. */
export function languageCode(value: unknown): string | undefined {
  if (typeof value === 'string' && isLanguageCode(value)) return undefined;
  const fault = `expected an ISO 639-1 code of two letters, got ${describeCode(value)}`;
  const first = typeof value === 'string' ? value.slice(0, 2).toLowerCase() : '';
  const isLocale = typeof value === 'string' && /^[a-z]{2}[-_]/i.test(value) && isLanguageCode(first);
  return isLocale ? `${fault}; send "${first}"` : fault;
}

export function continentCode(value: unknown): string | undefined {
  if (continents.has(value)) return undefined;
  return `expected one of ${continentCodes.join(', ')}, got ${describeCode(value)}`;
}

/** ISO 3166-1 alpha-2 as assigned, in any letter case; what stands for "unknown" elsewhere (XX, T1) is null here. */
export function countryCode(value: unknown): string | undefined {
  if (typeof value === 'string' && isCountryCode(value)) return undefined;
  return `expected an assigned ISO 3166-1 alpha-2 code, got ${describeCode(value)}`;
}
