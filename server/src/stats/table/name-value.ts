import { channelNames } from '@trackside/contract/stats/channels.ts';
import { shownPath } from '@trackside/contract/stats/shown-path.ts';
import {
  continentNames,
  deviceNames,
  emptyNames,
  visitorTypeNames,
} from '@trackside/contract/stats/value-names.ts';
import { shownHost } from '../../text/shown-host.ts';

type Namer = (code: string) => string | undefined;

const lookUp =
  (names: Readonly<Record<string, string>>): Namer =>
  (code) =>
    Object.hasOwn(names, code) ? names[code] : undefined;

const inEnglish = (type: 'region' | 'language'): Namer => {
  const names = new Intl.DisplayNames(['en'], { type, fallback: 'code' });
  return (code) => names.of(code);
};

const weekdays = new Intl.DateTimeFormat('en', { weekday: 'long', timeZone: 'UTC' });

/** The dimensions whose values are codes, and the names that the pages show for them. */
const namers: Readonly<Record<string, Namer>> = {
  channel: lookUp(channelNames),
  device: lookUp(deviceNames),
  continent: lookUp(continentNames),
  visitorType: lookUp(visitorTypeNames),
  country: inEnglish('region'),
  language: inEnglish('language'),
  // 5 January 1970 was a Monday.
  weekday: (code) => weekdays.format((Number(code) + 3) * 86_400_000),
};

export const hasNames = (dimension: string): boolean => Object.hasOwn(namers, dimension);

/** Returns the English name of a code. */
export function nameOf(dimension: string, code: string): string {
  return code === '' ? emptyNames.unknown : (namers[dimension]?.(code) ?? code);
}

/** Returns a value that is not a code as the pages show it: in readable letters, and never empty. */
export function spellValue(dimension: string, value: string): string {
  if (value === '') return lookUp(emptyNames)(dimension) ?? emptyNames.unknown;
  if (dimension === 'source') return shownHost(value);
  if (dimension !== 'referrer') return value;
  const [, scheme = '', host = '', rest = ''] = /^([a-z-]+:\/\/)?([^/?#]*)(.*)$/s.exec(value) ?? [];
  return scheme + shownHost(host) + shownPath(rest);
}
