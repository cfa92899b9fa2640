import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLookUp } from './create-look-up.ts';

const busy = { name: 'ControlError', reason: 'busy' };

/** Lookups that wait until they are told what was found. */
function createFinder() {
  const asked: { found: (value: string | undefined) => void }[] = [];
  const find = () => {
    const { promise, resolve } = Promise.withResolvers<string | undefined>();
    asked.push({ found: resolve });
    return promise;
  };
  return { asked, find };
}

test('lets a few strangers wait for the database and refuses the others', async () => {
  const lookUp = createLookUp({ places: 2, maxWaiting: 3 });
  const { asked, find } = createFinder();
  const flood = Array.from({ length: 1000 }, (_, at) => lookUp(`token ${at}`, find));
  const settled = Promise.allSettled(flood);
  assert.equal(asked.length, 2);
  for (let at = 0; at < 5; at++) {
    asked[at]!.found(undefined);
    await flood[at];
  }
  const refused = (await settled).filter(({ status }) => status === 'rejected');
  assert.deepEqual([asked.length, refused.length], [5, 995]);
  await assert.rejects(flood[999]!, busy);
});

test('looks up a known token at once, however many strangers wait', async () => {
  const lookUp = createLookUp({ places: 1, maxWaiting: 0 });
  const { asked, find } = createFinder();
  const first = lookUp('ada', find);
  asked[0]!.found('Ada');
  assert.equal(await first, 'Ada');
  const stranger = lookUp('eve', find);
  await assert.rejects(lookUp('mallory', find), busy);
  const again = lookUp('ada', find);
  asked[2]!.found('Ada');
  assert.equal(await again, 'Ada');
  asked[1]!.found(undefined);
  assert.equal(await stranger, undefined);
});

test('no longer finds a revoked token, and treats it as a stranger from then on', async () => {
  const lookUp = createLookUp({ places: 1, maxWaiting: 0 });
  const { asked, find } = createFinder();
  const first = lookUp('ada', find);
  asked[0]!.found('Ada');
  assert.equal(await first, 'Ada');
  const revoked = lookUp('ada', find);
  asked.at(-1)!.found(undefined);
  assert.equal(await revoked, undefined);
  const stranger = lookUp('eve', find);
  await assert.rejects(lookUp('ada', find), busy);
  asked.at(-1)!.found(undefined);
  await stranger;
});
