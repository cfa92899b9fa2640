/** What two nodes do to one database at the same moment. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { maxGoals } from '@trackside/contract/app/limits.ts';
import { ControlError } from './database/control-error.ts';
import type { WritableControl } from './open-control.ts';
import { createFakeClock, openTestControl } from './test-control.ts';

const aTest = { domain: 'a.test', timezone: 'UTC', contingent: null };

async function openBoth(t: TestContext) {
  const clock = createFakeClock('2026-03-10T09:00:00Z');
  const hasOwnThread = true;
  const { control: one, folder } = await openTestControl(t, { clock, hasOwnThread });
  const { control: other } = await openTestControl(t, { folder, clock, hasOwnThread });
  await one.websites.add(aTest);
  return { clock, nodes: [one, other] as const };
}

/** Runs it on both nodes, several times each, all at once. Returns the result of each. */
async function race<T>(
  nodes: readonly WritableControl[],
  work: (node: WritableControl, at: number) => Promise<T>,
): Promise<{ done: T[]; refused: string[] }> {
  const times = Array.from({ length: 6 }, (_, at) => work(nodes[at % nodes.length]!, at));
  const settled = await Promise.allSettled(times);
  const done: T[] = [];
  const refused: string[] = [];
  for (const one of settled) {
    if (one.status === 'fulfilled') done.push(one.value);
    else if (one.reason instanceof ControlError) refused.push(one.reason.reason);
    else throw one.reason;
  }
  return { done, refused };
}

test('of keys that are created at once, one is left, and it is the one that is shown', async (t) => {
  const { nodes } = await openBoth(t);
  const { done } = await race(nodes, (node) => node.websites.regenerateKey(1));
  assert.equal(done.length, 6);
  const [row] = await nodes[1].websites.cacheRows();
  assert.equal(row?.keys.length, 1);
  const shown = await nodes[0].websites.apiKey(1);
  assert.equal(done.filter(({ apiKey }) => apiKey === shown).length, 1);
});

test('with a grace period, at most one old key is left', async (t) => {
  const { nodes } = await openBoth(t);
  await race(nodes, (node) => node.websites.regenerateKey(1, { keepOldMs: 60_000 }));
  const [row] = await nodes[0].websites.cacheRows();
  assert.deepEqual(row?.keys.map(({ expiresAt }) => expiresAt === null).toSorted(), [false, true]);
});

test('of simultaneous changes to the same version, one succeeds', async (t) => {
  const { nodes } = await openBoth(t);
  const { done, refused } = await race(nodes, (node, at) =>
    node.websites.update(1, { version: 1, name: `Name ${at}` }),
  );
  assert.equal(done.length, 1);
  assert.deepEqual(new Set(refused), new Set(['conflict']));
  assert.equal((await nodes[1].websites.find('1'))?.name, done[0]?.name);
});

test('of websites with the same domain, one is added, and ids are used once', async (t) => {
  const { nodes } = await openBoth(t);
  const same = await race(nodes, (node) => node.websites.add({ ...aTest, domain: 'b.test' }));
  assert.deepEqual([same.done.length, same.refused.length], [1, 5]);
  const others = await race(nodes, (node, at) => node.websites.add({ ...aTest, domain: `c${at}.test` }));
  assert.equal(new Set(others.done.map(({ website }) => website.id)).size, 6);
});

test('every change raises the revision by one', async (t) => {
  const { nodes } = await openBoth(t);
  const before = await nodes[0].revision();
  await race(nodes, (node, at) => node.websites.update(1, { name: `Name ${at}` }));
  assert.equal(await nodes[1].revision(), before + 6);
  assert.equal((await nodes[0].websites.find('1'))?.version, 7);
});

test('switching a link on several times at once creates one link', async (t) => {
  const { nodes } = await openBoth(t);
  const links = await race(nodes, async (node) => {
    await node.websites.setShare(1, 'on');
    return await node.websites.shareToken(1);
  });
  assert.equal(new Set(links.done).size, 1);
});

test('no list exceeds its limit, or has the same item twice', async (t) => {
  const { nodes } = await openBoth(t);
  for (let at = 0; at < maxGoals - 2; at++)
    await nodes[0].goals.add(1, { name: null, goal: { page: `/${at}` } });
  const same = await race(nodes, (node) => node.goals.add(1, { name: null, goal: { page: '/same' } }));
  assert.deepEqual([same.done.length, new Set(same.refused)], [1, new Set(['already-exists'])]);
  const last = await race(nodes, (node, at) => node.goals.add(1, { name: null, goal: { page: `/x${at}` } }));
  assert.deepEqual([last.done.length, new Set(last.refused)], [1, new Set(['invalid'])]);
  const segment = { name: 'Phones', filters: [], userId: null };
  const named = await race(nodes, (node) => node.savedSegments.add(1, segment));
  assert.deepEqual([named.done.length, named.refused.length], [1, 5]);
});

test('the last admin stays, whoever is demoted or removed at once', async (t) => {
  const { nodes } = await openBoth(t);
  for (let at = 0; at < 6; at++)
    await nodes[0].users.add({ email: `${at}@example.com`, password: 'tea at eleven', role: 'admin' });
  const { refused } = await race(nodes, (node, at) =>
    at < 3 ? node.users.update(at + 1, { role: 'viewer' }) : node.users.remove(at + 1),
  );
  assert.deepEqual(refused, ['not-allowed']);
  const admins = (await nodes[1].users.list()).filter(({ role }) => role === 'admin');
  assert.equal(admins.length, 1);
});

test('what is added to a website while it is being removed goes with it, or is refused', async (t) => {
  const { nodes } = await openBoth(t);
  await nodes[0].deletions.begin(1);
  const note = { day: '2026-03-10', text: 'Relaunch', author: 'ada@example.com' };
  const { refused } = await race(nodes, async (node, at) => {
    if (at === 0) await node.deletions.finish(1);
    else if (at < 3) await node.notes.add(1, note);
    else await node.erasures.add(1, String(at));
  });
  assert.ok(refused.every((reason) => reason === 'not-found'));
  assert.equal(await nodes[1].websites.find('1'), undefined);
  assert.deepEqual(await nodes[1].notes.list(1), []);
});

test('an erasure that is requested again while it is being finished stays unfinished', async (t) => {
  const { nodes, clock } = await openBoth(t);
  const first = await nodes[0].erasures.add(1, '7');
  clock.pass(1);
  await race(nodes, async (node, at) => {
    if (at % 2 === 0) await node.erasures.add(1, '7');
    else await node.erasures.finish(first, { records: 3 });
  });
  const again = { ...first, receivedBefore: clock.now() };
  assert.equal(await nodes[0].erasures.result(again), undefined);
  assert.equal(await nodes[1].erasures.finish(again, { records: 4 }), true);
  assert.equal(await nodes[0].erasures.finish(again, { records: 5 }), false);
  assert.deepEqual(await nodes[0].erasures.result(again), { records: 4 });
});

test('a node never reads a half-written checkpoint', async (t) => {
  const { nodes } = await openBoth(t);
  const write = (records: number) =>
    nodes[0].usage.checkpoint({
      node: 'n1',
      position: { segment: records, offset: records },
      settled: [{ websiteId: 1, month: '2026-03', records }],
    });
  await write(0);
  let isWriting = true;
  const writing = (async () => {
    for (let at = 1; at <= 10; at++) await write(at);
    isWriting = false;
  })();
  while (isWriting) {
    const { position, settled } = await nodes[1].usage.read('n1');
    assert.equal(position?.segment, settled[0]?.records);
  }
  await writing;
});
