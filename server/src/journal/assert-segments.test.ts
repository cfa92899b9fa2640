import assert from 'node:assert/strict';
import { appendFile, stat, truncate } from 'node:fs/promises';
import { test } from 'node:test';
import { assertInOrder, assertPayloadStart } from './assert-segments.ts';
import { segmentPath } from './segment-file.ts';
import { append, openTestJournal, payloadOf, payloads, readJournal, useFolders } from './test-journal.ts';

const makeFolder = useFolders();

for (const [what, change] of Object.entries({
  'bytes of somebody else follow its records': (path: string) => appendFile(path, 'not ours'),
  'its last byte is gone': async (path: string) => truncate(path, (await stat(path)).size - 1),
})) {
  test(`does not finish a segment when ${what}, and tells the node to stop`, async (t) => {
    const broken: Error[] = [];
    const folder = await makeFolder();
    const journal = await openTestJournal(t, folder, { onBroken: (error) => broken.push(error) });
    assert.equal(await append(journal, payloadOf(1)), undefined);
    await change(segmentPath(folder, 1));
    await journal.rotate();
    assert.equal(broken.length, 1);
    assert.ok(broken[0] instanceof assert.AssertionError);
    assert.match(broken[0].message, /Segment 1 must have the \d+ bytes that were written to it/);
    const answers = await Promise.all(payloads(3, 2).map((payload) => append(journal, payload)));
    assert.deepEqual(answers, Array(3).fill('journal-closed'));
    assert.deepEqual(
      journal.segments().map(({ number }) => number),
      [1],
    );
  });
}

test('takes segments in the order of their numbers, not as the folder lists them', async (t) => {
  const folder = await makeFolder();
  const journal = await openTestJournal(t, folder);
  const written = payloads(12);
  for (const payload of written) {
    await append(journal, payload);
    await journal.rotate();
  }
  await journal.close();
  const reopened = await openTestJournal(t, folder);
  assert.deepEqual(
    reopened.segments().map(({ number }) => number),
    Array.from({ length: 13 }, (_, index) => (index < 12 ? index + 1 : 14)),
  );
  assert.deepEqual(await readJournal(reopened), written);
});

test('does not open segments that are out of order or duplicated', () => {
  const segment = (number: number, end = 100) => ({
    number,
    end,
    node: 'n1',
    columns: [],
    createdAt: 0,
    firstFrame: 50,
  });
  assertInOrder([segment(1), segment(3)], 3);
  assertInOrder([], 0);
  assert.throws(() => assertInOrder([segment(2), segment(1)], 2), assert.AssertionError);
  assert.throws(() => assertInOrder([segment(2), segment(2)], 2), assert.AssertionError);
  assert.throws(() => assertInOrder([segment(2)], 1), assert.AssertionError);
  assert.throws(() => assertInOrder([segment(2, 49)], 2), assert.AssertionError);
});

test('does not open a journal whose readers would look in the wrong place', async (t) => {
  assertPayloadStart(['day', 'website_id', 'received_at', 'more']);
  const columns = ['website_id', 'day', 'received_at'];
  await assert.rejects(
    openTestJournal(t, await makeFolder(), { columns }),
    /must begin with day, website and time/,
  );
});
