import type { Fault } from '#api/fault.ts';
import { Button } from '#design/forms/button.tsx';
import { useSpellFault } from '#format/use-spell-fault.ts';
import { usePanelsWords } from '../panels-words.ts';

type Props = { fault: Fault; limit: number; onRetry: () => void };

/** Shown in place of a list that failed to load. It takes the space of the list. */
export function ListFault({ fault, limit, onRetry }: Props) {
  const spellFault = useSpellFault({ hasRetry: true });
  return (
    <div class="list-fault" style={{ '--rows': limit }} role="alert">
      <p>{spellFault(fault)}</p>
      <Button isSmall onClick={onRetry}>
        {usePanelsWords().list.tryAgain}
      </Button>
    </div>
  );
}
