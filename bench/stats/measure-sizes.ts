import type { Store } from '../../server/src/store/open-store.ts';

/** How many bytes on disk a record takes. */
export async function measureSizes(store: Store): Promise<string> {
  const rows = await store.query<{ table: string; bytes: number; rows: number }>({
    query: `
      select table, sum(bytes_on_disk) as bytes, sum(rows) as rows from system.parts
      where active and database = 'trackside' group by table order by bytes desc`,
  });
  const all = rows.find(({ table }) => table === 'records')?.rows ?? 1;
  // The days of the other websites are added up in the background, as far as there was time.
  const [built] = await store.query<{ records: number }>({
    query: 'select sum(records) as records from day_builds final',
  });
  const recordBytes = (rows.find(({ table }) => table === 'records')?.bytes ?? 0) / all;
  const others =
    rows.filter(({ table }) => table !== 'records').reduce((sum, { bytes }) => sum + bytes, 0) /
    (built?.records ?? 1);
  return (
    `bytes a record: records ${recordBytes.toFixed(1)}, visits and sums ${others.toFixed(1)}, ` +
    `together ${(recordBytes + others).toFixed(1)}`
  );
}
