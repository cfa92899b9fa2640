import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openFuzzTargets } from './fuzz/fuzz-targets.ts';
import { runFuzz } from './fuzz/run-fuzz.ts';
import { times } from './support/long-form.ts';
import { samplePassword } from './support/route-samples.ts';
import { startTracksideHere } from './support/start-trackside.ts';
import { waitFor } from './support/wait-for.ts';

const email = 'ada@example.com';
const [cases, seed] = [times(300, 20_000), 20_261_117];
const longestMs = times(30_000, 900_000);
/** On a slow machine, the time may be over before all are sent. */
const fewestCases = 60;

test('nearly valid requests get the right answer, and what was accepted is counted once', async (t) => {
  const trackside = await startTracksideHere(t, {
    environment: { TRACKSIDE_ADMIN_EMAIL: email, TRACKSIDE_ADMIN_PASSWORD: samplePassword },
  });
  const origin = trackside.origin();
  await waitFor('the store to be set up', () => trackside.store.isMigrated());
  const { targets, websiteId } = await openFuzzTargets({ origin, email });
  const untilMs = performance.now() + longestMs;
  const report = await runFuzz({ origin, targets, seed, cases, untilMs, connections: 4 });
  t.diagnostic(`${report.cases} cases: ${JSON.stringify(report.statuses)}`);
  assert.deepEqual(report.failures, []);
  assert.ok(report.cases >= fewestCases, `expected time for ${fewestCases} cases, got ${report.cases}`);
  // The others are fewer, and may be missing among the first.
  const families = report.cases < cases ? ['record'] : ['record', 'question', 'form'];
  for (const family of families)
    for (const status of [200, 400])
      assert.ok((report.statuses[`${family} ${status}`] ?? 0) > 0, `expected some ${family} with ${status}`);
  await trackside.untilTakenUp();
  const countRows = () => trackside.countRows(`website_id = ${websiteId}`);
  await waitFor('all accepted records to be counted', async () => (await countRows()) >= report.accepted);
  assert.equal(await countRows(), report.accepted);
  assert.doesNotMatch(trackside.output(), /request failed|"level":(50|60)/);
});
