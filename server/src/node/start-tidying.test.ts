import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { hourMs, hourOf, type TallyRows } from '../control/tally/tally-rows.ts';
import { createFakeClock, createTestLog, openTestControl } from '../control/test-control.ts';
import { startTidying } from './start-tidying.ts';

const all = [0, Number.MAX_SAFE_INTEGER] as const;
const minutes = 60_000;

/** Control with a count that is too old, and a stream whose numbers are. */
async function start(t: TestContext) {
  const clock = createFakeClock('2026-03-10T09:00:00Z');
  const { control } = await openTestControl(t, { clock });
  const place = (hoursAgo: number) => ({
    ...{ websiteId: 1, key: 'k', release: '' },
    hour: hourOf(clock.now()) - hoursAgo * hourMs,
  });
  const rows: TallyRows = {
    counts: [{ ...place(401 * 24), outcome: 'refused', isNumbered: false, records: 5 }],
    refusals: [],
    numbers: [{ ...place(80), stream: 's', arrivals: 1, numbers: { accepted: [[1, 1]] } }],
  };
  await control.usage.checkpoint({
    ...{ node: 'a', position: { segment: 1, offset: 1 }, settled: [] },
    tally: { number: 1, keys: [], rows },
  });
  t.mock.timers.enable({ apis: ['setTimeout', 'setInterval'] });
  const { log, messages } = createTestLog();
  return {
    control,
    messages,
    start: () => startTidying({ control, clock, clockSettleMs: 10 * minutes, log }),
    pass(ms: number): void {
      clock.pass(ms);
      t.mock.timers.tick(ms);
    },
    async counts(): Promise<string[]> {
      const { counts } = await control.tallies.read(1, ...all);
      return counts.map(({ outcome, records }) => `${outcome} ${records}`).sort();
    },
  };
}

test('tidies up soon after the start', async (t) => {
  const { start: startNow, pass, counts } = await start(t);
  const tidying = startNow();
  pass(14 * minutes);
  assert.deepEqual(await counts(), ['refused 5']);
  pass(minutes);
  const untilMs = performance.now() + 300_000;
  while ((await counts()).join() !== 'accepted 1' && performance.now() < untilMs)
    await new Promise<void>((resolve) => setImmediate(resolve));
  await tidying.stop();
  assert.deepEqual(await counts(), ['accepted 1']);
});

test('removes what is old even if numbers cannot be counted for good', async (t) => {
  const { control, messages, start: startNow, pass, counts } = await start(t);
  control.tallies.fold = () => Promise.reject(new Error('a stream cannot be read'));
  const tidying = startNow();
  pass(15 * minutes);
  await tidying.stop();
  assert.deepEqual(await counts(), []);
  assert.match(JSON.stringify(messages), /cannot count the numbers/);
});
