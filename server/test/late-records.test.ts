import assert from 'node:assert/strict';
import { request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { before, test } from 'node:test';
import { addDays, toDay } from '@trackside/contract/calendar/day.ts';
import { findFreePort } from './support/find-free-port.ts';
import { pageView, post } from './support/records.ts';
import { shareTrackside } from './support/share-trackside.ts';
import type { Trackside } from './support/start-trackside.ts';
import { waitFor } from './support/wait-for.ts';

let trackside: Trackside;
const start = shareTrackside({
  environment: { TRACKSIDE_WORKERS: '2', TRACKSIDE_LATE_HOURS: '72' },
  port: await findFreePort(),
});
before(async () => {
  trackside = await start();
});

const today = toDay(Date.now());
const yesterday = addDays(today, -1);
/** A past day whose tables are closed. */
const closedDay = addDays(today, -2);

/** A page view of one device that happened at this time. */
const recordAt = (day: string, time: string, path: string, changes: Record<string, unknown> = {}) => ({
  ...pageView({ Page: { Absolute: `https://late.test${path}` }, ...changes }),
  OccurredAt: `${day}T${time}Z`,
});

async function send(apiKey: string, body: unknown): Promise<string> {
  const { status, headers, body: answer } = await post(trackside.origin(), '/api/page-view', apiKey, body);
  assert.equal(status, 200, JSON.stringify(answer));
  return headers.get('trackside-receipt') ?? assert.fail('expected a receipt');
}

/** Sends a record in chunks, which only Node's HTTP server takes. */
async function sendInChunks(apiKey: string, body: unknown): Promise<void> {
  const sent = request(`${trackside.origin()}/api/page-view`, {
    method: 'POST',
    headers: { Authorization: apiKey, 'Transfer-Encoding': 'chunked' },
  });
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  sent.on('error', reject).on('response', (response) => {
    buffer(response).then(() => resolve(response.statusCode ?? 0), reject);
  });
  sent.end(JSON.stringify(body));
  assert.equal(await promise, 200);
}

async function run(...words: string[]) {
  const { code, stdout, stderr } = await trackside.runHere(...words, '--json');
  assert.equal(code, 0, stderr);
  return JSON.parse(stdout);
}

async function totalsOf(domain: string, day: string, ...words: string[]) {
  const metrics = ['visitors', 'visits', 'pageViews', 'visitDuration'];
  const period = ['--period', `${day}..${day}`];
  const { rows } = await run('stats', domain, ...period, '--metrics', metrics.join(), ...words);
  const found = rows[0]?.metrics ?? {};
  return metrics.map((name) => found[name] ?? 0);
}

async function untilStored(id: number, rows: number): Promise<void> {
  await waitFor(
    'the records to be stored',
    async () => (await trackside.countRows(`website_id = ${id}`)) === rows,
  );
}

async function stateOf(apiKey: string, receipt: string) {
  const response = await fetch(`${trackside.origin()}/api/receipt/${receipt}`, {
    headers: { Authorization: apiKey },
  });
  const { State, Day } = (await response.json()) as { State?: string; Day?: string | null };
  return { State, Day };
}

for (const [name, day] of [
  ['yesterday', yesterday],
  ['a day that is closed', closedDay],
] as const) {
  test(`late records count in the visits of ${name}, however they come`, async () => {
    const domain = `${day}.test`;
    const { id, apiKey } = await trackside.addWebsite(domain);
    const receipt = await send(apiKey, recordAt(day, '12:00:00', '/noon'));
    await untilStored(id, 1);
    assert.deepEqual(await stateOf(apiKey, receipt), { State: 'stored', Day: day });
    assert.deepEqual(await totalsOf(domain, day), [1, 1, 1, 0]);

    // From here on, the day has been built before.
    await sendInChunks(apiKey, recordAt(day, '11:50:00', '/before'));
    const Records = [recordAt(day, '12:10:00', '/behind'), recordAt(day, '12:50:00', '/later')];
    assert.equal((await post(trackside.origin(), '/api/batch', apiKey, { Records })).status, 200);
    await untilStored(id, 4);
    assert.deepEqual(await totalsOf(domain, day), [1, 2, 4, 600], '20 minutes and none');
    await send(apiKey, recordAt(day, '12:30:00', '/between'));
    await untilStored(id, 5);
    assert.deepEqual(await totalsOf(domain, day), [1, 1, 5, 3600], 'it joins both visits');

    const listOf = async (by: string) =>
      (await run('stats', domain, '--period', `${day}..${day}`, '--by', by)).rows.map(
        ({ dimensions }: { dimensions: Record<string, string> }) => dimensions[by],
      );
    assert.deepEqual(await listOf('entryPage'), ['/before']);
    assert.deepEqual(await listOf('exitPage'), ['/later']);
    assert.deepEqual((await listOf('hour')).toSorted(), ['11', '12']);
    assert.deepEqual(await totalsOf(domain, day, '--filter', 'page=/between'), [1, 1, 1, 3600]);
    assert.deepEqual(await totalsOf(domain, today), [0, 0, 0, 0]);
  });
}

test('a late record counts toward the month in which it comes', async () => {
  const { apiKey } = await trackside.addWebsite('late-contingent.test', 1);
  await send(apiKey, recordAt(yesterday, '12:00:00', '/'));
  const { status, headers } = await post(
    trackside.origin(),
    '/api/page-view',
    apiKey,
    recordAt(yesterday, '12:00:01', '/'),
  );
  assert.deepEqual([status, headers.get('contingent-remaining')], [429, '0']);
});

test('a person who was erased does not come back with late records', async () => {
  const domain = 'late-erased.test';
  const { id, apiKey } = await trackside.addWebsite(domain);
  const Identify = { ClientId: 'carl' };
  // Carl signs in during a visit, so that what came before is his too.
  await send(apiKey, recordAt(yesterday, '12:00:00', '/before'));
  await send(apiKey, recordAt(yesterday, '12:10:00', '/signed-in', { Identify }));
  await untilStored(id, 2);
  const { records } = await run('person', 'erase', domain, 'carl', '--yes');
  assert.equal(records, 2);

  const late = [
    await send(apiKey, recordAt(yesterday, '12:05:00', '/between')),
    await send(apiKey, recordAt(yesterday, '12:30:00', '/behind')),
    await send(apiKey, recordAt(yesterday, '18:00:00', '/evening', { Identify })),
  ];
  const kept = [
    await send(apiKey, recordAt(yesterday, '20:00:00', '/another-visit')),
    await send(apiKey, pageView({ Identify })),
  ];
  for (const receipt of kept)
    await waitFor('a record to be stored', async () => (await stateOf(apiKey, receipt)).State === 'stored');
  for (const receipt of late)
    await waitFor('a record to be gone', async () => (await stateOf(apiKey, receipt)).State === 'gone');
  assert.equal(await trackside.countRows(`website_id = ${id}`), 2);
});

test('exports say how long a record waited', async () => {
  const domain = 'late-export.test';
  const { id, apiKey } = await trackside.addWebsite(domain);
  await send(apiKey, recordAt(yesterday, '12:00:00', '/'));
  await send(apiKey, pageView());
  await untilStored(id, 2);
  const { stdout } = await trackside.run('export', domain, '--format', 'ndjson');
  const rows = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  const happenedAt = rows.map(
    ({ received_at, waited_ms }) => Date.parse(`${received_at.replace(' ', 'T')}Z`) - waited_ms,
  );
  assert.deepEqual(
    rows.map(({ day }) => day),
    [yesterday, toDay(happenedAt[1]!)],
  );
  assert.equal(happenedAt[0], Date.parse(`${yesterday}T12:00:00Z`));
  assert.equal(rows[1].waited_ms, 0);
});
