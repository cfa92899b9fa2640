import { StoreAway } from '../faults.ts';

type Line = { running: number; waiting: (() => void)[] };

/**
 * Runs no more than so many pieces of work of one owner at a time; the others wait in their order, and no more than so many.
 * One whose signal is aborted leaves the line; what runs has to look at the signal itself.
 */
export function createTurns({ atOnce, maxWaiting }: { atOnce: number; maxWaiting: number }) {
  const owners = new Map<number, Line>();

  return async <T>(owner: number, work: () => Promise<T>, signal?: AbortSignal): Promise<T> => {
    signal?.throwIfAborted();
    const line = owners.get(owner) ?? { running: 0, waiting: [] };
    owners.set(owner, line);
    if (line.running < atOnce) line.running += 1;
    else if (line.waiting.length < maxWaiting) await turnIn(line, signal);
    else throw new StoreAway('the website has too many questions under way');
    try {
      // Between the call and this there was time to go.
      signal?.throwIfAborted();
      return await work();
    } finally {
      const next = line.waiting.shift();
      // Who is next takes over the place, so that nobody who comes now gets in between.
      if (next !== undefined) next();
      else {
        line.running -= 1;
        if (line.running === 0) owners.delete(owner);
      }
    }
  };
}

export type TakeTurns = ReturnType<typeof createTurns>;

function turnIn(line: Line, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const leave = () => {
      line.waiting.splice(line.waiting.indexOf(start), 1);
      reject(signal!.reason);
    };
    const start = () => {
      signal?.removeEventListener('abort', leave);
      resolve();
    };
    line.waiting.push(start);
    signal?.addEventListener('abort', leave, { once: true });
  });
}
