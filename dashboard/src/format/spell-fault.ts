import type { Fault } from '#api/fault.ts';
import type { Format } from './create-format.ts';
import type { FaultWords } from './fault-words.ts';

type Options = {
  words: FaultWords;
  format: Pick<Format, 'count'>;
  /** A button below the text says to try again. */
  hasRetry?: boolean | undefined;
};

/** Says in the language of the page what went wrong: by its code, or by its kind where there is none. */
export function spellFault(fault: Fault, { words, format, hasRetry }: Options): string {
  const { kind, code, message } = fault;
  if (kind === 'unreachable') return words.unreachable;
  if (kind === 'throttled') return format.count(fault.waitSeconds, words.tooManyAttempts);
  if (code === undefined) return hasRetry ? words.unknownAboveRetry : words.unknown;
  return words.byCode[code] ?? words.fromServer(message);
}
