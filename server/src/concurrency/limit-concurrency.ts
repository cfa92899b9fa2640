/** How much work runs at once, and how much more may wait. Anything beyond that is refused. */
export type Limit = { places: number; maxWaiting: number };

/**
 * Whose work it is. Owners take turns: after its turn, an owner goes behind the others. So an owner waits for
 * at most one turn of each other owner, no matter how much they ask for.
 */
export type Owner = {
  key: string;
  /** The limit of this owner within the overall limit. */
  limit: Limit;
  /** The name of a group whose owners share a limit. */
  group?: string | undefined;
};

type RunOptions = {
  owner?: Owner;
  signal?: AbortSignal | undefined;
  /** Whether it is the next step of work that had a place before. It waits, however many others do. */
  isContinued?: boolean;
};

export type LimitedRun = {
  <T>(work: () => Promise<T>, options?: RunOptions): Promise<T>;
  /** Whether more work without an owner would be refused now. */
  isFull(): boolean;
  /** Refuses the work that is waiting and any that comes later. Resolves when nothing is running anymore. */
  close(reason: Error): Promise<void>;
};

/** There is no room for more work. */
export class LineFull extends Error {
  override name = 'LineFull';
}

type Room = Limit & { running: number; waiting: number };
type Waiter = { start: () => void; refuse: (error: unknown) => void };
/**
 * The work of one owner, in order of arrival, and the rooms in which it needs a place. Its own room is the
 * last.
 */
type Line = { key: string; rooms: readonly Room[]; own: Room; waiters: Waiter[] };

const nobody: Owner = {
  key: '',
  limit: { places: Number.POSITIVE_INFINITY, maxWaiting: Number.POSITIVE_INFINITY },
};

/**
 * Lets a few pieces of work run at once while the others wait in the order of their arrival. Work whose
 * signal is aborted leaves the line. Running work has to watch the signal itself.
 */
export function limitConcurrency(
  options: Limit & { groups?: Readonly<Record<string, Limit>>; whenFull?: () => Error },
): LimitedRun {
  const { groups = {}, whenFull = () => new LineFull('expected room for more work, got a full line') } =
    options;
  const all = createRoom(options);
  const groupRooms = new Map(Object.entries(groups).map(([name, limit]) => [name, createRoom(limit)]));
  /** The lines of all owners whose work runs or waits. The next turn belongs to the first one. */
  const lines = new Map<string, Line>();
  let closedBy: Error | undefined;
  const ended = Promise.withResolvers<void>();

  function lineOf({ key, limit, group }: Owner): Line {
    const known = lines.get(key);
    if (known !== undefined) return known;
    const own = createRoom(limit);
    const shared = group === undefined ? [] : [groupRooms.get(group)!];
    return { key, rooms: [all, ...shared, own], own, waiters: [] };
  }

  function take({ rooms }: Line): void {
    for (const room of rooms) room.running += 1;
  }

  function giveBack(line: Line): void {
    for (const room of line.rooms) room.running -= 1;
    forgetIdle(line);
    startNext();
    if (closedBy !== undefined && all.running === 0) ended.resolve();
  }

  function forgetIdle({ key, own, waiters }: Line): void {
    if (own.running === 0 && waiters.length === 0) lines.delete(key);
  }

  function goBehindOthers(line: Line): void {
    lines.delete(line.key);
    lines.set(line.key, line);
  }

  function startNext(): void {
    // A line that goes behind the others comes up again, until no line has both work and a place.
    for (const line of lines.values()) {
      if (line.waiters.length === 0 || !hasPlace(line)) continue;
      goBehindOthers(line);
      take(line);
      line.waiters[0]!.start();
    }
  }

  /** Resolves when a place has been taken. */
  function waitIn(line: Line, signal: AbortSignal | undefined): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const leave = () => {
      signal?.removeEventListener('abort', onAbort);
      line.waiters.splice(line.waiters.indexOf(waiter), 1);
      for (const room of line.rooms) room.waiting -= 1;
    };
    const waiter: Waiter = {
      start() {
        leave();
        resolve();
      },
      refuse(error) {
        leave();
        forgetIdle(line);
        reject(error);
      },
    };
    const onAbort = () => waiter.refuse(signal!.reason);
    line.waiters.push(waiter);
    for (const room of line.rooms) room.waiting += 1;
    signal?.addEventListener('abort', onAbort, { once: true });
    return promise;
  }

  async function run<T>(
    work: () => Promise<T>,
    { owner = nobody, signal, isContinued = false }: RunOptions = {},
  ): Promise<T> {
    if (closedBy !== undefined) throw closedBy;
    signal?.throwIfAborted();
    const line = lineOf(owner);
    const mayStart = line.waiters.length === 0 && hasPlace(line);
    if (!mayStart && !isContinued && !hasWaitingRoom(line)) throw whenFull();
    if (mayStart) {
      goBehindOthers(line);
      take(line);
    } else {
      if (!lines.has(line.key)) lines.set(line.key, line);
      await waitIn(line, signal);
    }
    try {
      // The signal may have been aborted between the turn and now.
      signal?.throwIfAborted();
      return await work();
    } finally {
      giveBack(line);
    }
  }

  return Object.assign(run, {
    isFull: () => !hasPlace(lineOf(nobody)) && !hasWaitingRoom(lineOf(nobody)),
    close(reason: Error): Promise<void> {
      closedBy = reason;
      for (const { waiters } of [...lines.values()]) for (const waiter of [...waiters]) waiter.refuse(reason);
      if (all.running === 0) ended.resolve();
      return ended.promise;
    },
  });
}

const createRoom = ({ places, maxWaiting }: Limit): Room => ({ places, maxWaiting, running: 0, waiting: 0 });
const hasPlace = ({ rooms }: Line) => rooms.every(({ running, places }) => running < places);
const hasWaitingRoom = ({ rooms }: Line) => rooms.every(({ waiting, maxWaiting }) => waiting < maxWaiting);
