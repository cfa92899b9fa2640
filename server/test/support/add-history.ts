import type { Store } from '../../src/store/open-store.ts';
import { waitFor } from './wait-for.ts';

const columns = [
  'node',
  'batch',
  'day',
  'website_id',
  'received_at',
  'local_at',
  'kind',
  'visitor_id',
  'path',
];

/**
 * Puts records of earlier months into a store, as a server that ran then would have. Returns their paths.
 */
export async function addHistory(store: Store, websites: readonly number[]): Promise<string[]> {
  // A server that has just started makes its tables.
  await waitFor('the store to have its tables', () => store.isMigrated().catch(() => false));
  const paths: string[] = [];
  let batch = 0;
  for (const day of ['2025-02-03', '2025-02-04', '2025-12-31', '2026-01-01']) {
    batch += 1;
    const rows = websites.flatMap((website) =>
      Array.from({ length: 150 }, (_, at) => {
        const path = `/old/${website}/${day}/${at}\n"ü`;
        paths.push(path);
        const second = `${day} 10:00:${String(at % 60).padStart(2, '0')}`;
        const visitor = String(18_446_744_073_709_551_615n - BigInt(at % 7) - BigInt(website));
        return [`nold`, batch, day, website, `${second}.123`, second, 'page_view', visitor, path];
      }),
    );
    const body = Buffer.from(rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
    await store.insertBatch({ columns, body, rows: rows.length, queryId: `history-${batch}` });
  }
  return paths;
}
