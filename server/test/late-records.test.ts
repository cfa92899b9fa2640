import assert from 'node:assert/strict';
import { request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { before, test } from 'node:test';
import { addDays, toDay } from '@trackside/contract/calendar/day.ts';
import { findFreePort } from './support/find-free-port.ts';
import { isLongForm, testLong } from './support/long-form.ts';
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

/** What the server answers about a day: totals, without and with a filter, and lists. */
async function askDay(token: string, day: string) {
  const period = { from: day, to: day };
  const ask = async (question: object) => {
    let rows: Row[] | undefined;
    // Again while the days are being added up, as a page does.
    await waitFor('an answer', async () => {
      const response = await fetch(`${trackside.origin()}/api/stats/query`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${token}` },
        body: JSON.stringify({
          period,
          metrics: ['visitors', 'visits', 'pageViews', 'visitDuration'],
          ...question,
        }),
      });
      ({ rows } = (await response.json()) as { rows?: Row[] });
      return response.status !== 503;
    });
    return rows!.map(({ dimensions, metrics }) =>
      [...Object.values(dimensions ?? {}), ...Object.values(metrics)].map(String).join(' '),
    );
  };
  return {
    all: (await ask({}))[0],
    filtered: (await ask({ filters: [{ dimension: 'page', contains: '/be' }] }))[0],
    entryPages: await ask({ dimensions: ['entryPage'], metrics: ['visits'] }),
    hours: (await ask({ dimensions: ['hour'], metrics: ['pageViews'] })).toSorted(),
  };
}

type Row = { dimensions?: Record<string, string>; metrics: Record<string, number | null> };

/** Questions that come within half a second share a look at the days. */
async function untilCounted(token: string, day: string, expected: Awaited<ReturnType<typeof askDay>>) {
  let last: Awaited<ReturnType<typeof askDay>> | undefined;
  await waitFor('the records to be counted', async () => {
    last = await askDay(token, day);
    return last.all === expected.all;
  });
  assert.deepEqual(last, expected);
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
  ...(isLongForm ? [['yesterday', yesterday] as const] : []),
  ['a day that is closed', closedDay],
] as const) {
  test(`late records count in the visits of ${name}, however they come`, async () => {
    const domain = `${day}.test`;
    const { id, apiKey } = await trackside.addWebsite(domain);
    const { token } = await run('token', 'add', domain);
    const receipt = await send(apiKey, recordAt(day, '12:00:00', '/noon'));
    await untilStored(id, 1);
    await waitFor('the receipt to say so', async () => (await stateOf(apiKey, receipt)).State === 'stored');
    assert.deepEqual(await stateOf(apiKey, receipt), { State: 'stored', Day: day });
    await untilCounted(token, day, {
      all: '1 1 1 0',
      filtered: '0 0 0 null',
      entryPages: ['/noon 1'],
      hours: ['12 1'],
    });

    // From here on, the day has been built before, and its numbers are in memory.
    await sendInChunks(apiKey, recordAt(day, '11:50:00', '/before'));
    const Records = [recordAt(day, '12:10:00', '/behind'), recordAt(day, '12:50:00', '/later')];
    assert.equal((await post(trackside.origin(), '/api/batch', apiKey, { Records })).status, 200);
    await untilStored(id, 4);
    await untilCounted(token, day, {
      // A visit of 20 minutes and one of none.
      all: '1 2 4 600',
      filtered: '1 1 2 1200',
      entryPages: ['/before 1', '/later 1'],
      hours: ['11 1', '12 3'],
    });

    await send(apiKey, recordAt(day, '12:30:00', '/between'));
    await untilStored(id, 5);
    await untilCounted(token, day, {
      // It joins both visits.
      all: '1 1 5 3600',
      filtered: '1 1 3 3600',
      entryPages: ['/before 1'],
      hours: ['11 1', '12 4'],
    });
    assert.equal((await askDay(token, today)).all, '0 0 0 null');
  });
}

testLong('someone who came yesterday, as it turns out, is a returning visitor today', async () => {
  const domain = 'late-returning.test';
  const { id, apiKey } = await trackside.addWebsite(domain);
  const Identify = { ClientId: 'ada' };
  const typesOf = async () => {
    const { rows } = await run(
      'stats',
      domain,
      '--period',
      '7d',
      '--by',
      'visitorType',
      '--metrics',
      'visits',
    );
    return rows
      .map(({ dimensions, metrics }: Row) => `${dimensions!.visitorType} ${metrics.visits}`)
      .toSorted();
  };
  await send(apiKey, recordAt(yesterday, '12:00:00', '/', { Identify }));
  await untilStored(id, 1);
  assert.deepEqual(await typesOf(), ['new 1']);
  await send(apiKey, recordAt(closedDay, '12:00:00', '/', { Identify }));
  await untilStored(id, 2);
  assert.deepEqual(await typesOf(), ['new 1', 'returning 1']);
});

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

testLong('a person who was erased does not come back with late records', async () => {
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

testLong('what an erased person did before they signed in does not come after the erasure', async () => {
  const domain = 'late-sign-in.test';
  const { id, apiKey } = await trackside.addWebsite(domain);
  const signedIn = (time: string, ClientId: string) =>
    send(apiKey, recordAt(yesterday, time, '/signed-in', { Identify: { ClientId } }));
  await signedIn('12:10:00', 'dora');
  // Two people share the device in the afternoon, so records without a ClientId are nobody's.
  await signedIn('16:00:00', 'dora');
  await signedIn('16:10:00', 'emil');
  await untilStored(id, 3);
  const { records } = await run('person', 'erase', domain, 'dora', '--yes');
  assert.equal(records, 2);

  const late = await send(apiKey, recordAt(yesterday, '12:00:00', '/before'));
  const kept = await send(apiKey, recordAt(yesterday, '16:05:00', '/shared'));
  await waitFor('a record to be stored', async () => (await stateOf(apiKey, kept)).State === 'stored');
  await waitFor('a record to be gone', async () => (await stateOf(apiKey, late)).State === 'gone');
  assert.equal(await trackside.countRows(`website_id = ${id}`), 2);
});

test('exports say how long a record waited', async () => {
  const domain = 'late-export.test';
  const { id, apiKey } = await trackside.addWebsite(domain);
  await send(apiKey, recordAt(yesterday, '12:00:00', '/'));
  await send(apiKey, pageView());
  await untilStored(id, 2);
  const { code, stdout, stderr } = await trackside.run('export', domain, '--format', 'ndjson');
  assert.equal(code, 0, stderr);
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
