import { useMemo } from 'preact/hooks';
import { useLocale } from '#words/words-context.ts';
import { type FormatWords, formatWords, useFormatWords } from './format-words.ts';
import { showValue } from './show-value.ts';

/** The names of codes such as countries, in the language of the page. */
export type Names = {
  country: (code: string) => string;
  language: (code: string) => string;
  channel: (code: string) => string;
  device: (code: string) => string;
  /**
   * The value of a dimension as it is shown: the name of a code, a word for an empty value, or a text in
   * readable letters that can't pass for another one.
   */
  value: (dimension: string, value: string) => string;
  /** The values whose names contain a text. Undefined for dimensions whose values are not codes. */
  search: (dimension: string, text: string) => string[] | undefined;
};

export function createNames(locale: string, words: FormatWords = formatWords): Names {
  const nameCountry = lookUp(locale, 'region', /^[A-Z]{2}$/);
  const nameLanguage = lookUp(locale, 'language', /^[a-z]{2,3}$/i);
  const weekdays = new Intl.DateTimeFormat(locale, { weekday: 'long', timeZone: 'UTC' });
  const orUnknown = (code: string) => (code === '' ? words.unknown : code);
  const lookUpIn = (known: Readonly<Record<string, string>>) => (code: string) =>
    known[code] ?? orUnknown(code);
  const nameOfNothing: Readonly<Record<string, string>> = {
    source: words.direct,
    parameterValue: words.empty,
  };

  const country = (code: string) => nameCountry(code) ?? orUnknown(code);
  // Some languages write language names in lower case, but here each name starts a line.
  const language = (code: string) => raise(nameLanguage(code) ?? orUnknown(code), locale);
  const channel = lookUpIn(words.channels);
  const device = lookUpIn(words.devices);
  const named: Readonly<Record<string, (code: string) => string>> = {
    country,
    language,
    channel,
    device,
    continent: lookUpIn(words.continents),
    visitorType: lookUpIn(words.visitorTypes),
    hour: (code) => (code === '' ? orUnknown(code) : `${code}:00`),
    // 5 January 1970 was a Monday.
    weekday: (code) =>
      /^[1-7]$/.test(code) ? weekdays.format((Number(code) + 3) * 86_400_000) : orUnknown(code),
  };
  // A code without a name is shown as it is, or with a capital.
  const isNamed = (dimension: string, code: string) =>
    named[dimension]!(code).toLowerCase() !== code.toLowerCase();
  return {
    country,
    language,
    channel,
    device,
    value: (dimension, value) =>
      named[dimension]?.(value) ??
      (value === '' ? (nameOfNothing[dimension] ?? words.unknown) : showValue(dimension, value)),
    search(dimension, text) {
      const wanted = text.trim().toLocaleLowerCase(locale);
      const placeOf = (code: string) => named[dimension]!(code).toLocaleLowerCase(locale).indexOf(wanted);
      // Names that start with the text come first.
      return codesOf[dimension]?.()
        .map((code) => ({ code, place: placeOf(code) }))
        .filter(({ code, place }) => place !== -1 && (code === '' || isNamed(dimension, code)))
        .sort((a, b) => a.place - b.place)
        .map(({ code }) => code);
    },
  };
}

const codesOf: Readonly<Record<string, () => string[]>> = {
  country: () => ['', ...pairsOf('ABCDEFGHIJKLMNOPQRSTUVWXYZ').filter(isOwnCountry)],
  language: () => ['', ...pairsOf('abcdefghijklmnopqrstuvwxyz').filter(isOwnLanguage)],
  channel: () => Object.keys(formatWords.channels),
  device: () => Object.keys(formatWords.devices),
  continent: () => ['', ...Object.keys(formatWords.continents)],
  visitorType: () => Object.keys(formatWords.visitorTypes),
  weekday: () => [...'1234567'],
};

const pairsOf = (letters: string) => [...letters].flatMap((a) => [...letters].map((b) => a + b));

/** Codes that browsers have a name for although they are not assigned to a country. */
const notCountries = /^(?:AC|CP|CQ|DG|EA|EU|EZ|IC|QO|TA|UN|XA|XB|ZZ)$/;

/** Excludes outdated codes that have a newer one. */
const isOwnCountry = (code: string) =>
  new Intl.Locale(`und-${code}`).region === code && !notCountries.test(code);
/** Languages have outdated codes too. `Intl` maps some current ones to others as well, so they are listed. */
const isOwnLanguage = (code: string) => !/^(?:bh|in|iw|ji|jw|mo|sh)$/.test(code);

/** The names in the language of the page. */
export function useNames(): Names {
  const locale = useLocale();
  const words = useFormatWords();
  return useMemo(() => createNames(locale, words), [locale, words]);
}

/** Created when the first name is needed, because few lists need both kinds. */
function lookUp(locale: string, type: 'region' | 'language', codes: RegExp) {
  let names: Intl.DisplayNames | undefined;
  return (code: string): string | undefined => {
    if (!codes.test(code)) return undefined;
    names ??= new Intl.DisplayNames([locale], { type, fallback: 'none' });
    return names.of(code);
  };
}

function raise(text: string, locale: string): string {
  const [first = '', ...rest] = text;
  return first.toLocaleUpperCase(locale) + rest.join('');
}
