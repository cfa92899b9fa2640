import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inTransaction } from '../database/in-transaction.ts';
import type { WritableControl } from '../open-control.ts';
import { openTestControl } from '../test-control.ts';
import { openTestDatabase } from '../test-database.ts';
import type { SeenNumbers, TallyCount, TallyRows } from './tally-rows.ts';

const hour = (number: number) => 1_000 * 3_600_000 + number * 3_600_000;
const place = (at: number) => ({ websiteId: 1, hour: hour(at), key: 'k', release: '' });
const count = (at: number, records: number): TallyCount => ({
  ...place(at),
  outcome: 'accepted',
  isNumbered: false,
  records,
});
const seen = (at: number, numbers: SeenNumbers, arrivals: number) => ({
  ...place(at),
  stream: 'web-1',
  arrivals,
  numbers,
});
const all = [0, Number.MAX_SAFE_INTEGER] as const;

const write = (
  control: WritableControl,
  node: string,
  number: number,
  rows: Partial<TallyRows>,
  keys: { websiteId: number; key: string }[] = [],
) =>
  control.usage.checkpoint({
    node,
    position: { segment: 1, offset: number },
    settled: [],
    tally: { number, keys, rows: { counts: [], refusals: [], numbers: [], ...rows } },
  });

/** The plain counts as `hour outcome records`. */
async function countsOf({ tallies }: WritableControl): Promise<string[]> {
  const { counts } = await tallies.read(1, ...all);
  return counts.map((one) => `${(one.hour - hour(0)) / 3_600_000} ${one.outcome} ${one.records}`).sort();
}

test('adds checkpoints to rows, sums nodes, and takes each checkpoint once', async (t) => {
  const { control } = await openTestControl(t);
  await write(control, 'a', 1, { counts: [count(1, 2), count(1, 3)] });
  await write(control, 'a', 1, { counts: [count(1, 100)] });
  await write(control, 'a', 2, { counts: [count(1, 1), count(2, 4)] });
  await write(control, 'b', 1, { counts: [count(2, 8)] }, [{ websiteId: 1, key: 'k' }]);
  assert.deepEqual(await countsOf(control), ['1 accepted 6', '2 accepted 12']);
  assert.deepEqual(await control.tallies.ofNode('b'), {
    number: 1,
    keys: [{ websiteId: 1, key: 'k' }],
    streams: [],
  });
  const shape = { code: 400, field: 'Body', expected: 'JSON', got: 'nothing' };
  const refusal = { ...place(1), ...shape, records: 2 };
  for (const [at, node] of ['a', 'b'].entries()) await write(control, node, at + 5, { refusals: [refusal] });
  const { refusals, since } = await control.tallies.read(1, hour(1), hour(2));
  assert.deepEqual(refusals, [{ ...refusal, records: 4 }]);
  assert.equal(since, hour(1));
  assert.deepEqual((await control.tallies.read(1, hour(3), hour(4))).counts, []);
});

test('folds old hours of a stream into counts, with what arrived late, and forgets their numbers', async (t) => {
  const { control } = await openTestControl(t);
  await write(control, 'a', 1, {
    numbers: [
      seen(
        1,
        {
          accepted: [
            [1, 2],
            [6, 6],
          ],
        },
        4,
      ),
    ],
  });
  await write(control, 'b', 1, { numbers: [seen(2, { refused: [[3, 3]], accepted: [[7, 8]] }, 3)] });
  assert.equal(await control.tallies.fold(hour(2)), 1);
  const folded = ['1 accepted 3', '1 missing 2', '1 refused 1', '1 repeated 1'];
  assert.deepEqual(await countsOf(control), folded);
  const { streams } = await control.tallies.read(1, ...all);
  assert.deepEqual(
    streams.map(({ foldedTo, rows }) => [foldedTo, rows.map(({ arrivals, numbers }) => [arrivals, numbers])]),
    [[6, [[2, { refused: [], accepted: [[7, 8]] }]]]],
  );
  assert.equal(await control.tallies.fold(hour(2)), 0, 'there is nothing left to fold');
  await write(control, 'a', 2, {
    numbers: [
      seen(
        3,
        {
          accepted: [
            [4, 4],
            [10, 10],
          ],
        },
        2,
      ),
    ],
  });
  await control.tallies.fold(hour(9));
  assert.deepEqual(await countsOf(control), [
    ...folded.slice(0, 2),
    '1 refused 1',
    '1 repeated 1',
    '2 accepted 2',
    '3 accepted 1',
    '3 accepted 1',
    '3 missing 1',
  ]);
});

test('numbers in too many pieces are settled, and nothing is counted twice', async (t) => {
  const { control } = await openTestControl(t);
  const odd = (from: number, times: number) =>
    Array.from({ length: times }, (_, at) => [from + 2 * at, from + 2 * at] as const);
  await write(control, 'a', 1, { numbers: [seen(1, { accepted: odd(1, 800) }, 800)] });
  await write(control, 'a', 2, { numbers: [seen(1, { accepted: odd(1601, 800) }, 800)] });
  const { streams } = await control.tallies.read(1, ...all);
  assert.ok(streams[0]!.rows[0]!.numbers.accepted!.length <= 1000);
  await control.tallies.fold(hour(5));
  const sum = (outcome: string) => async () =>
    (await control.tallies.read(1, ...all)).counts
      .filter((one) => one.outcome === outcome)
      .reduce((records, one) => records + one.records, 0);
  assert.equal(await sum('accepted')(), 1600);
  assert.ok((await sum('missing')()) < 800, 'what is missing among those is not known');
});

test('knows what is missing although each node has only some of the numbers', async (t) => {
  const { control } = await openTestControl(t);
  const perCheckpoint = 500;
  const isLost = (number: number) => number % 200 === 100;
  for (let at = 0; at < 40; at += 1) {
    const arrived = Array.from({ length: perCheckpoint }, (_, index) => at * perCheckpoint + index + 1);
    for (const [own, node] of ['a', 'b'].entries()) {
      const accepted = arrived
        .filter((number) => number % 2 === own && !isLost(number))
        .map((number) => [number, number] as const);
      await write(control, node, at + 1, { numbers: [seen(1, { accepted }, accepted.length)] });
    }
  }
  const { streams } = await control.tallies.read(1, ...all);
  for (const { numbers } of streams[0]!.rows) assert.ok((numbers.accepted?.length ?? 0) <= 1000);
  for (const node of ['a', 'b'])
    assert.deepEqual((await control.tallies.ofNode(node)).streams, [
      { websiteId: 1, stream: 'web-1', hour: hour(1) },
    ]);
  await control.tallies.fold(hour(5));
  assert.deepEqual(await countsOf(control), ['1 accepted 19900', '1 missing 100']);
});

test('keeps counts for a while, and none of a deleted website', async (t) => {
  const { control } = await openTestControl(t);
  const { website } = await control.websites.add({ domain: 'a.test', timezone: 'UTC', contingent: null });
  await write(control, 'a', 1, {
    counts: [count(1, 1), count(5, 1)],
    numbers: [seen(5, { accepted: [[1, 1]] }, 1)],
  });
  await control.tallies.clearOlderThan(hour(2));
  assert.deepEqual(await countsOf(control), ['5 accepted 1']);
  await control.deletions.begin(website.id);
  await control.deletions.finish(website.id);
  const { counts, streams, since } = await control.tallies.read(1, ...all);
  assert.deepEqual([counts, streams, since], [[], [], undefined]);
});

test('is read while others write', async (t) => {
  const { control, folder } = await openTestControl(t);
  const { db } = await openTestDatabase(t, folder);
  await write(control, 'a', 1, { counts: [count(1, 1)] });
  await inTransaction(db, async (trx) => {
    await trx.deleteFrom('tallies').execute();
    assert.deepEqual(await countsOf(control), ['1 accepted 1']);
  });
  assert.deepEqual(await countsOf(control), []);
});
