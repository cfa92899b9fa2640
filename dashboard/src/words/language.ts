import { type Language, languages } from '@trackside/contract/app/languages.ts';

export { type Language, languages };

const defaultLocales: Readonly<Record<Language, string>> = { en: 'en-US', de: 'de-DE' };

export const isLanguage = (text: unknown): text is Language =>
  languages.some((language) => language === text);

/** The first of the browser's languages that the pages are written in. */
export function pickLanguage(browserLanguages: readonly string[]): Language {
  return browserLanguages.map(languageOf).find(isLanguage) ?? 'en';
}

/**
 * Numbers and dates are written in the language of the page, and as in the reader's country where the browser
 * names one.
 */
export function pickLocale(language: Language, browserLanguages: readonly string[]): string {
  const own = browserLanguages.find((one) => languageOf(one) === language && isKnown(one));
  return own ?? defaultLocales[language];
}

const languageOf = (tag: string) => tag.split(/[-_]/, 1)[0]?.toLowerCase();

/** Some systems report names such as en-US@posix, which `Intl` rejects. */
function isKnown(tag: string): boolean {
  try {
    return Intl.DateTimeFormat.supportedLocalesOf(tag).length > 0;
  } catch {
    return false;
  }
}
