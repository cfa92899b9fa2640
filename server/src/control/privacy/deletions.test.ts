import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ControlError } from '../database/control-error.ts';
import { createFakeClock, openTestControl } from '../test-control.ts';

const input = { domain: 'example.com', timezone: 'UTC', contingent: 10 };
const startMs = Date.parse('2026-03-10T09:00:00Z');

test('marks a website once, whatever happens later', async (t) => {
  const clock = createFakeClock('2026-03-10T09:00:00Z');
  const { control } = await openTestControl(t, { clock });
  const { website } = await control.websites.add(input);
  assert.equal(website.deletingSince, null);
  const revision = await control.revision();
  const begun = { id: 1, domain: 'example.com', deletingSince: startMs };
  assert.deepEqual(await control.deletions.begin(1), begun);
  assert.ok((await control.revision()) > revision);
  clock.pass(60_000);
  assert.deepEqual(await control.deletions.begin(1), begun);
  const found = await control.websites.find('example.com');
  assert.equal(found?.deletingSince, startMs);
  assert.ok(found.version > website.version);
});

test('finishing removes the website with everything that belongs to it, and nothing of another one', async (t) => {
  const { control } = await openTestControl(t);
  await control.websites.add(input);
  await control.websites.add({ ...input, domain: 'other.example' });
  const settled = [1, 2].map((websiteId) => ({ websiteId, month: '2026-03', records: 5 }));
  await control.usage.checkpoint({ node: 'n1', position: { segment: 1, offset: 1 }, settled });
  for (const id of [1, 2]) {
    await control.readTokens.add(id, 'a token');
    await control.erasures.add(id, '7');
    await control.notes.add(id, { day: '2026-03-01', text: 'a note', author: 'ada@example.com' });
    await control.savedFunnels.add(id, {
      name: 'a funnel',
      steps: [{ page: '/' }, { page: '/done' }],
      withinDays: null,
    });
    await control.savedSegments.add(id, {
      name: 'a segment',
      filters: [{ dimension: 'country', is: 'DE' }],
      userId: null,
    });
    await control.goals.add(id, { name: null, goal: { page: '/done' } });
  }
  await control.deletions.begin(1);
  await control.deletions.finish(1);
  assert.deepEqual(
    (await control.websites.cacheRows()).map(({ website, keys }) => [website.id, keys.length]),
    [[2, 1]],
  );
  assert.deepEqual(
    (await control.readTokens.list()).map(({ websiteId }) => websiteId),
    [2],
  );
  for (const kept of [control.notes, control.savedFunnels, control.savedSegments, control.goals])
    assert.deepEqual([(await kept.list(1)).length, (await kept.list(2)).length], [0, 1]);
  assert.deepEqual(
    (await control.erasures.list()).map(({ websiteId }) => websiteId),
    [2],
  );
  assert.deepEqual(
    [await control.usage.usedOf(1, '2026-03'), await control.usage.usedOf(2, '2026-03')],
    [0, 5],
  );
  // Its id is never used again, because the journal may still have records of it.
  assert.equal((await control.websites.add(input)).website.id, 3);
});

test('refuses to finish a deletion that has not begun', async (t) => {
  const { control } = await openTestControl(t);
  await control.websites.add(input);
  await control.erasures.add(1, '7');
  await assert.rejects(control.deletions.finish(1), /expected its deletion to have begun/);
  assert.equal((await control.websites.list()).length, 1);
  assert.equal((await control.erasures.list()).length, 1);
});

test('reports a website that does not exist', async (t) => {
  const { control } = await openTestControl(t);
  await assert.rejects(
    control.deletions.begin(9),
    (error) => error instanceof ControlError && error.reason === 'not-found',
  );
  await control.deletions.finish(9);
});
