import { openLog } from '../../node/open-log.ts';
import type { MoveStore } from '../../store/move/move-store.ts';
import { openStore } from '../../store/open-store.ts';
import type { OutsideStore } from '../../store/store-address.ts';
import type { CommandInput } from '../command.ts';
import { reachOutside, withStore } from '../parts/with-store.ts';

/**
 * Opens the store that is moved, and the target as far as that is possible without making one: the store in
 * a data folder needs an engine, which would create it.
 */
export async function withSource<T>(
  input: CommandInput,
  { isBack, outside }: { isBack: boolean; outside: OutsideStore },
  work: (from: MoveStore, to: MoveStore | undefined) => Promise<T>,
): Promise<T> {
  const log = openLog({ level: 'error', isTerminal: false, to: 'stderr' });
  const away = openStore({ outside, use: 'asking', log });
  try {
    await reachOutside(outside);
    if (isBack) return await work(away.forMove(), undefined);
    const embedded = { ...input, config: { ...input.config, clickhouseUrl: undefined } };
    return await withStore(embedded, (store) => work(store.forMove(), away.forMove()));
  } finally {
    await away.close();
  }
}
