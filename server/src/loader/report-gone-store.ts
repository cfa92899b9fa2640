import type { DamageLog } from '../damage/damage-log.ts';
import { storeGoneId } from '../damage/store-gone.ts';
import type { Store } from '../store/open-store.ts';
import { type LedgerState, type OnlyInStore, rowsOf } from './ledger-state.ts';

/** One store is there in place of the other, which the journal was loaded into before. */
export type OtherStore = { before: string; now: string };

type Options = {
  store: Pick<Store, 'listParts'>;
  ledgers: () => Promise<LedgerState[]>;
  damage: Pick<DamageLog, 'report' | 'settle' | 'unforget'>;
};

/**
 * Counts the records of the store that are not in the journals: because they are older, were restored from a
 * backup, or were made up for a demo. `missing` is how many records of the journals' batches the store lacks.
 */
export async function countOnlyInStore(
  { store, ledgers }: Pick<Options, 'store' | 'ledgers'>,
  missing: number,
): Promise<OnlyInStore> {
  const parts = (await store.listParts()).filter(({ table }) => table === 'records');
  const stored = parts.reduce((sum, { rows }) => sum + rows, 0);
  const read = await ledgers();
  return {
    rows: Math.max(0, stored + missing - countInJournals(read)),
    forgottenThen: countForgotten(read),
  };
}

/**
 * How many records only the store has now, by what the first worker has counted for all of them. Undefined if it
 * never has.
 */
export function onlyInStoreNow(ledgers: readonly LedgerState[]): number | undefined {
  const counted = ledgers[0]?.onlyInStore;
  if (counted === undefined) return undefined;
  const { rows, forgottenThen = Number.POSITIVE_INFINITY } = counted;
  return rows + Math.max(0, countForgotten(ledgers) - forgottenThen);
}

function countForgotten(ledgers: readonly LedgerState[]): number {
  return ledgers.reduce((sum, { forgotten }) => sum + forgotten.rows, 0);
}

export function countInJournals(ledgers: readonly LedgerState[]): number {
  const batches = ledgers.flatMap((ledger) => [...ledger.batches.values()]);
  return batches.reduce((sum, batch) => sum + rowsOf(batch), 0);
}

/**
 * Reports records that are lost because the store is gone, until it is back or an operator accepts that. If the
 * other store has records, it was moved, or put back.
 */
export async function reportGoneStore(
  { store, ledgers, damage }: Options,
  { before, now }: OtherStore,
): Promise<void> {
  const backId = storeGoneId(now);
  await damage.settle(({ id }) => id === backId);
  await damage.unforget(backId);
  if ((await store.listParts()).some(({ table }) => table === 'records')) return;
  const read = await ledgers();
  const lost = onlyInStoreNow(read) ?? countForgotten(read);
  if (lost === 0) return;
  const id = storeGoneId(before);
  await damage.report({
    id,
    kind: 'store-gone',
    says:
      `about ${lost.toLocaleString('en-US')} ${lost === 1 ? 'record is' : 'records are'} lost: the store was ` +
      'missing, so a new one was created, and they were not in the journal, from which it is filled',
    todo:
      'stop the server and put the folder `store` back, or restore a backup into a new data folder, ' +
      `or accept it with trackside doctor --forget ${id}`,
  });
}
