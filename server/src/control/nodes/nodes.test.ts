import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openTestControl } from '../test-control.ts';
import { runSql } from '../test-database.ts';
import { NodeDestroyed } from './nodes.ts';

const report = (name: string, loadedTo: number, more: object = {}) => ({
  name,
  address: null,
  sharesStore: true,
  loadedTo,
  knownRevision: 0,
  holdsFrom: 0,
  ...more,
});

test('lists the nodes with what they last said, and how long ago', async (t) => {
  const { control } = await openTestControl(t);
  assert.deepEqual(await control.nodes.list(), []);
  await control.nodes.register(report('b', 50, { address: 'http://10.0.0.2:8080' }));
  await control.nodes.register(report('a', 40));
  assert.equal(await control.nodes.heartbeat(report('a', 60, { knownRevision: 7, holdsFrom: 3 })), true);
  const list = await control.nodes.list();
  assert.ok(
    list.every(({ silentMs, seenAt }) => silentMs < 60_000 && Math.abs(seenAt - Date.now()) < 60_000),
  );
  assert.deepEqual(
    list.map(({ silentMs, seenAt, hasLeft, isDestroyed, ...said }) => said),
    [
      report('a', 60, { knownRevision: 7, holdsFrom: 3 }),
      report('b', 50, { address: 'http://10.0.0.2:8080' }),
    ],
  );
});

test('the store is complete up to what the slowest node has loaded', async (t) => {
  const { control } = await openTestControl(t);
  assert.equal(await control.nodes.completeTo(), 0);
  await control.nodes.register(report('a', 100));
  await control.nodes.register(report('b', 120));
  await control.nodes.register(report('own store', 5, { sharesStore: false }));
  assert.equal(await control.nodes.completeTo(), 100);
  await control.nodes.heartbeat(report('a', 130));
  assert.equal(await control.nodes.completeTo(), 120);
  await control.nodes.heartbeat(report('a', 90));
  await control.nodes.heartbeat(report('b', 140));
  assert.equal(await control.nodes.completeTo(), 130, 'what a node has said stays true');
});

test('a node with older records takes nothing back, and learns from when it may acknowledge', async (t) => {
  const { control } = await openTestControl(t);
  await control.nodes.register(report('a', 100));
  assert.deepEqual(await control.nodes.register(report('b', 30)), { completeTo: 100 });
  await control.nodes.heartbeat(report('a', 150));
  assert.equal(await control.nodes.completeTo(), 100);
  await control.nodes.heartbeat(report('b', 149));
  assert.equal(await control.nodes.completeTo(), 149);
  assert.deepEqual(await control.nodes.register(report('a', 10)), { completeTo: 150 }, 'its own word counts');
});

test('a silent node is retired, one that is alive is not', async (t) => {
  const { control, folder } = await openTestControl(t);
  await control.nodes.register(report('a', 100));
  await control.nodes.register(report('b', 30));
  assert.equal(await control.nodes.retire('b', 60_000), 'alive');
  await runSql(folder, "update nodes set seen_at = seen_at - 60000 where name = 'b'");
  assert.equal(await control.nodes.retire('b', 60_000), 'retired');
  assert.equal(await control.nodes.retire('c', 60_000), 'unknown');
  assert.deepEqual(
    (await control.nodes.list()).map(({ hasLeft }) => hasLeft),
    [false, true],
  );
  assert.equal(await control.nodes.heartbeat(report('b', 30)), false);
  assert.equal(await control.nodes.completeTo(), 100);
  await control.nodes.register(report('b', 30));
  assert.equal(await control.nodes.completeTo(), 100, 'it comes back with older records');
});

test('a node whose journal is gone holds nothing, and never comes back', async (t) => {
  const { control } = await openTestControl(t);
  await control.nodes.register(report('a', 100, { holdsFrom: 7 }));
  await control.nodes.noteDestroyed('a');
  const read = async () => (await control.nodes.list())[0]!;
  assert.equal((await read()).isDestroyed, false, 'it runs');
  assert.equal(await control.nodes.retire('a', 0), 'retired');
  assert.equal((await read()).holdsFrom, 7, 'it may be started again');
  await control.nodes.noteDestroyed('a');
  assert.equal((await read()).isDestroyed, true);
  assert.ok((await read()).holdsFrom > Date.now(), 'no erasure is kept for it');
  assert.equal(await control.nodes.heartbeat(report('a', 120)), false);
  await assert.rejects(control.nodes.register(report('a', 120)), NodeDestroyed);
  assert.equal((await read()).isDestroyed, true);
});

test('nobody waits for a node that has left, and it counts again when it is back', async (t) => {
  const { control } = await openTestControl(t);
  await control.nodes.register(report('a', 100));
  await control.nodes.register(report('b', 90));
  await control.nodes.leave('a');
  await control.nodes.heartbeat(report('b', 200));
  assert.equal(await control.nodes.completeTo(), 200);
  await control.nodes.leave('b');
  assert.equal(await control.nodes.completeTo(), 200);
  assert.deepEqual(await control.nodes.register(report('a', 150)), { completeTo: 200 });
  await control.nodes.heartbeat(report('a', 210));
  assert.equal(await control.nodes.completeTo(), 210);
});
