import { isLanguageCode } from '@trackside/contract/tracking/field-rules.ts';

// Long enough for any browser's list; what comes after is not worth the time.
const longestHeader = 1024;

/**
 * Languages without a code of two letters that ISO 639-3 counts as part of one that has it. Intl knows most
 * of them (`cmn` is `zh`, `pes` is `fa`); these it keeps apart, though their speakers read a website in the
 * larger one.
 */
const parts: ReadonlyMap<string, string> = new Map([
  ['yue', 'zh'],
  ['wuu', 'zh'],
  ['nan', 'zh'],
  ['hak', 'zh'],
  ['ckb', 'ku'],
]);

/** The two letters of ISO 639-1 for a browser's language tag, or the fallback where there are none. */
export function readLanguage(tag: string | undefined, fallback: string): string {
  return findLanguage(tag) ?? fallback;
}

/**
 * The visitor's first choice in an Accept-Language header that has a code of two letters, or the fallback.
 */
export function readAcceptLanguage(header: string | undefined, fallback: string): string {
  let best: string | undefined;
  let bestQuality = 0;
  for (const range of (header ?? '').slice(0, longestHeader).split(',')) {
    const [tag, ...parameters] = range.split(';');
    const quality = readQuality(parameters);
    // Strictly more: of equals the first counts, and what has a quality of 0 is refused by the visitor.
    if (!(quality > bestQuality)) continue;
    const language = findLanguage(tag);
    if (language === undefined) continue;
    best = language;
    bestQuality = quality;
  }
  return best ?? fallback;
}

/**
 * A code that ISO 639-1 has is kept as it is: `nb`, `nn` and `no` are three, and which of them to add up is a
 * question for whoever reads the statistics. All others go by what Unicode says today: `iw` is `he`, `in` is
 * `id`, `ji` is `yi`,
 * `sh` is `sr`, `deu` and `ger` are `de`. `fil` has no two letters: `tl` is another language.
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

/** From 0 to 1; not a number when it is not one, and such a range is skipped. */
function readQuality(parameters: readonly string[]): number {
  const quality = parameters.find((parameter) => /^\s*q\s*=/i.test(parameter));
  if (quality === undefined) return 1;
  const text = quality.slice(quality.indexOf('=') + 1).trim();
  return /^(?:0(?:\.\d{0,9})?|1(?:\.0{0,9})?)$/.test(text) ? Number(text) : Number.NaN;
}
