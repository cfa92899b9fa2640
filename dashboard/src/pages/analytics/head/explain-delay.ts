import type { Fault } from '#api/fault.ts';
import type { HeadWords } from './head-words.ts';

/** Explains why numbers are delayed. Undefined when they aren't, or when another part of the page says so. */
export function explainDelay(fault: Fault | undefined, words: HeadWords['delay']): string | undefined {
  // The banner at the top of every page reports a lost connection.
  if (fault?.kind !== 'unavailable') return undefined;
  switch (fault.code) {
    case 'being-calculated':
      return words.calculating;
    case 'busy':
      return words.busy;
    default:
      return words.restarting;
  }
}
