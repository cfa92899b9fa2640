import { useMemo } from 'preact/hooks';

/** What the codes in the numbers are called, in the reader's language as far as the browser knows it. */
export type Names = {
  country: (code: string) => string;
  language: (code: string) => string;
  channel: (code: string) => string;
  device: (code: string) => string;
  /** The value of a dimension as it is shown: a name for a code, a word for the empty text. */
  value: (dimension: string, value: string) => string;
  /** The values whose names contain a text; undefined for dimensions whose values are their own names. */
  search: (dimension: string, text: string) => string[] | undefined;
};

const channels: Readonly<Record<string, string>> = {
  direct: 'Direct',
  search: 'Search',
  social: 'Social',
  email: 'E-mail',
  paid: 'Paid',
  referral: 'Referral',
  ai: 'AI assistants',
  internal: 'From the website itself',
};
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
  // Some languages write the names of languages small; here each one stands at the beginning of a line.
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
      // Those that begin with it come first.
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

/** Not an older code for a country that has another one by now. */
const isOwnCode = (code: string) => new Intl.Locale(`und-${code}`).region === code;

/** The names for this browser's reader. */
export const useNames = (): Names => useMemo(() => createNames(navigator.languages), []);

/** The flag of a country, of two letters that stand for it; nothing for what is no code. */
export function flagOf(code: string): string {
  if (!/^[A-Z]{2}$/.test(code)) return '';
  return String.fromCodePoint(...[...code].map((letter) => 0x1f1e6 + letter.charCodeAt(0) - 65));
}

const orUnknown = (code: string) => (code === '' ? 'Unknown' : code);

/** Made when the first name is asked for: few lists need both kinds. */
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

/** Some systems put their own names there, such as en-US@posix, which are no languages to a browser. */
function isLanguage(language: string): boolean {
  try {
    return Intl.DisplayNames.supportedLocalesOf(language).length > 0;
  } catch {
    return false;
  }
}
