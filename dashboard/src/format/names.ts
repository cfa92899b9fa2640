import { channelNames } from '@trackside/contract/stats/channels.ts';
import { useMemo } from 'preact/hooks';

/** The names of codes such as countries, in the reader's language where the browser knows them. */
export type Names = {
  country: (code: string) => string;
  language: (code: string) => string;
  channel: (code: string) => string;
  device: (code: string) => string;
  /** The value of a dimension as it is shown: the name of a code, or a word for an empty value. */
  value: (dimension: string, value: string) => string;
  /** The values whose names contain a text. Undefined for dimensions whose values are not codes. */
  search: (dimension: string, text: string) => string[] | undefined;
};

const channels: Readonly<Record<string, string>> = channelNames;
const devices: Readonly<Record<string, string>> = {
  desktop: 'Desktop',
  mobile: 'Phone',
  tablet: 'Tablet',
  tv: 'TV',
  console: 'Game console',
  unknown: 'Unknown',
};
const continents: Readonly<Record<string, string>> = {
  AF: 'Africa',
  AN: 'Antarctica',
  AS: 'Asia',
  EU: 'Europe',
  NA: 'North America',
  OC: 'Oceania',
  SA: 'South America',
};
const visitorTypes: Readonly<Record<string, string>> = { new: 'New', returning: 'Returning' };
const nameOfNothing: Readonly<Record<string, string>> = { source: 'Direct', parameterValue: 'Empty' };

export function createNames(languages: readonly string[]): Names {
  const reader = languages.find(isLanguage) ?? 'en-GB';
  const nameCountry = lookUp(reader, 'region', /^[A-Z]{2}$/);
  const nameLanguage = lookUp(reader, 'language', /^[a-z]{2,3}$/i);
  const weekdays = new Intl.DateTimeFormat('en-GB', { weekday: 'long', timeZone: 'UTC' });

  const country = (code: string) => nameCountry(code) ?? orUnknown(code);
  // Some languages write language names in lower case, but here each name starts a line.
  const language = (code: string) => raise(nameLanguage(code) ?? orUnknown(code), reader);
  const channel = (code: string) => channels[code] ?? orUnknown(code);
  const device = (code: string) => devices[code] ?? orUnknown(code);
  const named: Readonly<Record<string, (code: string) => string>> = {
    country,
    language,
    channel,
    device,
    continent: (code) => continents[code] ?? orUnknown(code),
    visitorType: (code) => visitorTypes[code] ?? orUnknown(code),
    hour: (code) => (code === '' ? orUnknown(code) : `${code}:00`),
    // 5 January 1970 was a Monday.
    weekday: (code) =>
      /^[1-7]$/.test(code) ? weekdays.format((Number(code) + 3) * 86_400_000) : orUnknown(code),
  };
  return {
    country,
    language,
    channel,
    device,
    value: (dimension, value) =>
      named[dimension]?.(value) ?? (value === '' ? (nameOfNothing[dimension] ?? 'Unknown') : value),
    search(dimension, text) {
      const wanted = text.trim().toLocaleLowerCase(reader);
      const placeOf = (code: string) => named[dimension]!(code).toLocaleLowerCase(reader).indexOf(wanted);
      // Names that start with the text come first.
      return codesOf[dimension]?.()
        .map((code) => ({ code, place: placeOf(code) }))
        .filter(({ code, place }) => place !== -1 && (code === '' || named[dimension]!(code) !== code))
        .sort((a, b) => a.place - b.place)
        .map(({ code }) => code);
    },
  };
}

const codesOf: Readonly<Record<string, () => string[]>> = {
  country: () => ['', ...pairsOf('ABCDEFGHIJKLMNOPQRSTUVWXYZ').filter(isOwnCode)],
  language: () => ['', ...pairsOf('abcdefghijklmnopqrstuvwxyz')],
  channel: () => Object.keys(channels),
  device: () => Object.keys(devices),
  continent: () => ['', ...Object.keys(continents)],
  visitorType: () => Object.keys(visitorTypes),
  weekday: () => [...'1234567'],
};

const pairsOf = (letters: string) => [...letters].flatMap((a) => [...letters].map((b) => a + b));

/** Excludes outdated codes of countries that have a newer code. */
const isOwnCode = (code: string) => new Intl.Locale(`und-${code}`).region === code;

/** The names in the languages of this browser. */
export const useNames = (): Names => useMemo(() => createNames(navigator.languages), []);

/** The flag of a two-letter country code. Empty for anything else. */
export function flagOf(code: string): string {
  if (!/^[A-Z]{2}$/.test(code)) return '';
  return String.fromCodePoint(...[...code].map((letter) => 0x1f1e6 + letter.charCodeAt(0) - 65));
}

const orUnknown = (code: string) => (code === '' ? 'Unknown' : code);

/** Created when the first name is needed, because few lists need both kinds. */
function lookUp(reader: string, type: 'region' | 'language', codes: RegExp) {
  let names: Intl.DisplayNames | undefined;
  return (code: string): string | undefined => {
    if (!codes.test(code)) return undefined;
    names ??= new Intl.DisplayNames([reader], { type, fallback: 'none' });
    return names.of(code);
  };
}

function raise(text: string, reader: string): string {
  const [first = '', ...rest] = text;
  return first.toLocaleUpperCase(reader) + rest.join('');
}

/** Some systems report names such as en-US@posix, which `Intl` rejects. */
function isLanguage(language: string): boolean {
  try {
    return Intl.DisplayNames.supportedLocalesOf(language).length > 0;
  } catch {
    return false;
  }
}
