import { setTimeout as delay } from 'node:timers/promises';
import { createRandom } from '../../server/test/torture/create-random.ts';
import type { Trackside } from '../ingest/open-trackside.ts';
import { askWithToken } from './ask-with-token.ts';
import { createSeen, type Seen } from './looker.ts';
import { openDashboard } from './open-dashboard.ts';
import type { RecordsReport } from './send-records.ts';
import { startRecords } from './start-records.ts';
import { type Sample, takeSample } from './take-sample.ts';

export type SoakRun = {
  samples: Sample[];
  seen: Seen;
  totalMs: number;
  statuses: RecordsReport['statuses'];
  unanswered: number;
};

const mostSamples = 360;
const shortestPauseMs = 500;
const longestPauseMs = 5_000;

/** Sends records at a fixed rate with dashboards open, and takes samples until the time is up. */
export async function runSoak(options: {
  trackside: Pick<Trackside, 'origin' | 'pid' | 'dataDir' | 'store' | 'apiKeys' | 'websiteIds'>;
  cookie: string;
  token: string;
  perSecond: number;
  totalMs: number;
  dashboards: number;
  seed: number;
  onSample: (sample: Sample, seen: Seen) => void;
}): Promise<SoakRun> {
  const { trackside, cookie, token, perSecond, totalMs, dashboards, seed, onSample } = options;
  const { origin, apiKeys, websiteIds } = trackside;
  const pauseMs = Math.min(longestPauseMs, Math.max(shortestPauseMs, totalMs / mostSamples));
  const samples: Sample[] = [];
  const seen = createSeen();
  const stop = new AbortController();
  const { signal } = stop;
  const records = await startRecords({ origin, apiKeys, perSecond, seconds: totalMs / 1000, seed });
  const startMs = performance.now();
  const people = Array.from({ length: dashboards }, (_, at) =>
    openDashboard({ origin, websiteIds, cookie, random: createRandom(seed * 1_000 + at), seen, signal }),
  );
  const program = askWithToken({ origin, token, random: createRandom(seed), seen, signal });
  let last: RecordsReport;
  try {
    do {
      await delay(pauseMs);
      last = await records.report();
      if (last.answers === 0) continue;
      const sample = await takeSample(trackside, performance.now() - startMs, last);
      samples.push(sample);
      onSample(sample, seen);
    } while (!last.isDone);
  } finally {
    records.stop();
    stop.abort();
    await Promise.all([...people, program]);
  }
  for (const screen of seen.screens) screen.atMs -= startMs;
  return { samples, seen, totalMs, statuses: last.statuses, unanswered: last.unanswered };
}
