import { isLanguage, type Language } from './language.ts';

/** A language, or whichever the browser asks for. */
export type LanguageChoice = Language | 'browser';

/** The choice that was made in this browser, so that the first page is already in the right language. */
export function readLanguageChoice(storage: Pick<Storage, 'getItem'>): LanguageChoice {
  try {
    const language = storage.getItem('language');
    return isLanguage(language) ? language : 'browser';
  } catch {
    return 'browser';
  }
}

export function saveLanguageChoice(
  choice: LanguageChoice,
  storage: Pick<Storage, 'setItem' | 'removeItem'>,
): void {
  try {
    if (choice === 'browser') storage.removeItem('language');
    else storage.setItem('language', choice);
  } catch {
    // Storage is disabled, so the choice lasts as long as the page.
  }
}
