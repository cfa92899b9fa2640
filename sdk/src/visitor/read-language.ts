import { isLanguageCode } from '@trackside/contract/tracking/field-rules.ts';

// Long enough for any browser's list. The rest is ignored.
const longestHeader = 1024;

/**
 * Languages without a two-letter code that ISO 639-3 counts as part of a language that has one. Intl knows
 * most of them (`cmn` is `zh`, `pes` is `fa`). It keeps these apart, although their speakers read websites in
 * the larger language.
 */
const parts: ReadonlyMap<string, string> = new Map([
  ['yue', 'zh'],
  ['wuu', 'zh'],
  ['nan', 'zh'],
  ['hak', 'zh'],
  ['ckb', 'ku'],
]);

/** Returns the two letters of ISO 639-1 for a browser's language tag, or the fallback if there are none. */
export function readLanguage(tag: string | undefined, fallback: string): string {
  return findLanguage(tag) ?? fallback;
}

/**
 * Returns the visitor's first choice in an Accept-Language header that has a two-letter code, or the
 * fallback.
 */
export function readAcceptLanguage(header: string | undefined, fallback: string): string {
  let best: string | undefined;
  let bestQuality = 0;
  for (const range of (header ?? '').slice(0, longestHeader).split(',')) {
    const [tag, ...parameters] = range.split(';');
    const quality = readQuality(parameters);
    // Strictly greater: the first of equals counts, and the visitor refuses a language with a quality of 0.
    if (!(quality > bestQuality)) continue;
    const language = findLanguage(tag);
    if (language === undefined) continue;
    best = language;
    bestQuality = quality;
  }
  return best ?? fallback;
}

/**
 * Returns the two-letter code of a tag. A code of ISO 639-1 is kept as it is: `nb`, `nn` and `no` are three
 * codes, and the reader of the statistics decides which of them to add up. All others follow Unicode: `iw` is
 * `he`, `in` is `id`, `ji` is `yi`, `sh` is `sr`, `deu` and `ger` are `de`. `fil` has no two-letter code:
 * `tl` is another language.
 */
function findLanguage(tag: string | undefined): string | undefined {
  const primary = /^\s*([a-z]{2,3})(?![a-z\d])/i.exec(tag ?? '')?.[1]?.toLowerCase();
  if (primary === undefined) return undefined;
  if (isLanguageCode(primary)) return primary;
  const known = parts.get(primary) ?? canonicalLanguage(primary);
  return known !== undefined && isLanguageCode(known) ? known : undefined;
}

function canonicalLanguage(primary: string): string | undefined {
  try {
    return Intl.getCanonicalLocales(primary)[0]?.split('-')[0];
  } catch {
    return undefined;
  }
}

/** Returns a quality from 0 to 1, or NaN if it is invalid. Such a range is skipped. */
function readQuality(parameters: readonly string[]): number {
  const quality = parameters.find((parameter) => /^\s*q\s*=/i.test(parameter));
  if (quality === undefined) return 1;
  const text = quality.slice(quality.indexOf('=') + 1).trim();
  return /^(?:0(?:\.\d{0,9})?|1(?:\.0{0,9})?)$/.test(text) ? Number(text) : Number.NaN;
}
