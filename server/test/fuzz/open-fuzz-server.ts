import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { samplePassword } from '../support/route-samples.ts';
import { startTrackside } from '../support/start-trackside.ts';
import { waitFor } from '../support/wait-for.ts';
import { openFuzzTargets } from './fuzz-targets.ts';

const email = 'ada@example.com';

/** Starts a server that notes the turns of its event loop, with everything that can be asked. */
export async function openFuzzServer(t: { after(cleanUp: () => Promise<void>): void }) {
  const folder = await mkdtemp(join(tmpdir(), 'trackside-fuzz-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const pausesFile = join(folder, 'pauses');
  const trackside = await startTrackside(t, {
    environment: {
      TRACKSIDE_ADMIN_EMAIL: email,
      TRACKSIDE_ADMIN_PASSWORD: samplePassword,
      FUZZ_PAUSES_FILE: pausesFile,
    },
    nodeArguments: ['--import', import.meta.resolve('./watch-pauses.ts')],
  });
  const origin = trackside.origin();
  await waitFor('the store to be set up', () => trackside.store.isMigrated());
  const { targets, websiteId } = await openFuzzTargets({ origin, email });
  return {
    origin,
    targets,
    pausesFile,
    hasEnded: trackside.hasEnded,
    /** Lines of the log that no request may cause. */
    badLines: () =>
      trackside
        .output()
        .split('\n')
        .filter((line) => /"level":(50|60)|request failed/.test(line)),
    /** Returns how many records of the fuzzed website are in the store, once there are this many. */
    async countRows(expected: number): Promise<number> {
      const count = () => trackside.countRows(`website_id = ${websiteId}`);
      await trackside.untilTakenUp();
      await waitFor('all accepted records to be counted', async () => (await count()) >= expected);
      return await count();
    },
    /** Returns how many rows there are beyond one for each record. */
    async countRepeatedRows(): Promise<number> {
      const [row] = await trackside.store.query<{ repeated: number }>({
        query: `
          select toUInt32(count() - uniqExact(batch, received_at, received_order)) as repeated
          from records where website_id = ${websiteId}`,
      });
      return row!.repeated;
    },
  };
}
