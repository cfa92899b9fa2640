import { setTimeout as delay } from 'node:timers/promises';
import { openLog } from '../../node/open-log.ts';
import { openOutsideHost } from '../../store/open-outside-host.ts';
import { openStore, type Store } from '../../store/open-store.ts';
import type { OutsideStore } from '../../store/store-address.ts';
import { CommandError, type CommandInput } from '../command.ts';
import { reachOutside, withOwnEngine, withStore } from '../parts/with-store.ts';

export type Sides = {
  from: Store;
  to: Store;
  /** Whether this command runs the engine of the data folder, which a server would have to wait for. */
  isOwnEngine: boolean;
};

type Options = {
  isBack: boolean;
  outside: OutsideStore;
  /** Whether this process holds the data folder, so that no server can run on it. */
  isHeld: boolean;
  /** INSERTs whose ids begin with this are killed first: an earlier run may have left one behind. */
  mark: string;
};

const quietMs = 1_000;

/** Opens both stores for one piece of work. */
export async function withSides<T>(
  input: CommandInput,
  options: Options,
  work: (sides: Sides) => Promise<T>,
): Promise<T> {
  const { isBack, outside, isHeld, mark } = options;
  const log = openLog({ level: 'error', isTerminal: false, to: 'stderr' });
  const away = openStore({ outside, use: 'asking', log });
  const embedded = { ...input, config: { ...input.config, clickhouseUrl: undefined } };
  try {
    await reachOutside(outside);
    if (!isBack) await endInserts(outside, mark);
    const both = (store: Store, isOwnEngine: boolean) =>
      work(isBack ? { from: away, to: store, isOwnEngine } : { from: store, to: away, isOwnEngine });
    if (!isBack && !isHeld) return await withStore(embedded, (store, isRunning) => both(store, !isRunning));
    const done = await withOwnEngine(embedded, async (store) => ({ result: await both(store, true) }));
    if (done !== undefined) return done.result;
    throw new CommandError('The store in the data folder is in use by another command. Try again later.');
  } finally {
    await away.close();
  }
}

/** Returns when no INSERT with the mark has been running on any host for a second. */
async function endInserts(outside: OutsideStore, mark: string): Promise<void> {
  const hosts = outside.hosts.urls.map((url) => openOutsideHost(outside, url));
  try {
    for (let quiet = 0; quiet < 2; ) {
      const running = await Promise.all(hosts.map((host) => host.killInserts(mark)));
      quiet = running.every((count) => count === 0) ? quiet + 1 : 0;
      if (quiet < 2) await delay(quietMs);
    }
  } finally {
    await Promise.all(hosts.map((host) => host.close()));
  }
}
