import { type ComponentChildren, createContext } from 'preact';
import { useCallback, useEffect, useMemo, useState } from 'preact/hooks';
import { useProvided } from '#browser/use-provided.ts';
import { type Language, pickLanguage, pickLocale } from './language.ts';
import { keepAccountLanguage, readLanguageChoice } from './language-choice.ts';
import { type Translation, WordsContext } from './words-context.ts';

/** Takes over the language of the account that is signed in. Null means that of the browser. */
type FollowAccount = (language: Language | null) => void;

const LanguageContext = createContext<FollowAccount | undefined>(undefined);

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

  const followAccount = useCallback<FollowAccount>(
    (language) => setChoice(keepAccountLanguage(language, localStorage)),
    [],
  );
  const words = useMemo(
    () => shown && { ...shown, locale: pickLocale(shown.language, navigator.languages) },
    [shown],
  );
  if (words === undefined) return null;
  return (
    <LanguageContext.Provider value={followAccount}>
      <WordsContext.Provider value={words}>{children}</WordsContext.Provider>
    </LanguageContext.Provider>
  );
}

export const useFollowAccount = (): FollowAccount => useProvided(LanguageContext);
