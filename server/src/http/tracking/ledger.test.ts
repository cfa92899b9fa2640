import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { type TestContext, test } from 'node:test';
import { requestText, sendRaw } from '../../../test/support/raw-connection.ts';
import { pageView } from '../../../test/support/records.ts';
import { waitFor } from '../../../test/support/wait-for.ts';
import { createFakeClock } from '../../control/test-control.ts';
import { readLedger } from '../../intake/tally/read-ledger.ts';
import { segmentPath } from '../../journal/segment-file.ts';
import { startTestHttp } from '../test-http.ts';

const lanes = { 'in the fast lane': '/api/page-view', 'by Node': '/api/page-view?a' } as const;
const days = { from: '2026-03-10', to: '2026-03-10' };
type Headers = Record<string, string>;

async function open(t: TestContext, contingent: number | null = null) {
  const clock = createFakeClock('2026-03-10T09:00:00Z');
  const parts = await startTestHttp(t, { clock });
  const { id, apiKey } = await parts.addWebsite('a.test', contingent);
  const send = async (path: string, body: unknown, headers: Headers = {}): Promise<number> => {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    const request = requestText('POST', path, { Authorization: apiKey, ...headers }, text);
    return (await sendRaw(parts.origin, Buffer.from(request, 'latin1')))!.status;
  };
  const ledger = async () => {
    await parts.contingent.checkpoint();
    return await readLedger(parts.control, { id, timezone: 'UTC' }, days, clock);
  };
  return { ...parts, id, apiKey, clock, send, ledger };
}

/** The counts that aren't 0. */
const filled = (counts: object) =>
  Object.fromEntries(Object.entries(counts).filter(([name, count]) => name !== 'sent' && count !== 0));

for (const [lane, path] of Object.entries(lanes)) {
  test(`counts what is read ${lane} by what becomes of it`, async (t) => {
    const { id, send, ledger, setExclusions, setContingent } = await open(t);
    const release = { 'Trackside-Release': '1.42' };
    assert.equal(await send(path, pageView()), 200);
    assert.equal(await send(path, pageView(), { 'Idempotency-Key': 'a', ...release }), 200);
    assert.equal(await send(path, pageView(), { 'Idempotency-Key': 'a', ...release }), 200);
    assert.equal(await send(path, { Metrics: {} }, release), 400);
    assert.equal(await send(path, '{'), 400);
    assert.equal(await send(path, pageView(), { 'Trackside-Sequence': 'x' }), 400);
    assert.equal(await send(path, pageView(), { 'Idempotency-Key': '' }), 400);
    await setExclusions(id, [{ kind: 'path', value: '/*' }]);
    assert.equal(await send(path, pageView()), 200);
    await setExclusions(id, []);
    await setContingent(id, 2);
    assert.equal(await send(path, pageView()), 429);
    // What Node refuses by its headers is counted a moment after the answer.
    await waitFor('all to be counted', async () => (await ledger()).totals.sent === 8);
    const { totals, refusals, releases, keys, since } = await ledger();
    const expected = { accepted: 2, refused: 4, excluded: 1, overQuota: 1, repeated: 1 };
    assert.deepEqual(filled(totals), expected);
    assert.equal(totals.sent, 8);
    assert.deepEqual(refusals.map(({ field }) => field).sort(), [
      'Body',
      'Idempotency-Key',
      'Metrics.Browser',
      'Trackside-Sequence',
    ]);
    const { expected: what, got, releases: of } = refusals.find(({ field }) => field === 'Metrics.Browser')!;
    assert.deepEqual([what, got, of], ['an object', 'nothing', [{ release: '1.42', records: 1, sent: 2 }]]);
    assert.deepEqual(
      releases.map((one) => [one.release, one.sent]),
      [
        [null, 6],
        ['1.42', 2],
      ],
    );
    assert.deepEqual(keys.map(filled).length, 1);
    assert.ok(keys[0]!.isCurrent);
    assert.equal(since, '2026-03-10T09:00:00.000Z');
  });

  test(`finds what is missing of numbered records that are read ${lane}`, async (t) => {
    const { send, ledger, clock } = await open(t);
    const numbered = (number: number, body: unknown = pageView()) =>
      send(path, body, { 'Trackside-Sequence': `web-1.${number}` });
    assert.equal(await numbered(1), 200);
    assert.equal(await numbered(2, {}), 400);
    assert.equal(await numbered(5), 200);
    assert.equal(await numbered(5), 200);
    const early = await ledger();
    assert.deepEqual(filled(early.totals), { accepted: 2, refused: 1, repeated: 1 });
    assert.deepEqual([early.gaps, early.numbered], [[], 3], 'the others may be on their way');
    clock.pass(2 * 3_600_000);
    const late = await ledger();
    assert.deepEqual(filled(late.totals), { accepted: 2, refused: 1, missing: 2, repeated: 1 });
    const hour = '2026-03-10T09:00:00.000Z';
    assert.deepEqual(late.gaps, [{ stream: 'web-1', from: 3, to: 4, records: 2, hour }]);
    assert.equal(await numbered(3), 200);
    const { totals, hours } = await ledger();
    assert.deepEqual(filled(totals), { accepted: 3, refused: 1, missing: 1, repeated: 1 });
    assert.deepEqual(
      hours.map((one) => one.hour),
      [hour],
      'it counts where it belongs',
    );
  });
}

test('counts each record of a batch, and a batch that is refused as a whole once', async (t) => {
  const { send, ledger } = await open(t);
  const records = [
    { ...pageView(), Sequence: 'web-1.1', IdempotencyKey: 'a' },
    { ...pageView(), Sequence: 'web-1.2', IdempotencyKey: 'a' },
    { Metrics: {}, Sequence: 'web-1.3' },
    { ...pageView(), Sequence: 'web-1.5' },
    { ...pageView(), Sequence: 7 },
  ];
  assert.equal(await send('/api/batch', { Records: records }, { 'Trackside-Release': '2' }), 207);
  assert.equal(await send('/api/batch', '[]'), 400);
  const { totals, numbered, refusals, releases } = await ledger();
  // The second record is the first one under another number.
  assert.deepEqual(filled(totals), { accepted: 2, refused: 3, repeated: 1 });
  assert.equal(numbered, 3);
  assert.deepEqual(refusals.map(({ field }) => field).sort(), ['Body', 'Metrics.Browser', 'Sequence']);
  assert.deepEqual(
    releases.map(({ release, sent }) => [release, sent]),
    [
      ['2', 4],
      [null, 1],
    ],
  );
});

test('a record that is refused for another header has arrived under its number', async (t) => {
  const { send, ledger, clock } = await open(t);
  const numbered = (number: number, headers: Headers = {}) =>
    send('/api/page-view', pageView(), { 'Trackside-Sequence': `web-1.${number}`, ...headers });
  assert.equal(await numbered(1), 200);
  assert.equal(await numbered(2, { 'Trackside-Release': 'x'.repeat(65) }), 400);
  assert.equal(await numbered(2), 200);
  assert.equal(await numbered(3, { 'Trackside-Release': '' }), 400);
  assert.equal(await numbered(4), 200);
  clock.pass(2 * 3_600_000);
  const { totals, gaps } = await ledger();
  assert.deepEqual([filled(totals), gaps], [{ accepted: 3, refused: 1, repeated: 1 }, []]);
});

test('a repeat under another number counts as repeated', async (t) => {
  const { send, ledger } = await open(t);
  const key = { 'Idempotency-Key': 'a' };
  assert.equal(await send('/api/page-view', pageView(), key), 200);
  for (const number of [1, 2, 2])
    assert.equal(
      await send('/api/page-view', pageView(), { ...key, 'Trackside-Sequence': `web-1.${number}` }),
      200,
    );
  assert.deepEqual(filled((await ledger()).totals), { accepted: 1, repeated: 3 });
});

test('counts neither dry runs nor requests without a valid key', async (t) => {
  const { send, ledger } = await open(t);
  const dry = { 'Trackside-Dry-Run': '1' };
  await send('/api/page-view', pageView(), dry);
  await send('/api/page-view', {}, dry);
  await send('/api/page-view', pageView(), { ...dry, 'Idempotency-Key': '' });
  await send('/api/page-view', 'x'.repeat(600_000), dry);
  await send('/api/batch', { Records: [pageView()] }, dry);
  await send('/api/page-view', pageView(), { Authorization: 'wrong' });
  const { totals, since } = await ledger();
  assert.deepEqual(filled(totals), {});
  assert.equal(since, null);
  await send('/api/page-view', pageView(), { 'Trackside-Dry-Run': 'true' });
  // Such a request is refused by its headers, and counted a moment later.
  await waitFor('the refusal to be counted', async () => (await ledger()).refusals.length > 0);
  assert.equal((await ledger()).refusals[0]!.field, 'Trackside-Dry-Run');
});

test('keeps nothing of a refused record but its form', async (t) => {
  const { send, ledger, journal, apiKey, control, id } = await open(t);
  const secret = 'marked-0f2c';
  const body = pageView({ Language: { Code: secret.slice(0, 9) } });
  await send('/api/page-view', body);
  await send('/api/page-view', pageView({ Page: { Absolute: secret } }));
  await send('/api/page-view', { ...pageView(), metrics: secret });
  await send('/api/event-view', { ...pageView(), Name: 'a', Parameters: [{ Name: 'a', Value: 17_031_999 }] });
  await send('/api/page-view', pageView(), { 'Idempotency-Key': `${secret}é` });
  await send('/api/page-view', pageView(), { 'Trackside-Sequence': secret });
  await send('/api/page-view', pageView(), { 'Trackside-Release': `${secret}${'r'.repeat(64)}` });
  await waitFor('all to be counted', async () => (await ledger()).refusals.length === 7);
  const { refusals } = await ledger();
  const parameter = refusals.find(({ field }) => field?.startsWith('Parameters'));
  assert.deepEqual([parameter?.field, parameter?.got], ['Parameters[].Value', 'a number']);
  const code = refusals.find(({ field }) => field === 'Metrics.Language.Code');
  assert.equal(code?.got, 'another code');
  const { number } = journal.segments().at(-1)!;
  const onDisk = (await readFile(segmentPath(journal.folder, number))).toString('latin1');
  const stored = JSON.stringify(await control.tallies.read(id, 0, Number.MAX_SAFE_INTEGER));
  for (const text of [onDisk, stored]) {
    assert.match(text, /Parameters\[\]\.Value/);
    for (const value of ['marked', '17031999', apiKey, apiKey.slice(0, 12)])
      assert.ok(!text.includes(value), value);
  }
});
