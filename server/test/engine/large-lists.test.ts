import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DimensionName } from '@trackside/contract/stats/dimensions.ts';
import { metricNames } from '@trackside/contract/stats/metrics.ts';
import fc from 'fast-check';
import { createFakeClock } from '../../src/control/test-control.ts';
import { usualListLimits } from '../../src/stats/cache/ask-lists.ts';
import { createAskInTurn } from '../../src/stats/plan/ask-in-turn.ts';
import { countTogether, createSources } from '../../src/stats/plan/plan-screen.ts';
import { dimensions } from '../../src/stats/question/dimensions.ts';
import type { Question } from '../../src/stats/question/read-question.ts';
import type { CountedRow } from '../../src/stats/sql/ask-visits.ts';
import { askOracle } from '../oracle/oracle.ts';
import { insertRecords, recordsOf, type TestRecord } from '../oracle/records.ts';
import { times } from '../support/long-form.ts';
import { openDayBuilder } from '../support/test-days.ts';
import { newWebsiteId, shareTestStore } from '../support/test-store.ts';

// Lists with more values than are kept in memory, over past days and days that may still change.

const { store } = await shareTestStore();

/** Whoever asks for yesterday waits for what has come since. */
const today = '2026-04-11';
const yesterday = '2026-04-10';
const nowMs = Date.parse(`${today}T12:00:00Z`);
const period = { from: '2026-04-01', to: yesterday };
const lists = Object.entries(dimensions).flatMap(([name, { isRolledUp }]) =>
  isRolledUp ? [name as DimensionName] : [],
);

/** Returns the records of ten days, in the order in which they were received. */
function drawRecords(seed: number): TestRecord[] {
  const calendar = {
    startMs: Date.parse(`${period.from}T00:00:00Z`),
    days: 10,
    timezones: ['UTC', 'UTC'] as [string, string],
  };
  return fc
    .sample(recordsOf(calendar), { numRuns: 8, seed })
    .flat()
    .filter(({ receivedAtMs, hasClientId, day }) => receivedAtMs <= nowMs && !hasClientId && day <= yesterday)
    .toSorted((a, b) => a.receivedAtMs - b.receivedAtMs);
}

/** How many values are kept, so that some days of a dimension have more, all of them, or only all together. */
const limits = [1, 2, 4, 8];

type By = 'visitors' | 'visits' | 'pageViews' | 'bounceRate';

const questionsOf = (limit: number, by: By, descending: boolean): Question[] =>
  lists.map((dimension) => ({
    period,
    metrics: metricNames.filter((name) => !name.startsWith('conversion')),
    dimensions: [{ dimension }],
    filters: [],
    order: [{ by, descending }],
    limit,
    offset: 0,
  }));

/** Puts rows in the order that a question asks for. Those with the same number are in the order of their bytes. */
function inOrder(rows: readonly CountedRow[], by: By, descending: boolean): CountedRow[] {
  const numberOf = ({ counts }: CountedRow) =>
    by === 'bounceRate' ? counts.bounces / counts.visits : counts[by];
  const bytesOf = ({ values }: CountedRow) => Buffer.from(values[0]!);
  return rows.toSorted(
    (a, b) =>
      (descending ? numberOf(b) - numberOf(a) : numberOf(a) - numberOf(b)) ||
      Buffer.compare(bytesOf(a), bytesOf(b)),
  );
}

const shown = (rows: readonly CountedRow[]) =>
  rows.map(({ values, counts }) => JSON.stringify({ values, counts }));

test('the top of many values is that of all records, also as more come in', async () => {
  for (let seed = 1; seed <= times(1, 40); seed += 1) {
    const records = drawRecords(seed);
    const isLate = ({ day, receivedAtMs }: TestRecord) => day === yesterday && receivedAtMs % 3 > 0;
    const early = records.filter((record) => !isLate(record));
    const late = records.filter(isLate);
    assert.ok(late.length > 0);
    const websiteId = newWebsiteId();
    const clock = createFakeClock(new Date(nowMs).toISOString());
    const days = openDayBuilder(store, { clock });
    const asked = createAskInTurn(store)({ websiteId, by: 'user' });
    const sources = limits.map((valuesOfOne) => createSources({ ...usualListLimits, valuesOfOne }));
    let loaded: TestRecord[] = [];
    for (const [at, more] of [early, late].entries()) {
      await insertRecords(store, websiteId, more, at + 1);
      loaded = [...loaded, ...more];
      clock.pass(10_000);
      const ready = await days.ready(websiteId, period, today);
      for (const [index, kept] of sources.entries()) {
        const limit = [1, 3, 100, 2][(index + seed) % 4]!;
        const by = (['visitors', 'pageViews', 'bounceRate', 'visits'] as const)[(index + seed) % 4]!;
        const descending = (index + at + seed) % 5 > 0;
        const questions = questionsOf(limit, by, descending);
        const answers = countTogether(asked, questions, ready, kept);
        for (const [place, question] of questions.entries()) {
          const { rows, totalRows, from } = await answers[place]!;
          const what = `seed ${seed}, ${JSON.stringify(question)}`;
          const expected = inOrder(askOracle(loaded, question), by, descending);
          assert.equal(from, 'rollups', what);
          assert.deepEqual(shown(rows), shown(expected).slice(0, limit), what);
          assert.equal(totalRows, expected.length, what);
        }
      }
    }
    await days.stop({ withinMs: 300_000 });
  }
});
