import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { test } from 'node:test';
import { createFakeClock } from '../../control/test-control.ts';
import { segmentPath } from '../../journal/segment-file.ts';
import { startTestNode } from '../test-intake.ts';
import { countJournal } from './count-journal.ts';

test('counts the records after a position by website and month, over several segments', async (t) => {
  const clock = createFakeClock('2026-03-31T23:59:59.999Z');
  const { accept, journal } = await startTestNode(t, { clock });
  const count = async (from?: { segment: number; offset: number }) => {
    const found: string[] = [];
    for await (const { websiteId, month, records } of countJournal(journal, from, () => assert.fail()))
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

test('a position past the end of a truncated segment counts only the segments after it', async (t) => {
  const { accept, journal } = await startTestNode(t, { clock: createFakeClock('2026-03-10T09:00:00Z') });
  await accept({ id: 1, contingent: null });
  const { segment, offset } = journal.durable();
  await journal.rotate();
  await accept({ id: 2, contingent: null });
  const found: number[] = [];
  const behind = { segment, offset: offset + 5000 };
  for await (const { websiteId } of countJournal(journal, behind, () => assert.fail())) found.push(websiteId);
  assert.deepEqual(found, [2]);
});

test('reports an unreadable segment, and counts the others', async (t) => {
  const { accept, journal } = await startTestNode(t, { clock: createFakeClock('2026-03-10T09:00:00Z') });
  await accept({ id: 1, contingent: null });
  const { segment } = journal.durable();
  await journal.rotate();
  await accept({ id: 2, contingent: null });
  await rm(segmentPath(journal.folder, segment));
  const unreadable: number[] = [];
  const found: number[] = [];
  for await (const { websiteId } of countJournal(journal, undefined, (number) => unreadable.push(number)))
    found.push(websiteId);
  assert.deepEqual({ found, unreadable }, { found: [2], unreadable: [segment] });
});
