import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { waitFor } from '../../../test/support/wait-for.ts';
import type { KeyHolders } from '../../control/nodes/key-holders.ts';
import { createTestLog, openTestControl } from '../../control/test-control.ts';
import type { Claim } from '../../intake/idempotency/idempotency-index.ts';
import { keepKeyHolders } from './keep-key-holders.ts';
import { openKeyDesk } from './open-key-desk.ts';

/** On a slow machine, nothing may be too late, so that what these tests wait for happens in any case. */
const limits = { answerMs: 300_000, followMs: 300_000, leaveMs: 300_000 };
const clock = { now: Date.now, monotonicMs: () => performance.now() / 100 };

const hash = (at: number) => Buffer.alloc(16, at);
const claimOf = (at: number): Claim => ({ hash: hash(at), bodyCrc: 0 });

/** Starts a node that has taken the records with these keys. */
async function start(t: TestContext, holders: KeyHolders, name: string, taken: number[] = []) {
  const { log } = createTestLog();
  const desk = await openKeyDesk({
    name,
    secret: 'shared',
    host: '127.0.0.1',
    port: 0,
    idempotencyIndex: { claim: async (claim) => (taken.includes(claim.hash[0]!) ? 'taken' : 'free') },
    storeWaits: undefined,
    log,
  });
  const self = { name, address: `127.0.0.1:${desk.port}` };
  const keeper = keepKeyHolders({ self, secret: 'shared', holders, onOthers() {}, clock, log, limits });
  const end = async () => {
    await keeper.stop();
    await desk.close();
  };
  t.after(end);
  await keeper.introduce();
  return {
    ask: (at: number) => keeper.ask(claimOf(at)),
    others: () =>
      keeper.others().map(({ name, leftAt, isSilent }) => ({ name, isLeft: leftAt !== null, isSilent })),
    kill: end,
    async leave() {
      await keeper.leave(Buffer.concat(taken.map(hash)));
      await end();
    },
  };
}

test('others answer in the place of a node that was stopped, and ask it when it is back', async (t) => {
  const { keyHolders: holders } = (await openTestControl(t)).control;
  const one = await start(t, holders, 'one');
  const two = await start(t, holders, 'two', [7]);
  assert.deepEqual(await Promise.all([one.ask(7), one.ask(8)]), ['taken', 'free']);

  const answers: string[] = [];
  const asking = new AbortController();
  const asked = (async () => {
    while (!asking.signal.aborted) {
      // Several at once, because a slow machine doesn't get to ask often until the stop is over.
      answers.push(...(await Promise.all([7, 8, 7, 8, 7, 8, 7, 8].map(one.ask))));
      await delay(5);
    }
  })();
  await two.leave();
  asking.abort();
  await asked;
  assert.ok(answers.length > 20);
  assert.deepEqual([...new Set(answers)].sort(), ['free', 'taken'], 'nobody noticed the stop');
  assert.deepEqual(one.others(), [{ name: 'two', isLeft: true, isSilent: false }]);

  const three = await start(t, holders, 'three');
  assert.deepEqual(
    await Promise.all([three.ask(7), three.ask(8)]),
    ['taken', 'free'],
    'a new node knows too',
  );

  await start(t, holders, 'two', [7, 9]);
  assert.deepEqual(await Promise.all([one.ask(9), three.ask(9)]), ['taken', 'taken']);
});

test('a node that was killed has to be waited for, and is named', async (t) => {
  const { keyHolders: holders } = (await openTestControl(t)).control;
  const one = await start(t, holders, 'one');
  const two = await start(t, holders, 'two', [7]);
  await two.kill();
  await waitFor('the node to be missed', () => one.others()[0]?.isSilent === true);
  assert.equal(await one.ask(8), 'away');
  await holders.remove('two');
  await waitFor('the node to be forgotten', () => one.others().length === 0);
  assert.equal(await one.ask(8), 'free');
});

test('keys that cannot be read leave the question open', async (t) => {
  const { keyHolders } = (await openTestControl(t)).control;
  let isBroken = false;
  const holders: KeyHolders = {
    ...keyHolders,
    leftKeys: async (...of) => (isBroken ? assert.fail('no database') : await keyHolders.leftKeys(...of)),
  };
  const two = await start(t, keyHolders, 'two', [7]);
  await two.leave();
  isBroken = true;
  const one = await start(t, holders, 'one');
  assert.deepEqual(await Promise.all([one.ask(7), one.ask(8)]), ['away', 'away']);
  isBroken = false;
  await waitFor('the keys to be read', async () => (await one.ask(8)) === 'free');
  assert.equal(await one.ask(7), 'taken');
});
