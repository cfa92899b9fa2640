import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openTestControl } from '../test-control.ts';
import { runSql } from '../test-database.ts';

const leaseMs = 60_000;

test('one node at a time is the owner, and each new owner has a higher fence', async (t) => {
  const { control, folder } = await openTestControl(t);
  const { ownership } = control;
  const take = (node: string, fence?: number, more = {}) => ownership.take({ node, fence, leaseMs, ...more });
  assert.equal(await ownership.owner(leaseMs), undefined);
  assert.equal(await take('a'), 1);
  assert.equal(await take('b'), undefined);
  assert.equal(await take('a', 1), 1);
  assert.equal((await ownership.owner(leaseMs))?.node, 'a');
  await runSql(folder, 'update control_state set owner_renewed_at = owner_renewed_at - 60001');
  assert.equal(await ownership.owner(leaseMs), undefined);
  assert.equal(await take('b'), 2, 'the owner was silent');
  assert.equal(await take('a', 1), undefined, 'it wakes up, and is no longer the owner');
  assert.equal(await take('b'), 3, 'another process of the same node is another owner');
  assert.equal(await take('b', 3, { above: 40 }), 41, 'the store knows a higher fence');
  assert.equal(await take('command', undefined, { isForced: true }), 42);
  await ownership.release(41);
  assert.equal(await take('b', 41), undefined, 'only the owner can give it up');
  await ownership.release(42);
  assert.equal(await take('b', 41), 43);
});

test('of nodes that take over at the same moment, one becomes the owner', async (t) => {
  const { control } = await openTestControl(t);
  const names = Array.from({ length: 8 }, (_, at) => `n${at}`);
  const fences = await Promise.all(
    names.map((node) => control.ownership.take({ node, fence: undefined, leaseMs })),
  );
  assert.deepEqual(
    fences.filter((fence) => fence !== undefined),
    [1],
  );
});

test('a request for days is there until it is done', async (t) => {
  const { control } = await openTestControl(t);
  const { wantedBuilds } = control;
  const wanted = { websiteId: 1, from: '2026-03-01', to: '2026-03-10', kind: 'refresh' as const };
  const id = await wantedBuilds.add(wanted);
  const other = await wantedBuilds.add(wanted);
  assert.deepEqual((await wantedBuilds.list()).map((one) => one.id).toSorted(), [id, other].toSorted());
  assert.equal(await wantedBuilds.isDone(id), false);
  await wantedBuilds.remove(id);
  assert.deepEqual(await wantedBuilds.list(), [{ id: other, ...wanted }]);
  assert.equal(await wantedBuilds.isDone(id), true);
  await wantedBuilds.clearOlderThan(60_000);
  assert.equal((await wantedBuilds.list()).length, 1);
  await wantedBuilds.clearOlderThan(-1);
  assert.deepEqual(await wantedBuilds.list(), []);
});
