import { shownPath } from '@trackside/contract/stats/shown-path.ts';
import type { AddressColumn } from '../../store/addresses.ts';
import type { WebsiteStore } from '../../store/website-store.ts';
import { shownHost } from '../../text/shown-host.ts';
import { type RewriteLimits, splitChanges } from './split-changes.ts';

const show: Record<AddressColumn, (address: string) => string> = { path: shownPath, host: shownHost };

/**
 * Decodes paths and hosts that an older version stored encoded, so that people can read them. Those that are
 * already decoded stay as they are, so this can be stopped at any time and started again. Returns how many
 * addresses of records have changed.
 */
export async function decodeStoredAddresses(options: {
  store: Pick<WebsiteStore, 'listMonths' | 'listEncoded' | 'rewriteAddresses'>;
  limits: RewriteLimits;
  onProgress: (month: string, changedAddresses: number) => void;
}): Promise<{ addresses: number }> {
  const { store, limits, onProgress } = options;
  let addresses = 0;

  async function decodeColumn(month: string, column: AddressColumn): Promise<void> {
    for (let after = ''; ; ) {
      const stored = await store.listEncoded({ month, column, after, limit: limits.groupsAtOnce });
      const changed = stored
        .map(({ address, records }) => ({ from: address, to: show[column](address), records }))
        .filter(({ from, to }) => from !== to);
      for (const changes of splitChanges(changed, limits, ({ from, to }) => from.length + to.length)) {
        await store.rewriteAddresses({ month, column, changes });
        addresses += changes.reduce((sum, { records }) => sum + records, 0);
        onProgress(month, addresses);
      }
      if (stored.length < limits.groupsAtOnce) return;
      after = stored.at(-1)!.address;
    }
  }

  for (const month of await store.listMonths()) {
    onProgress(month, addresses);
    await decodeColumn(month, 'path');
    await decodeColumn(month, 'host');
  }
  return { addresses };
}
