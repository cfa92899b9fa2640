import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Format } from './create-format.ts';

export const FormatContext = createContext<Format | undefined>(undefined);

export function useFormat(): Format {
  const format = useContext(FormatContext);
  if (format === undefined) throw new Error('expected to be inside of FormatContext');
  return format;
}
