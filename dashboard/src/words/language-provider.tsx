import { type ComponentChildren, createContext } from 'preact';
import { useCallback, useContext, useEffect, useMemo, useState } from 'preact/hooks';
import { type Language, pickLanguage, pickLocale } from './language.ts';
import { type LanguageChoice, readLanguageChoice, saveLanguageChoice } from './language-choice.ts';
import { type Translation, WordsContext } from './words-context.ts';

type LanguageState = { choice: LanguageChoice; choose: (choice: LanguageChoice) => void };

const LanguageContext = createContext<LanguageState | undefined>(undefined);

type Props = {
  /** Loads the words of each language that doesn't come with the code. */
  translations: Readonly<Record<Exclude<Language, 'en'>, () => Promise<Translation>>>;
  children: ComponentChildren;
};

/** Keeps the language of the pages, and loads its words before anything is shown in it. */
export function LanguageProvider({ translations, children }: Props) {
  const [choice, setChoice] = useState(() => readLanguageChoice(localStorage));
  const wanted = choice === 'browser' ? pickLanguage(navigator.languages) : choice;
  const [shown, setShown] = useState<{ language: Language; translation: Translation | undefined }>();

  useEffect(() => {
    let isWanted = true;
    const show = (language: Language, translation?: Translation) =>
      isWanted && setShown({ language, translation });
    if (wanted === 'en') show('en');
    else
      translations[wanted]().then(
        (translation) => show(wanted, translation),
        // Most likely a newer version was installed. English still works.
        () => show('en'),
      );
    return () => {
      isWanted = false;
    };
  }, [wanted, translations]);

  const language = shown?.language;
  useEffect(() => {
    if (language !== undefined) document.documentElement.lang = language;
  }, [language]);

  const choose = useCallback((next: LanguageChoice) => {
    saveLanguageChoice(next, localStorage);
    setChoice(next);
  }, []);
  const state = useMemo(() => ({ choice, choose }), [choice, choose]);
  const words = useMemo(
    () => shown && { ...shown, locale: pickLocale(shown.language, navigator.languages) },
    [shown],
  );
  if (words === undefined) return null;
  return (
    <LanguageContext.Provider value={state}>
      <WordsContext.Provider value={words}>{children}</WordsContext.Provider>
    </LanguageContext.Provider>
  );
}

export function useLanguage(): LanguageState {
  const state = useContext(LanguageContext);
  if (state === undefined) throw new Error('expected to be inside of LanguageProvider');
  return state;
}
