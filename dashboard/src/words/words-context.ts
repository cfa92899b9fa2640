import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Language } from './language.ts';
import { nameTexts } from './name-texts.ts';

/** The catalogues of a language other than English, by their names. */
export type Translation = Readonly<Record<string, object>>;

type Words = { language: Language; locale: string; translation: Translation | undefined };

export const WordsContext = createContext<Words>({ language: 'en', locale: 'en-US', translation: undefined });

/**
 * Makes the hook that returns the words of a catalogue in the language of the page. The English ones come
 * with the code that needs them; those of other languages are loaded in one file when they are chosen.
 */
export function createUseWords<Catalogue>(name: string, english: Catalogue): () => Catalogue {
  // Done once, so that a page that shows the words again gets the same object.
  const named = new WeakMap<object, Catalogue>();
  return () => {
    const texts = useContext(WordsContext).translation?.[name];
    if (texts === undefined) return english;
    const words = named.get(texts) ?? nameTexts(english, texts);
    named.set(texts, words);
    return words;
  };
}

export const useLocale = (): string => useContext(WordsContext).locale;
