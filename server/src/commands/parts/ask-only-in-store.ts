import { existsSync } from 'node:fs';
import { dataFolder } from '../../files/data-folder.ts';
import { compareBatches } from '../../loader/compare-batches.ts';
import type { LedgerState } from '../../loader/ledger-state.ts';
import { countOnlyInStore } from '../../loader/report-gone-store.ts';
import type { CommandInput } from '../command.ts';
import { withStore } from './with-store.ts';

/** An engine takes less than that to open a store that is whole, unless the machine is very busy. */
const patience = { inUseMs: 0, readyMs: 30_000 };

/** Asks the store how many records are only there. Undefined if it can't be asked. */
export async function askOnlyInStore(
  input: CommandInput,
  ledgers: LedgerState[],
): Promise<number | undefined> {
  if (!existsSync(dataFolder(input.config.dataDir).store)) return 0;
  const count = withStore(
    input,
    async (store) => {
      let missing = 0;
      for (const { node, batches } of ledgers) {
        const { different } = await compareBatches(store, node, [...batches.values()]);
        for (const { expected, found } of different) missing += expected - found;
      }
      return (await countOnlyInStore({ store, ledgers: async () => ledgers }, missing)).rows;
    },
    patience,
  );
  return await count.catch(() => undefined);
}
