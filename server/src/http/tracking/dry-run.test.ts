import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { openRaw, requestText, sendRaw } from '../../../test/support/raw-connection.ts';
import { pageView } from '../../../test/support/records.ts';
import { createFakeClock } from '../../control/test-control.ts';
import { readJournal } from '../../journal/test-journal.ts';
import { startTestHttp } from '../test-http.ts';

async function open(t: TestContext, contingent: number | null) {
  const parts = await startTestHttp(t, { clock: createFakeClock('2026-03-10T23:30:00Z') });
  const { id, apiKey } = await parts.addWebsite('a.test', contingent);
  const send = async (headers: Record<string, string> = {}, body: unknown = pageView()) => {
    const own = { Authorization: apiKey, ...headers };
    const answer = await sendRaw(
      parts.origin,
      requestText('POST', '/api/page-view', own, JSON.stringify(body)),
    );
    return { status: answer!.status, headers: answer!.headers, body: JSON.parse(answer!.body) };
  };
  return { ...parts, id, apiKey, send };
}

const dry = { 'Trackside-Dry-Run': '1' };

test('a dry run says what would be stored, and leaves no trace', async (t) => {
  const { send, counts, journal, recent, id } = await open(t, 2);
  const { status, headers, body } = await send(dry);
  assert.equal(status, 200);
  assert.equal(headers['contingent-remaining'], '2');
  const { Understood, ...verdict } = body;
  assert.deepEqual(verdict, { Code: 200, Message: 'Success', DryRun: true });
  assert.deepEqual([Understood.Day, Understood.Bot], ['2026-03-10', null]);
  assert.equal((await readJournal(journal)).length, 0);
  assert.deepEqual(recent.list(id), { requests: [], skipped: 0, excluded: 0 });
  assert.deepEqual(counts, {
    accepted: { page_view: 0, event: 0 },
    repeated: { page_view: 0, event: 0 },
    excluded: new Map(),
    refused: new Map(),
    dryRuns: 1,
  });
});

test('a dry run that is refused before its body is read leaves no trace either', async (t) => {
  const { send, apiKey, origin, counts, recent, id } = await open(t, null);
  const refused = [
    { 'Trackside-Sequence': 'x' },
    { 'Trackside-Release': '' },
    { 'Idempotency-Key': '' },
    { 'Content-Encoding': 'br' },
    { 'Content-Encoding': 'gzip' },
  ];
  for (const headers of refused) {
    const { status, body } = await send({ ...dry, ...headers });
    assert.deepEqual([status, body.Code, body.DryRun], [400, 400, true], JSON.stringify(headers));
  }
  const tooLarge = await send(dry, 'x'.repeat(600_000));
  assert.equal(tooLarge.body.DryRun, true);
  const batch = requestText('POST', '/api/batch', { Authorization: apiKey, ...dry }, '{"Records":[{}]}');
  assert.equal((await sendRaw(origin, batch))!.status, 400);
  assert.deepEqual(recent.list(id), { requests: [], skipped: 0, excluded: 0 });
  assert.deepEqual([counts.refused, counts.dryRuns], [new Map(), refused.length + 2]);
});

test('a dry run is no repeat, and a record is none of a dry run', async (t) => {
  const { send, counts, journal } = await open(t, null);
  const key = { 'Idempotency-Key': 'a' };
  for (const headers of [{ ...dry, ...key }, key, { ...dry, ...key }])
    assert.equal((await send(headers)).status, 200);
  assert.equal((await readJournal(journal)).length, 1);
  assert.deepEqual([counts.accepted.page_view, counts.repeated.page_view, counts.dryRuns], [1, 0, 2]);
});

test('a dry run of a website without contingent is told so, with what was understood', async (t) => {
  const { send, counts } = await open(t, 0);
  const { status, headers, body } = await send(dry);
  assert.equal(status, 429);
  assert.ok(Number(headers['retry-after']) > 0);
  assert.equal(body.Understood.Day, '2026-03-10');
  assert.equal(counts.refused.size, 0);
});

test('a dry run shows neither the address nor the ClientId', async (t) => {
  const { send } = await open(t, null);
  const view = pageView({
    Browser: { IP: '198.51.100.77', UserAgent: '' },
    Identify: { ClientId: 'customer-1815' },
    Page: { Absolute: 'https://a.test/account?token=s3cret-of-mine&mail=ada@example.com' },
  });
  const { body } = await send(dry, view);
  assert.equal(body.Understood.HasClientId, true);
  assert.doesNotMatch(JSON.stringify(body), /198\.51|customer-1815|s3cret|ada@/);
});

test('a connection goes on with records after a dry run', async (t) => {
  const { origin, apiKey, counts } = await open(t, null);
  const connection = await openRaw(origin);
  t.after(() => connection.destroy());
  const body = JSON.stringify(pageView());
  for (const headers of [{}, dry, {}])
    connection.send(
      requestText(
        'POST',
        '/api/page-view',
        { Authorization: apiKey, Connection: 'keep-alive', ...headers },
        body,
      ),
    );
  const answers = await connection.untilAnswers(3);
  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 200, 200],
  );
  assert.deepEqual([counts.accepted.page_view, counts.dryRuns], [2, 1]);
});

test('a dry run says the time and the day that were understood', async (t) => {
  const { send } = await open(t, null);
  const judge = async (OccurredAt: string) => (await send(dry, { ...pageView(), OccurredAt })).body;
  const { Understood } = await judge('2026-03-10T01:30:00+02:00');
  assert.deepEqual([Understood.OccurredAt, Understood.Day], ['2026-03-09T23:30:00.000Z', '2026-03-09']);
  assert.equal((await send(dry)).body.Understood.OccurredAt, '2026-03-10T23:30:00.000Z');
  const ahead = await judge('2026-03-10T23:34:00Z');
  assert.equal(ahead.Understood.OccurredAt, '2026-03-10T23:30:00.000Z', 'as now');
  const tooOld = await judge('2026-03-09T22:29:59Z');
  assert.deepEqual([tooOld.Code, tooOld.Understood], [400, undefined]);
});
