import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createFakeClock } from '../control/test-control.ts';
import { countJournal } from './count-journal.ts';
import { startTestNode } from './test-intake.ts';

test('counts the records behind a place by website and month, over several segments', async (t) => {
  const clock = createFakeClock('2026-03-31T23:59:59.999Z');
  const { accept, journal } = await startTestNode(t, { clock });
  const count = async (from?: { segment: number; offset: number }) => {
    const found: string[] = [];
    for await (const { websiteId, month, records } of countJournal(journal, from))
      found.push(`${websiteId} ${month} ${records}`);
    return found;
  };
  assert.deepEqual(await count(), []);
  await Promise.all([accept({ id: 1, contingent: null }), accept({ id: 1, contingent: null })]);
  const between = journal.durable();
  await accept({ id: 2, contingent: null });
  await journal.rotate();
  clock.pass(1);
  await accept({ id: 1, contingent: null });
  assert.deepEqual(await count(), ['1 2026-03 2', '2 2026-03 1', '1 2026-04 1']);
  assert.deepEqual(await count(between), ['2 2026-03 1', '1 2026-04 1']);
  assert.deepEqual(await count(journal.durable()), []);
});
