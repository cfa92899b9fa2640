import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTestLog } from '../../control/test-control.ts';
import { website } from '../test-intake.ts';
import type { Verdict } from '../verdict.ts';
import { openIdempotencyIndex } from './idempotency-index.ts';

async function open() {
  const index = await openIdempotencyIndex({
    journal: { folder: '', segments: () => [] },
    clock: { now: () => 0, monotonicMs: () => 0 },
    log: createTestLog().log,
    maxKeys: 1000,
    maxRecalledBytes: 1000,
  });
  const verdicts: string[] = [];
  const begin = (isFirst: boolean) =>
    index.begin(
      { website: website(), key: { text: 'a' }, kind: 'page_view', body: Buffer.from('body'), isFirst },
      (verdict: Verdict) =>
        verdicts.push(
          'refused' in verdict ? verdict.refused : 'repeated' in verdict ? 'repeated' : 'accepted',
        ),
    );
  return { index, begin, verdicts };
}

const accepted: Verdict = {
  accepted: true,
  received: { receivedAtMs: 1, order: 0 },
  summarize: () => assert.fail('nobody asks for a summary'),
};
const away: Verdict = { refused: 'node-away', message: '' };

test('a first attempt asks nobody, and any other asks', async () => {
  const { begin } = await open();
  const first = begin(true)!;
  assert.ok(!first.mustAsk);
  first.giveUp();
  assert.ok(begin(false)!.mustAsk);
});

test('repeats of a record that fails on its way are refused', async () => {
  const { begin, verdicts } = await open();
  const first = begin(true)!;
  assert.equal(begin(false), undefined);
  assert.equal(begin(false), undefined);
  first.giveUp();
  assert.deepEqual(verdicts, ['internal', 'internal']);
  const again = begin(false)!;
  assert.equal(begin(false), undefined);
  again.answer(accepted);
  again.giveUp();
  assert.deepEqual(verdicts.slice(2), ['accepted', 'repeated']);
});

test('a key that was left to another node is not taken without asking', async () => {
  const { index, begin } = await open();
  const claim = begin(true)!;
  claim.giveUp();
  assert.equal(await index.claim(claim, false), 'free');
  const late = begin(true)!;
  assert.ok(late.mustAsk);
  assert.equal(await index.claim(late, false), 'busy', 'this node is asking, and is the older one');
  assert.ok(late.goOn());
});

test('of two nodes that ask for the same key, the older one goes on', async () => {
  const { index, begin, verdicts } = await open();
  const repeat = begin(false)!;
  assert.equal(await index.claim(repeat, true), 'free');
  assert.ok(!repeat.goOn());
  const another = begin(false)!;
  repeat.answer(away);
  assert.equal(await index.claim(another, false), 'busy', 'the end of the first must not end the second');
  assert.deepEqual(verdicts, ['node-away']);
});

test('a record that is being written is waited for', async () => {
  const { index, begin } = await open();
  let hash: Buffer = Buffer.alloc(0);
  for (const [verdict, said] of [
    [away, 'free'],
    [accepted, 'taken'],
  ] as const) {
    const attempt = begin(false)!;
    hash = attempt.hash;
    assert.ok(attempt.goOn());
    const claimed = index.claim(attempt, true);
    attempt.answer(verdict);
    assert.equal(await claimed, said);
  }
  assert.equal(await index.claim({ hash, bodyCrc: 1 }, true), 'other-body');
});
