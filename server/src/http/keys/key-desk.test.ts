import assert from 'node:assert/strict';
import { Agent } from 'node:http';
import { type TestContext, test } from 'node:test';
import { waitFor } from '../../../test/support/wait-for.ts';
import { createTestLog } from '../../control/test-control.ts';
import type { Claim, ClaimAnswer } from '../../intake/idempotency/idempotency-index.ts';
import type { StoreWaits } from '../../intake/store-waits.ts';
import { createHolderAsker } from './create-holder-asker.ts';
import { openKeyDesk } from './open-key-desk.ts';

type Options = {
  secret?: string;
  to?: string;
  claim?: (claim: Claim, isSenior: boolean) => Promise<ClaimAnswer>;
  storeWaits?: Pick<StoreWaits, 'wait'>;
  answerMs?: number;
};

async function open(t: TestContext, options: Options) {
  const { secret = 'shared', to = 'a', claim, storeWaits, answerMs = 300_000 } = options;
  const desk = await openKeyDesk({
    name: 'a',
    secret: 'shared',
    host: '127.0.0.1',
    port: 0,
    idempotencyIndex: { claim: claim ?? (async () => 'free') },
    storeWaits,
    log: createTestLog().log,
  });
  const agent = new Agent({ keepAlive: true });
  t.after(async () => {
    agent.destroy();
    await desk.close();
  });
  const holder = { name: to, address: `127.0.0.1:${desk.port}` };
  const asker = createHolderAsker({ from: 'b', secret, agent, holder, answerMs });
  return { desk, asker, ask: asker.ask };
}

const claimOf = (at: number): Claim => ({ hash: Buffer.alloc(16, at), bodyCrc: at });

test('each key gets its own answer, however many are asked at once', async (t) => {
  const asked: boolean[] = [];
  const { ask } = await open(t, {
    async claim({ hash, bodyCrc }, isSenior) {
      asked.push(isSenior);
      assert.equal(hash[15], bodyCrc % 256);
      return bodyCrc % 2 === 0 ? 'taken' : 'free';
    },
  });
  const said = await Promise.all(Array.from({ length: 1200 }, (_, at) => ask(claimOf(at))));
  assert.deepEqual(
    said,
    Array.from({ length: 1200 }, (_, at) => (at % 2 === 0 ? 'taken' : 'free')),
  );
  assert.ok(asked.every((isSenior) => !isSenior));
});

test('a node with another secret key, or under the name of another node, is not asked', async (t) => {
  for (const options of [{ secret: 'another' }, { to: 'c' }]) {
    let isAsked = false;
    const { ask } = await open(t, {
      ...options,
      async claim() {
        isAsked = true;
        return 'free';
      },
    });
    assert.equal(await ask(claimOf(1)), 'away');
    assert.ok(!isAsked);
  }
});

test('a node that says nothing is away, and the next question is asked anew', async (t) => {
  let isSilent = true;
  const { ask } = await open(t, {
    answerMs: 2_000,
    async claim() {
      if (isSilent) await new Promise(() => {});
      return 'free';
    },
  });
  assert.equal(await ask(claimOf(1)), 'away');
  isSilent = false;
  // On a busy machine, an answer may take longer than that.
  await waitFor('an answer', async () => (await ask(claimOf(1))) === 'free');
});

test('a node that is gone is away', async (t) => {
  const { ask, desk } = await open(t, {});
  assert.equal(await ask(claimOf(1)), 'free');
  await desk.close();
  assert.equal(await ask(claimOf(1)), 'away');
});

test('"taken" waits for the store if answers do', async (t) => {
  for (const refusal of [undefined, { refused: 'store-away', message: '' } as const]) {
    const { ask } = await open(t, {
      claim: async () => 'taken',
      storeWaits: { wait: (done) => void setImmediate(() => done(refusal)) },
    });
    assert.equal(await ask(claimOf(1)), refusal === undefined ? 'taken' : 'busy');
  }
});
