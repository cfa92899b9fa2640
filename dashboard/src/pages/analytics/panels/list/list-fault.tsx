import type { Fault } from '#api/fault.ts';
import { Button } from '#design/forms/button.tsx';
import { usePanelsWords } from '../panels-words.ts';

type Props = { fault: Fault; limit: number; onRetry: () => void };

/** Shown in place of a list that failed to load. It takes the space of the list. */
export function ListFault({ fault, limit, onRetry }: Props) {
  return (
    <div class="list-fault" style={{ '--rows': limit }} role="alert">
      <p>{fault.message}</p>
      <Button isSmall onClick={onRetry}>
        {usePanelsWords().list.tryAgain}
      </Button>
    </div>
  );
}
