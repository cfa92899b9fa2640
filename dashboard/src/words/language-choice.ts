import { isLanguage, type Language } from './language.ts';

/** A language, or whichever the browser asks for. */
export type LanguageChoice = Language | 'browser';

/** The choice that is kept in this browser, so that the first page is already in the right language. */
export function readLanguageChoice(storage: Pick<Storage, 'getItem'>): LanguageChoice {
  try {
    const language = storage.getItem('language');
    return isLanguage(language) ? language : 'browser';
  } catch {
    return 'browser';
  }
}

/**
 * Keeps the choice of the account that is signed in. An account without one takes back only what an account
 * has chosen before.
 */
export function keepAccountLanguage(
  language: Language | null,
  storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>,
): LanguageChoice {
  try {
    if (language !== null) {
      storage.setItem('language', language);
      storage.setItem('language-from', 'account');
    } else if (storage.getItem('language-from') === 'account') {
      storage.removeItem('language');
      storage.removeItem('language-from');
    }
  } catch {
    // Storage is disabled, so the choice lasts as long as the page.
    return language ?? 'browser';
  }
  return readLanguageChoice(storage);
}
