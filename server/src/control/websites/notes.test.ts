import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { maxNotes } from '@trackside/contract/app/limits.ts';
import { createFakeClock, openTestControl } from '../test-control.ts';
import { runSql } from '../test-database.ts';

const author = 'ada@example.com';

async function open(t: TestContext) {
  const clock = createFakeClock('2026-03-10T09:00:00Z');
  const { control, folder } = await openTestControl(t, { clock });
  for (const domain of ['a.test', 'b.test'])
    await control.websites.add({ domain, timezone: 'UTC', contingent: null });
  const add = (day: string, text: string, websiteId = 1) =>
    control.notes.add(websiteId, { day, text, author });
  return { clock, control, folder, notes: control.notes, add };
}

test('lists the notes of a website by day, and those of one day in the order they were written', async (t) => {
  const { clock, notes, add } = await open(t);
  assert.deepEqual(await notes.list(1), []);
  const added = await add('2026-03-03', '  New prices ');
  assert.deepEqual(added, {
    id: 1,
    day: '2026-03-03',
    text: 'New prices',
    author,
    createdAt: clock.now(),
  });
  await add('2026-03-03', 'and a letter');
  await add('2025-12-24', 'Relaunch');
  await add('2026-03-03', 'of another website', 2);
  assert.deepEqual(
    (await notes.list(1)).map(({ text }) => text),
    ['Relaunch', 'New prices', 'and a letter'],
  );
});

test('changes the day and the text of a note of the same website only, and keeps its author', async (t) => {
  const { notes, add } = await open(t);
  const note = await add('2026-03-03', 'New prices');
  const changed = { id: note.id, day: '2026-03-04', text: 'Newer prices' };
  assert.equal(await notes.change(2, changed), undefined);
  assert.deepEqual(await notes.change(1, { ...changed, text: ' Newer prices ' }), { ...note, ...changed });
  assert.deepEqual(await notes.list(1), [{ ...note, ...changed }]);
  await assert.rejects(notes.change(1, { ...changed, day: '2026-02-30' }), { reason: 'invalid' });
});

test('removes only notes of the same website, and never reuses an id', async (t) => {
  const { notes, add } = await open(t);
  const note = await add('2026-03-03', 'New prices');
  assert.equal(await notes.remove(2, note.id), undefined);
  assert.deepEqual(await notes.remove(1, note.id), note);
  assert.equal(await notes.remove(1, note.id), undefined);
  assert.equal((await add('2026-03-03', 'New prices')).id, note.id + 1);
});

test('accepts one line of 1 to 200 characters, and days of the calendar', async (t) => {
  const { notes, add } = await open(t);
  for (const [text, says] of [
    ['', /expected 1 to 200 characters, got 0/],
    [' \t ', /got 0/],
    ['x'.repeat(201), /got 201/],
    ['two\nlines', /expected one line/],
    ['\u001b[31mred', /control characters/],
    ['half a \ud83d', /control characters/],
  ] as const)
    await assert.rejects(add('2026-03-03', text), { reason: 'invalid', message: says });
  for (const day of ['', '2026-02-30', '2026-3-3', '1969-12-31', '2150-01-01', '2026-03-03T10:00', 'today'])
    await assert.rejects(add(day, 'text'), { reason: 'invalid', message: /Day: expected/ }, day);
  assert.deepEqual(await notes.list(1), []);
  assert.equal((await add('2024-02-29', '📈'.repeat(200))).day, '2024-02-29');
});

test('reports an unknown website, and too many notes', async (t) => {
  const { folder, notes, add } = await open(t);
  await assert.rejects(add('2026-03-03', 'text', 99), { reason: 'not-found' });
  await add('2026-03-03', 'the first');
  await runSql(
    folder,
    `insert into notes (id, website_id, day, text, author, created_at)
     with recursive n(i) as (select 1 union all select i + 1 from n where i < ${maxNotes - 1})
     select 1000 + i, 1, '2026-03-03', 'note', 'ada@example.com', 0 from n`,
  );
  await assert.rejects(add('2026-03-03', 'too many'), { reason: 'invalid', message: /at most 500 notes/ });
  await add('2026-03-03', 'of another website', 2);
  await notes.remove(1, 1);
  await add('2026-03-03', 'in its place');
});

test('does not raise the revision, because no node keeps notes in memory', async (t) => {
  const { control, notes, add } = await open(t);
  const before = await control.revision();
  await notes.remove(1, (await add('2026-03-03', 'text')).id);
  assert.equal(await control.revision(), before);
});
