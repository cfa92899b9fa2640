import { type ComponentChildren, createContext } from 'preact';
import { useMemo } from 'preact/hooks';
import { useProvided } from '#browser/use-provided.ts';
import { useLocale } from '#words/words-context.ts';
import { createFormat, type Format } from './create-format.ts';
import { useFormatWords } from './format-words.ts';

const FormatContext = createContext<Format | undefined>(undefined);

/** Formats in the language of the page, and in the reader's timezone. */
export function FormatProvider({ children }: { children: ComponentChildren }) {
  const locale = useLocale();
  const words = useFormatWords();
  const format = useMemo(() => {
    const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
    return createFormat({ locale, timeZone, words });
  }, [locale, words]);
  return <FormatContext.Provider value={format}>{children}</FormatContext.Provider>;
}

export const useFormat = (): Format => useProvided(FormatContext);
