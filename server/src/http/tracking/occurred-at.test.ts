import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { requestText, sendRaw } from '../../../test/support/raw-connection.ts';
import { pageView } from '../../../test/support/records.ts';
import { createFakeClock } from '../../control/test-control.ts';
import { readJournal } from '../../journal/test-journal.ts';
import { recordColumns } from '../../records/record-columns.ts';
import { startTestHttp } from '../test-http.ts';

const hourMs = 3_600_000;
const yesterday = '2026-03-09T23:30:00.250Z';

async function open(t: TestContext, contingent: number | null = null) {
  const clock = createFakeClock('2026-03-10T09:00:00Z');
  const parts = await startTestHttp(t, { clock });
  const { apiKey } = await parts.addWebsite('a.test', contingent);
  const send = async (
    body: unknown,
    { path = '/api/page-view', headers = {} }: { path?: string; headers?: Record<string, string> } = {},
  ) => {
    const own = { Authorization: apiKey, ...headers };
    const answer = await sendRaw(parts.origin, requestText('POST', path, own, JSON.stringify(body)));
    return { status: answer!.status, headers: answer!.headers, body: JSON.parse(answer!.body) };
  };
  const rows = async () =>
    (await readJournal(parts.journal)).map((payload) =>
      Object.fromEntries(JSON.parse(payload).map((value: unknown, at: number) => [recordColumns[at], value])),
    );
  return { ...parts, clock, send, rows };
}

test('a record that waited has the day and the time of when it happened, and arrives now', async (t) => {
  const { send, rows } = await open(t);
  const late = { ...pageView(), OccurredAt: yesterday };
  assert.equal((await send(late)).status, 200);
  assert.equal((await send({ Records: [late, pageView()] }, { path: '/api/batch' })).status, 200);
  // A request with a query goes to Node's parser.
  assert.equal((await send(late, { path: '/api/page-view?a=1' })).status, 200);
  const [alone, inBatch, inTime, byNode] = await rows();
  const times = ({ day, received_at, local_at, waited_ms }: Record<string, unknown> = {}) => [
    day,
    received_at,
    local_at,
    waited_ms,
  ];
  const waitedMs = 9.5 * hourMs - 250;
  const expected = ['2026-03-09', '2026-03-10 09:00:00.000', '2026-03-09 23:30:00', waitedMs];
  for (const row of [alone, inBatch, byNode]) assert.deepEqual(times(row), expected);
  assert.deepEqual(times(inTime), ['2026-03-10', '2026-03-10 09:00:00.000', '2026-03-10 09:00:00', 0]);
  assert.equal(alone!.visitor_id, inBatch!.visitor_id);
  assert.notEqual(alone!.visitor_id, inTime!.visitor_id, 'the salt is that of its day');
});

test('a record that is too old uses no contingent, and a 400 comes before a 429', async (t) => {
  const { send, counts } = await open(t, 1);
  const tooOld = { ...pageView(), OccurredAt: '2026-03-09T07:59:59Z' };
  const first = await send(tooOld);
  assert.deepEqual([first.status, first.headers['contingent-remaining']], [400, '1']);
  assert.equal((await send({ ...pageView(), OccurredAt: yesterday })).status, 200);
  assert.equal((await send(tooOld)).status, 400);
  assert.equal((await send(pageView())).status, 429);
  assert.deepEqual(
    [...counts.refused],
    [
      ['malformed', 2],
      ['contingent-used-up', 1],
    ],
  );
});

test('a repeat of an accepted record is a repeat, even if its time is too long ago by then', async (t) => {
  const { send, clock, rows, counts } = await open(t);
  const late = { ...pageView(), OccurredAt: '2026-03-09T08:10:00Z' };
  const again = { headers: { 'Idempotency-Key': 'a' } };
  const first = await send(late, again);
  assert.equal(first.status, 200);
  clock.pass(hourMs / 2);
  const second = await send(late, again);
  assert.deepEqual(second.body, first.body);
  assert.equal(second.headers['trackside-receipt'], first.headers['trackside-receipt']);
  assert.deepEqual([(await rows()).length, counts.repeated.page_view], [1, 1]);
  assert.equal((await send(late, { headers: { 'Idempotency-Key': 'b' } })).status, 400);
});
