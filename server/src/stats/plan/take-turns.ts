import { StoreAway } from '../faults.ts';

/** Who asks about a website: who may see it, whoever has its public link, or the live view for all who look at it. */
export type AskedBy = 'user' | 'link' | 'live';
export type Asker = { websiteId: number; by: AskedBy };

export type TurnLimits = {
  all: number;
  /** Of these, by public links: the rest is kept for others. */
  byLinks: number;
  /** Of those who may see one website. */
  ofOne: number;
  /** By the public link of one website. */
  ofLink: number;
};

type Line = { asker: Asker; running: number; waiting: (() => void)[] };

/**
 * Shares a few places out among all who ask. Whoever had a turn goes behind the others, so that a website, or its public
 * link, waits for one turn of each other asker at most, however much one of them asks for. One whose signal is aborted
 * leaves the line; what runs has to look at the signal itself.
 */
export function createTurns({ running, waiting }: { running: TurnLimits; waiting: TurnLimits }) {
  /** Those whose turn is next come first. */
  const lines = new Map<string, Line>();
  const counts = { running: { all: 0, byLinks: 0 }, waiting: { all: 0, byLinks: 0 } };

  function count(what: 'running' | 'waiting', { by }: Asker, change: 1 | -1): void {
    counts[what].all += change;
    if (by === 'link') counts[what].byLinks += change;
  }

  const hasRoom = (what: 'running' | 'waiting', { by }: Asker, own: number, limits: TurnLimits) =>
    own < (by === 'link' ? limits.ofLink : limits.ofOne) &&
    counts[what].all < limits.all &&
    (by !== 'link' || counts[what].byLinks < limits.byLinks);

  const keyOf = ({ websiteId, by }: Asker) => `${websiteId} ${by}`;

  function forgetIdle(line: Line): void {
    if (line.running === 0 && line.waiting.length === 0) lines.delete(keyOf(line.asker));
  }

  function startNext(): void {
    for (const [key, line] of lines) {
      const { asker } = line;
      if (line.waiting.length === 0 || !hasRoom('running', asker, line.running, running)) continue;
      lines.delete(key);
      lines.set(key, line);
      line.running += 1;
      count('running', asker, 1);
      count('waiting', asker, -1);
      line.waiting.shift()!();
    }
  }

  function turnIn(line: Line, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = () => {
        line.waiting.splice(line.waiting.indexOf(start), 1);
        count('waiting', line.asker, -1);
        forgetIdle(line);
        reject(signal!.reason);
      };
      const start = () => {
        signal?.removeEventListener('abort', leave);
        resolve();
      };
      line.waiting.push(start);
      count('waiting', line.asker, 1);
      signal?.addEventListener('abort', leave, { once: true });
      startNext();
    });
  }

  return async <T>(asker: Asker, work: () => Promise<T>, signal?: AbortSignal): Promise<T> => {
    signal?.throwIfAborted();
    const key = keyOf(asker);
    const line = lines.get(key) ?? { asker, running: 0, waiting: [] };
    const mayStart = line.waiting.length === 0 && hasRoom('running', asker, line.running, running);
    if (!mayStart && !hasRoom('waiting', asker, line.waiting.length, waiting))
      throw new StoreAway('the website has too many questions under way', { fault: 'busy' });
    lines.set(key, line);
    await turnIn(line, signal);
    try {
      // Between the call and this there was time to go.
      signal?.throwIfAborted();
      return await work();
    } finally {
      line.running -= 1;
      count('running', asker, -1);
      forgetIdle(line);
      startNext();
    }
  };
}

export type TakeTurns = ReturnType<typeof createTurns>;
