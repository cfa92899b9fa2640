import { useCallback } from 'preact/hooks';
import type { Fault } from '#api/fault.ts';
import { useFaultWords } from './fault-words.ts';
import { useFormat } from './format-context.tsx';
import { spellFault } from './spell-fault.ts';

/** Returns `spellFault` with the words of the page: `say(spellFault(answer.fault), { isBad: true })`. */
export function useSpellFault({ hasRetry }: { hasRetry?: boolean } = {}): (fault: Fault) => string {
  const words = useFaultWords();
  const format = useFormat();
  return useCallback((fault) => spellFault(fault, { words, format, hasRetry }), [words, format, hasRetry]);
}
