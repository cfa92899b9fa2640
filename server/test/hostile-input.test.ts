import assert from 'node:assert/strict';
import { test } from 'node:test';
import { comparePauses } from './fuzz/compare-pauses.ts';
import { fuzzCases, harmlessCases } from './fuzz/fuzz-cases.ts';
import { openFuzzServer } from './fuzz/open-fuzz-server.ts';
import { addReports, createFuzzReport, maxPauseRatio, runFuzz } from './fuzz/run-fuzz.ts';
import { times } from './support/long-form.ts';

const seed = 20_261_117;
const rounds = times(1, 10);
const casesPerRound = times(100, 2_000);
/** On a slow machine, the time of a round may be over before all are sent. */
const roundMs = times(12_000, 120_000);
const fewestCases = 60;

test('nearly valid requests get the right answer, cause no pause, and are counted once', async (t) => {
  const server = await openFuzzServer(t);
  const [hostile, harmless] = [fuzzCases(server.targets), harmlessCases(server.targets)];
  const [all, ofHostile] = [createFuzzReport(), createFuzzReport()];
  const send = async (requests: typeof hostile, first: number, cases: number) => {
    const report = await runFuzz({
      origin: server.origin,
      requests,
      seed: first,
      cases,
      untilMs: performance.now() + roundMs,
      connections: 4,
    });
    addReports(all, report);
    return report;
  };
  // The first requests compile code.
  await send(harmless, seed, casesPerRound / 2);
  const pauses = await comparePauses({
    file: server.pausesFile,
    rounds,
    sendHarmless: async (round) => void (await send(harmless, seed + round, casesPerRound / 2)),
    sendHostile: async (round) =>
      addReports(ofHostile, await send(hostile, seed + round * casesPerRound, casesPerRound)),
  });
  t.diagnostic(`${ofHostile.cases} cases: ${JSON.stringify(ofHostile.statuses)}; ${JSON.stringify(pauses)}`);
  assert.deepEqual(all.failures, []);
  assert.ok(ofHostile.cases >= fewestCases, `expected ${fewestCases} cases in time, got ${ofHostile.cases}`);
  assert.ok(
    pauses.ratio <= maxPauseRatio,
    `hostile requests kept the event loop busy for ${pauses.hostileMs} ms, others ${pauses.harmlessMs} ms`,
  );
  // The others are fewer, and may be missing among the first. A few are behind one that ends its connection.
  const isCutShort = ofHostile.cases < 0.9 * rounds * casesPerRound;
  const families = isCutShort ? ['record'] : ['record', 'batch', 'question', 'form'];
  for (const family of families)
    for (const status of [200, 400])
      assert.ok(
        (ofHostile.statuses[`${family} ${status}`] ?? 0) > 0,
        `expected some ${family} with ${status}`,
      );
  assert.equal(await server.countRows(all.accepted), all.accepted);
  assert.deepEqual(server.badLines(), []);
});
