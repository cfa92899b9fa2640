import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { hourMs } from '../../control/tally/tally-rows.ts';
import { createFakeClock, makeFolder, openTestControl } from '../../control/test-control.ts';
import { openTestNode, payloadOf, senderOf, type TestNode, website } from '../test-intake.ts';
import type { NotedOutcome, Sender } from './open-tally.ts';
import { readLedger } from './read-ledger.ts';

const nine = Date.parse('2026-03-10T09:00:00Z');
const shape = { code: 400, field: 'Metrics.Page.Absolute', expected: 'a URL', got: 'nothing' };

/** A node that can be killed, and what it has counted. */
async function start(t: TestContext) {
  const clock = createFakeClock('2026-03-10T09:00:00Z');
  const folder = await makeFolder(t);
  const { control } = await openTestControl(t, { folder: join(folder, 'control'), clock });
  const open = (): Promise<TestNode> => openTestNode({ folder, control, clock });
  let node = await open();
  t.after(() => node.journal.close());

  return {
    clock,
    control,
    node: () => node,
    accept(sender: Sender): Promise<void> {
      const { journal, tally } = node;
      const atMs = clock.now();
      const note = tally.noteFor(sender);
      return new Promise((resolve) =>
        journal.append(
          payloadOf(sender.website.id, atMs),
          () => {
            tally.accepted(sender, atMs);
            resolve();
          },
          undefined,
          note,
        ),
      );
    },
    note: (sender: Sender, noted: NotedOutcome): Promise<void> =>
      new Promise((resolve) => node.tally.note(sender, noted, resolve)),
    async restart(): Promise<void> {
      await node.crash();
      node = await open();
    },
    /** The counts as `hour key release outcome records`. */
    async counts(websiteId = 1): Promise<string[]> {
      await node.contingent.checkpoint();
      const { counts } = await control.tallies.read(websiteId, 0, Number.MAX_SAFE_INTEGER);
      return counts
        .map(({ hour, key, release, outcome, records }) =>
          [new Date(hour).getUTCHours(), key, release, outcome, records]
            .filter((part) => part !== '')
            .join(' '),
        )
        .sort();
    },
  };
}

test('counts what was accepted, refused, excluded, repeated and over quota, by hour', async (t) => {
  const { clock, accept, note, counts, control } = await start(t);
  const sender = senderOf(website());
  await accept(sender);
  await accept(sender);
  for (const outcome of ['excluded', 'repeated', 'over_quota'] as const) await note(sender, { outcome });
  clock.pass(3_600_000);
  await note(sender, { outcome: 'refused', shape });
  await accept(senderOf(website(), { release: '1.42' }));
  assert.deepEqual(await counts(), [
    '10 0123abcd 1.42 accepted 1',
    '10 0123abcd refused 1',
    '9 0123abcd accepted 2',
    '9 0123abcd excluded 1',
    '9 0123abcd over_quota 1',
    '9 0123abcd repeated 1',
  ]);
  const { refusals, since } = await control.tallies.read(1, 0, Number.MAX_SAFE_INTEGER);
  const place = { websiteId: 1, hour: nine + 3_600_000, key: '0123abcd', release: '' };
  assert.deepEqual(refusals, [{ ...place, ...shape, records: 1 }]);
  assert.equal(since, nine);
  assert.deepEqual(await counts(2), []);
});

test('has counted everything exactly once after a kill, at whatever moment', async (t) => {
  const { accept, note, restart, counts, node } = await start(t);
  const [plain, released] = [senderOf(website()), senderOf(website(), { release: '2' })];
  const expected = { accepted: 0, released: 0, refused: 0 };
  for (let round = 1; round <= 8; round += 1) {
    await accept(plain);
    if (round % 2 === 0) await restart();
    await accept(released);
    await note(plain, { outcome: 'refused', shape });
    if (round % 3 === 0) await node().contingent.checkpoint();
    if (round % 3 === 1) await restart();
    expected.accepted += 1;
  }
  await restart();
  const all = ['9 0123abcd 2 accepted 8', '9 0123abcd accepted 8', '9 0123abcd refused 8'];
  assert.deepEqual(await counts(), all);
  await restart();
  assert.deepEqual(await counts(), all, 'a second start counts nothing again');
});

test('knows the key of each record, whatever happens while a key is replaced', async (t) => {
  const { accept, restart, counts, node } = await start(t);
  const of = website();
  const keyed = (id: string, expiresAt: number | null) =>
    senderOf(of, { apiKey: { website: of, id, expiresAt } });
  for (let times = 0; times < 3; times += 1) {
    await accept(keyed('aaaaaaaa', null));
    await node().contingent.checkpoint();
  }
  assert.equal(node().tally.noteFor(keyed('aaaaaaaa', null)), undefined, 'most records need no note');
  for (let times = 0; times < 3; times += 1) {
    await accept(keyed('aaaaaaaa', nine + 1e9));
    await accept(keyed('bbbbbbbb', null));
    await accept(keyed('aaaaaaaa', nine + 1e9));
    await restart();
    await node().contingent.checkpoint();
    await accept(keyed('bbbbbbbb', null));
    await accept(keyed('aaaaaaaa', nine + 1e9));
    await node().contingent.checkpoint();
  }
  await restart();
  assert.deepEqual(await counts(), ['9 aaaaaaaa accepted 12', '9 bbbbbbbb accepted 6']);
});

test('a checkpoint whose answer was lost is not counted twice', async (t) => {
  const { accept, counts, node, control } = await start(t);
  const { usage } = control;
  await accept(senderOf(website()));
  const write = usage.checkpoint;
  usage.checkpoint = async (checkpoint) => {
    await write(checkpoint);
    throw new Error('the connection was lost');
  };
  await assert.rejects(node().contingent.checkpoint(), /lost/);
  await accept(senderOf(website()));
  await assert.rejects(node().contingent.checkpoint(), /lost/);
  usage.checkpoint = write;
  assert.deepEqual(await counts(), ['9 0123abcd accepted 2']);
});

test('keeps the numbers of a stream, and what has no number apart', async (t) => {
  const { accept, note, restart, node, control, counts } = await start(t);
  const numbered = (number: number) =>
    senderOf(website(), { sequence: { stream: 'web-1', number, text: `web-1.${number}` } });
  await accept(numbered(1));
  await note(numbered(2), { outcome: 'refused', shape });
  await restart();
  await accept(numbered(4));
  await note(numbered(4), { outcome: 'repeated' });
  await node().contingent.checkpoint();
  await accept(numbered(5));
  await accept(senderOf(website()));
  await restart();
  assert.deepEqual(await counts(), ['9 0123abcd accepted 1']);
  const { streams, refusals } = await control.tallies.read(1, 0, Number.MAX_SAFE_INTEGER);
  assert.deepEqual(
    streams.map(({ stream, rows }) => [stream, rows.map(({ arrivals, numbers }) => [arrivals, numbers])]),
    [
      [
        'web-1',
        [
          [
            5,
            {
              accepted: [
                [1, 1],
                [4, 5],
              ],
              refused: [[2, 2]],
              repeated: [[4, 4]],
            },
          ],
        ],
      ],
    ],
  );
  assert.equal(refusals[0]?.records, 1);
});

test('tells apart so many releases, reasons and streams, and no more', async (t) => {
  const { accept, note, counts, control } = await start(t);
  for (let at = 1; at <= 52; at += 1) await accept(senderOf(website(), { release: `r${at}` }));
  const found = await counts();
  assert.equal(found.length, 51);
  assert.ok(found.includes('9 0123abcd (other) accepted 2'));
  for (let at = 1; at <= 202; at += 1)
    await note(senderOf(website()), { outcome: 'refused', shape: { ...shape, field: `f${at}` } });
  for (let at = 1; at <= 1001; at += 1)
    await note(senderOf(website(), { sequence: { stream: `s${at}`, number: 1, text: '' } }), {
      outcome: 'excluded',
    });
  assert.ok((await counts()).includes('9 0123abcd excluded 1'), 'the last stream counts without its number');
  const { refusals, streams } = await control.tallies.read(1, 0, Number.MAX_SAFE_INTEGER);
  assert.equal(refusals.length, 201);
  assert.equal(refusals.find(({ field }) => field === '')?.records, 2);
  assert.equal(streams.length, 1000);
});

test('a stream has one row for an hour, with the release of its highest number', async (t) => {
  const { accept, note, restart, node, control } = await start(t);
  const sender = (number: number, release: string) =>
    senderOf(website(), { release, sequence: { stream: 'web-1', number, text: `web-1.${number}` } });
  for (let number = 1; number <= 9; number += 1) {
    await accept(sender(number, `r${number}`));
    await note(sender(number, `x${number}`), { outcome: 'repeated' });
    if (number === 3) await node().contingent.checkpoint();
    if (number === 6) await restart();
  }
  await node().contingent.checkpoint();
  const { streams } = await control.tallies.read(1, 0, Number.MAX_SAFE_INTEGER);
  assert.deepEqual(
    streams.map(({ rows }) => rows.map(({ release, arrivals, numbers }) => [release, arrivals, numbers])),
    [[['r9', 18, { accepted: [[1, 9]], repeated: [[1, 9]] }]]],
  );
});

test('follows as many streams after a kill as before', async (t) => {
  const { note, restart, counts, control } = await start(t);
  const sender = (at: number) => senderOf(website(), { sequence: { stream: `s${at}`, number: 1, text: '' } });
  await Promise.all(Array.from({ length: 1005 }, (_, at) => note(sender(at), { outcome: 'excluded' })));
  await note(sender(1005), { outcome: 'repeated' });
  await restart();
  assert.deepEqual(await counts(), ['9 0123abcd excluded 5', '9 0123abcd repeated 1']);
  const { streams } = await control.tallies.read(1, 0, Number.MAX_SAFE_INTEGER);
  assert.equal(streams.length, 1000);
});

for (const isKilled of [false, true])
  test(`what counted without its number is not missing later${isKilled ? ', nor after a kill' : ''}`, async (t) => {
    const { accept, note, restart, node, control, clock } = await start(t);
    const of = (stream: string, number: number) =>
      senderOf(website(), { sequence: { stream, number, text: `${stream}.${number}` } });
    await Promise.all(Array.from({ length: 1000 }, (_, at) => accept(of(`s${at}`, 1))));
    for (let number = 1; number <= 10; number += 1) await accept(of('late', number));
    await node().contingent.checkpoint();
    // By now, the other streams have made room.
    clock.pass(80 * hourMs);
    await note(of('late', 11), { outcome: 'excluded' });
    await accept(of('late', 13));
    if (isKilled) await restart();
    await node().contingent.checkpoint();
    clock.pass(3 * hourMs);
    const days = { from: '2026-03-09', to: '2026-03-20' };
    const { totals } = await readLedger(control, { id: 1, timezone: 'UTC' }, days, clock);
    const { accepted, excluded, missing } = totals;
    assert.deepEqual({ accepted, excluded, missing }, { accepted: 1011, excluded: 1, missing: 1 });
  });
