import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { dataFolder } from '../../server/src/files/data-folder.ts';
import type { Trackside } from '../ingest/open-trackside.ts';
import { type Held, readProcesses } from './read-processes.ts';
import type { RecordsReport } from './send-records.ts';

/** Everything that is looked at every few seconds. */
export type Sample = {
  /** Since the start of the run. */
  atMs: number;
  node: Held;
  engine: Held;
  journalSegments: number;
  journalBytes: number;
  /** Bytes of the journal that are not in the store yet. */
  waitingBytes: number;
  /** Parts of the store that hold its rows, and parts that were merged and wait for their removal. */
  parts: number;
  oldParts: number;
  /** All files besides the segments of the journal and the store. */
  otherBytes: number;
  idempotencyKeys: number;
  engineRestarts: number;
  records: Pick<RecordsReport, 'answers' | 'p50Ms' | 'p99Ms'>;
};

const answerWithinMs = 10_000;

export async function takeSample(
  { pid, origin, dataDir, store }: Pick<Trackside, 'pid' | 'origin' | 'dataDir' | 'store'>,
  atMs: number,
  { answers, p50Ms, p99Ms }: RecordsReport,
): Promise<Sample> {
  const response = await fetch(`${origin}/metrics`, { signal: AbortSignal.timeout(answerWithinMs) });
  const text = await response.text();
  const metric = (name: string) => {
    const value = new RegExp(`^trackside_${name}(?:\\{[^}]*\\})? (\\S+)$`, 'm').exec(text)?.[1];
    if (value === undefined) throw new Error(`expected trackside_${name} among the metrics`);
    return Number(value);
  };
  const [parts] = await store.query<{ active: number; old: number }>({
    query: `
      select toUInt32(countIf(p.active)) as active, toUInt32(countIf(not p.active)) as old
      from system.parts as p where database = 'trackside'`,
  });
  return {
    atMs,
    ...readProcesses(pid),
    journalSegments: metric('journal_segments'),
    journalBytes: metric('journal_bytes'),
    waitingBytes: metric('loader_bytes_waiting'),
    parts: parts!.active,
    oldParts: parts!.old,
    otherBytes: otherBytesOf(dataDir),
    idempotencyKeys: metric('repeat_keys'),
    engineRestarts: metric('engine_restarts'),
    records: { answers, p50Ms, p99Ms },
  };
}

function otherBytesOf(dataDir: string): number {
  const { store } = dataFolder(dataDir);
  const bytesOf = (folder: string): number =>
    readdirSync(folder, { withFileTypes: true }).reduce((sum, entry) => {
      const path = join(folder, entry.name);
      if (path === store || /\.(segment|ready)$/.test(entry.name)) return sum;
      if (entry.isDirectory()) return sum + bytesOf(path);
      return sum + (statSync(path, { throwIfNoEntry: false })?.size ?? 0);
    }, 0);
  return bytesOf(dataDir);
}
