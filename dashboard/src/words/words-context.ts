import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Language } from './language.ts';

/** The catalogues of a language other than English, by their names. */
export type Translation = Readonly<Record<string, unknown>>;

type Words = { language: Language; locale: string; translation: Translation | undefined };

export const WordsContext = createContext<Words>({ language: 'en', locale: 'en-US', translation: undefined });

/**
 * Makes the hook that returns the words of a catalogue in the language of the page. The English ones come
 * with the code that needs them; those of other languages are loaded in one file when they are chosen.
 */
export function createUseWords<Catalogue>(name: string, english: Catalogue): () => Catalogue {
  return () => (useContext(WordsContext).translation?.[name] as Catalogue | undefined) ?? english;
}

export const useLocale = (): string => useContext(WordsContext).locale;
