import type { Fault } from '#api/fault.ts';
import type { FaultWords } from '#format/fault-words.ts';

type ByField = Readonly<Record<string, string | undefined>>;

/** What to say beside each field that the server refuses. The words of the form come before the server's. */
export function spellRefusedFields(
  fault: Fault,
  { refused = {}, taken = {} }: { refused?: ByField; taken?: ByField },
  words: Pick<FaultWords, 'byCode' | 'fromServer'>,
): Record<string, string> {
  const fields = fault.kind === 'invalid' ? fault.fields : {};
  const isTaken = fault.code === 'already-exists';
  const spell = (name: string, message: string) =>
    isTaken
      ? (taken[name] ?? words.byCode['already-exists'] ?? message)
      : (refused[name] ?? words.fromServer(message));
  return Object.fromEntries(Object.entries(fields).map(([name, message]) => [name, spell(name, message)]));
}
