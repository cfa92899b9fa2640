import assert from 'node:assert/strict';
import { test } from 'node:test';
import { event, pageView } from '../../../test/support/records.ts';
import { readJournal } from '../../journal/test-journal.ts';
import { secretOf, senderOf, website } from '../test-intake.ts';
import { startTestIdempotency, type TestIdempotency } from './test-idempotency.ts';

const hourMs = 3_600_000;
const limited = website({ contingent: 2 });
const recordsOf = async (parts: TestIdempotency) => (await readJournal(parts.node().journal)).length;

test('reports a repeat as such, does not write it again, and uses no contingent', async (t) => {
  const parts = await startTestIdempotency(t);
  assert.equal(await parts.send({ key: 'a', of: limited }), 'accepted');
  for (let repeat = 0; repeat < 3; repeat += 1)
    assert.equal(await parts.send({ key: 'a', of: limited }), 'repeated');
  assert.equal(await recordsOf(parts), 1);
  assert.equal(parts.node().intake.allowance(limited)?.remaining, 1);
  assert.equal(parts.node().idempotencyIndex.size(), 1);
});

test('recognizes a repeat when the contingent was used up in the meantime, and accepts nothing else', async (t) => {
  const parts = await startTestIdempotency(t);
  assert.equal(await parts.send({ key: 'a', of: limited }), 'accepted');
  assert.equal(await parts.send({ key: 'b', of: limited }), 'accepted');
  assert.equal(await parts.send({ key: 'c', of: limited }), 'contingent-used-up');
  assert.equal(await parts.send({ key: 'a', of: limited }), 'repeated');
});

test('accepts all records without a key, and remembers nothing about them', async (t) => {
  const parts = await startTestIdempotency(t);
  for (let record = 0; record < 3; record += 1) assert.equal(await parts.send({}), 'accepted');
  assert.equal(await recordsOf(parts), 3);
  assert.equal(parts.node().idempotencyIndex.size(), 0);
});

test('a refused record can be sent again with its key', async (t) => {
  const parts = await startTestIdempotency(t);
  const exhausted = website({ contingent: 0 });
  assert.equal(await parts.send({ key: 'a', of: exhausted }), 'contingent-used-up');
  assert.equal(await parts.send({ key: 'b', body: '{' }), 'malformed');
  assert.equal(parts.node().idempotencyIndex.size(), 0);
  for (const key of ['a', 'b']) assert.equal(await parts.send({ key }), 'accepted');
});

test('a key belongs to its website', async (t) => {
  const parts = await startTestIdempotency(t);
  const sites = [website(), website({ id: 2 }), website({ id: 3, clientIdKey: secretOf(9) })];
  for (const of of sites) assert.equal(await parts.send({ key: 'a', of }), 'accepted');
  for (const of of sites) assert.equal(await parts.send({ key: 'a', of }), 'repeated');
});

test('refuses the same key with another body, and says that each key is for one record', async (t) => {
  const parts = await startTestIdempotency(t);
  const other = pageView({ Page: { Absolute: 'https://www.example.com/other' } });
  assert.equal(await parts.send({ key: 'a' }), 'accepted');
  assert.equal(await parts.send({ key: 'a', body: other }), 'malformed');
  const body = Buffer.from(JSON.stringify(other));
  const request = { ...senderOf(website()), kind: 'page_view', key: { text: 'a' } } as const;
  const message = await new Promise((resolve, reject) =>
    parts
      .node()
      .intake.take(request, body, (verdict) => resolve('message' in verdict && verdict.message), reject),
  );
  assert.equal(
    message,
    'Idempotency-Key: expected a new key for each record, got one that another record was sent with',
  );
  assert.equal(await parts.send({ key: 'a' }), 'repeated', 'the first record stays the one of this key');
  assert.equal(await recordsOf(parts), 1);
});

test('the same bytes are a different record on the other path', async (t) => {
  const parts = await startTestIdempotency(t);
  const body = event('Signup', []);
  assert.equal(await parts.send({ key: 'a', kind: 'event', body }), 'accepted');
  assert.equal(await parts.send({ key: 'a', kind: 'page_view', body }), 'malformed');
});

test('a repeat that arrives while the first is being written waits for it', async (t) => {
  const parts = await startTestIdempotency(t);
  const order: string[] = [];
  const sent = ['first', 'second', 'third'].map(async (name) => {
    const verdict = await parts.send({ key: 'a', of: limited });
    order.push(`${name} ${verdict}`);
  });
  const other = parts.send({ key: 'a', body: event('Other', []), kind: 'event' });
  assert.equal(await other, 'malformed', 'another body has nothing to wait for');
  assert.deepEqual(order, []);
  await Promise.all(sent);
  assert.deepEqual(order, ['first accepted', 'second repeated', 'third repeated']);
  assert.equal(await recordsOf(parts), 1);
  assert.equal(parts.node().intake.allowance(limited)?.remaining, 1);
});

test('if the first cannot be written, all that wait fail with it, and the key is free again', async (t) => {
  const parts = await startTestIdempotency(t);
  const { journal } = parts.node();
  const append = journal.append;
  let fail = () => {};
  journal.append = (_payload, done) => {
    fail = () => done('journal-full');
  };
  const sent = [1, 2, 3].map(() => parts.send({ key: 'a', of: limited }));
  fail();
  assert.deepEqual(await Promise.all(sent), ['journal-full', 'journal-full', 'journal-full']);
  journal.append = append;
  assert.equal(parts.node().intake.allowance(limited)?.remaining, 2);
  assert.equal(await parts.send({ key: 'a', of: limited }), 'accepted');
});

test('a step that throws leaves the key free', async (t) => {
  const parts = await startTestIdempotency(t);
  const broken = website({ timezone: 'Nowhere/Else' });
  await assert.rejects(parts.send({ key: 'a', of: broken }), RangeError);
  assert.equal(await parts.send({ key: 'a' }), 'accepted');
});

test('forgets a key after an hour of real time, whatever the wall clock says', async (t) => {
  const parts = await startTestIdempotency(t);
  assert.equal(await parts.send({ key: 'a' }), 'accepted');
  parts.clock.jump(50 * hourMs);
  assert.equal(await parts.send({ key: 'a' }), 'repeated');
  parts.clock.jump(-100 * hourMs);
  parts.clock.pass(hourMs);
  assert.equal(await parts.send({ key: 'a' }), 'repeated');
  parts.clock.pass(1000);
  assert.equal(await parts.send({ key: 'a' }), 'accepted');
});

test('knows the keys after a restart, even of bodies that it no longer knows', async (t) => {
  const parts = await startTestIdempotency(t);
  for (const key of ['a', 'b']) assert.equal(await parts.send({ key, of: limited }), 'accepted');
  assert.equal(await parts.send({}), 'accepted');
  await parts.restart();
  assert.equal(parts.node().idempotencyIndex.size(), 2);
  assert.equal(await parts.send({ key: 'a', of: limited }), 'repeated');
  assert.equal(
    await parts.send({ key: 'b', of: limited, body: pageView({ Screen: { Width: 1, Height: 1 } }) }),
    'repeated',
  );
  assert.equal(await parts.send({ key: 'c', of: limited }), 'contingent-used-up');
  assert.equal(await recordsOf(parts), 3);
});
