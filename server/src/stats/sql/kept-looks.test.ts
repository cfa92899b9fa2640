import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { WebsiteStore } from '../../store/website-store.ts';
import type { BuiltDay } from '../days/ready-days.ts';
import { createKeptLooks } from './kept-looks.ts';

const days = [
  { day: '2026-03-01', build: '11', clients: 5 },
  { day: '2026-03-02', build: '12', clients: 5 },
] as unknown as BuiltDay[];
const row = { build_text: '12', look_text: '99', seen: [['2026-03-01', '11']] };

/** A store that gives these answers in turn. */
function openStore(...answers: (object[] | Error)[]) {
  let asked = 0;
  const query = async () => {
    const answer = answers[asked]!;
    asked += 1;
    await new Promise(setImmediate);
    if (answer instanceof Error) throw answer;
    return answer;
  };
  return { store: { websiteId: 1, query } as unknown as WebsiteStore, asked: () => asked };
}

test('those who ask for the same days at once or later share one statement', async () => {
  const { store, asked } = openStore([row]);
  const looksOf = createKeptLooks();
  assert.deepEqual(await Promise.all([looksOf(store, days), looksOf(store, days)]), [['99'], ['99']]);
  assert.deepEqual(await looksOf(store, days), ['99']);
  assert.equal(asked(), 1);
});

test('days that are built anew are asked for anew, and so are looks that were not there', async () => {
  const { store, asked } = openStore([], [row], [], []);
  const looksOf = createKeptLooks();
  assert.equal(await looksOf(store, days), undefined);
  assert.deepEqual(await looksOf(store, days), ['99']);
  const rebuilt = [days[0]!, { ...days[1]!, build: '13' }];
  assert.equal(await looksOf(store, rebuilt), undefined);
  assert.equal(await looksOf({ ...store, websiteId: 2 }, days), undefined, 'of another website');
  assert.equal(asked(), 4);
});

test('one who gives up keeps nobody else from an answer', async () => {
  const { store, asked } = openStore(new Error('gone'), [row]);
  const looksOf = createKeptLooks();
  const [left, stayed] = await Promise.allSettled([looksOf(store, days), looksOf(store, days)]);
  assert.equal(left.status, 'rejected');
  assert.deepEqual(stayed, { status: 'fulfilled', value: ['99'] });
  assert.equal(asked(), 2);
});
