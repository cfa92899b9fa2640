import { setImmediate as nextTurn } from 'node:timers/promises';
import { demoNode as node } from '../records/demo-marks.ts';
import { recordColumns } from '../records/record-columns.ts';
import type { Store } from '../store/open-store.ts';
import type { Demo } from './create-demo.ts';
import { createRowWriter, type DemoWebsite } from './create-row-writer.ts';

export type FillProgress = { daysDone: number; days: number; records: number };

const columns = ['node', 'batch', ...recordColumns];
/** This many rows take a millisecond or two. Then a piece of the last batch is sent to the engine. */
const rowsPerTurn = 100;
/** Gives each website its own range of batch numbers. */
const batchesPerWebsite = 1_000_000;

/** Writes a demo's records to the store, in batches that each lie in one month. */
export async function fillWebsite(options: {
  store: Pick<Store, 'insertBatch'>;
  website: DemoWebsite;
  demo: Demo;
  seed: number;
  maxBatchRows: number;
  onProgress: (progress: FillProgress) => void;
}): Promise<{ records: number; batches: number }> {
  const { store, website, demo, maxBatchRows, onProgress } = options;
  const writeRow = createRowWriter(website, options.seed);
  const firstBatch = website.id * batchesPerWebsite;
  let batch = firstBatch;
  let lines: string[] = [];
  let month = '';
  let records = 0;
  let inserting: Promise<void> = Promise.resolve();

  /** Continues while the engine takes the batch. The next call waits for that, and throws if it failed. */
  async function insert(): Promise<void> {
    await inserting;
    if (lines.length === 0) return;
    const body = Buffer.from(`${lines.join('\n')}\n`);
    inserting = store.insertBatch({ columns, body, rows: lines.length, queryId: `${node}-${batch}` });
    inserting.catch(() => {});
    batch += 1;
    lines = [];
  }

  for (const day of demo.days) {
    if (!day.day.startsWith(month)) await insert();
    month = day.day.slice(0, 7);
    for (const record of demo.recordsOf(day)) {
      if (lines.length === maxBatchRows) await insert();
      lines.push(`["${node}",${batch},${writeRow(record).slice(1)}`);
      records += 1;
      if (records % rowsPerTurn === 0) await nextTurn();
    }
    onProgress({ daysDone: day.index + 1, days: demo.days.length, records });
  }
  await insert();
  await inserting;
  return { records, batches: batch - firstBatch };
}
