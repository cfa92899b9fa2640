import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { openRaw, requestText, sendRaw } from '../../../test/support/raw-connection.ts';
import { event, pageView } from '../../../test/support/records.ts';
import { createFakeClock } from '../../control/test-control.ts';
import { readJournal } from '../../journal/test-journal.ts';
import { startTestHttp } from '../test-http.ts';

type BatchBody = { Code: number; Message: string; Results?: { Code: number; Message: string }[] };
type Sending = { headers?: Record<string, string>; method?: string };

const view = (path: string) => pageView({ Page: { Absolute: `https://example.com${path}` } });
const keyed = (key: string, record: object = pageView()) => ({ ...record, IdempotencyKey: key });
const malformed = { Metrics: {} };

async function open(t: TestContext, contingent: number | null = null, maxBytes?: number) {
  const clock = createFakeClock('2026-03-10T09:00:00Z');
  const parts = await startTestHttp(t, { clock, ...(maxBytes && { maxBytes }) });
  const { id, apiKey } = await parts.addWebsite('a.test', contingent);
  const sendBytes = async (body: Buffer | string, { headers, method = 'POST' }: Sending = {}) => {
    const response = await fetch(`${parts.origin}/api/batch`, {
      method,
      headers: { Authorization: apiKey, ...headers },
      body,
    });
    const answer = (await response.json()) as BatchBody;
    assert.equal(answer.Code, response.status);
    const codes = answer.Results?.map(({ Code }) => Code);
    return { ...answer, codes, headers: response.headers };
  };
  const send = (list: unknown[], sending?: Sending) => sendBytes(JSON.stringify({ Records: list }), sending);
  const rows = async () => (await readJournal(parts.journal)).length;
  return { ...parts, clock, id, apiKey, send, sendBytes, rows };
}

test('answers each record in order, and 200 only if all of them were accepted', async (t) => {
  const { send, rows, counts } = await open(t);
  const all = await send([pageView(), event('Signup', [])]);
  assert.deepEqual(
    [all.Code, all.Message, all.Results],
    [
      200,
      'Success',
      [
        { Code: 200, Message: 'Success' },
        { Code: 200, Message: 'Success' },
      ],
    ],
  );
  const some = await send([pageView(), malformed, event('Signup', []), 7, { name: 'x', ...pageView() }]);
  assert.equal(some.Code, 207);
  assert.equal(some.Message, '2 of 5 records were accepted: see Results for the others');
  assert.deepEqual(some.codes, [200, 400, 200, 400, 400]);
  assert.match(some.Results![1]!.Message, /^Metrics\.Browser: expected an object, got nothing/);
  assert.match(some.Results![3]!.Message, /^Body: expected a JSON object, got a number/);
  assert.match(some.Results![4]!.Message, /^Name: expected the member to be spelled Name, got name/);
  const none = await send([malformed]);
  assert.deepEqual([none.Code, none.codes], [207, [400]]);
  assert.equal(none.headers.get('retry-after'), null);
  assert.equal(await rows(), 4);
  assert.deepEqual(counts.accepted, { page_view: 2, event: 2 });
  assert.deepEqual([...counts.refused], [['malformed', 4]]);
});

test('writes all accepted records as one group', async (t) => {
  const { send, journal, rows } = await open(t);
  const groups: number[] = [];
  const appendTogether = journal.appendTogether;
  journal.appendTogether = (entries) => {
    groups.push(entries.length);
    appendTogether(entries);
  };
  await send([...Array.from({ length: 300 }, (_, at) => view(`/${at}`)), malformed]);
  assert.deepEqual(groups, [300]);
  assert.equal(await rows(), 300);
});

test('keeps the order of the records', async (t) => {
  const { send, journal } = await open(t);
  await send(Array.from({ length: 40 }, (_, at) => view(`/p${at}`)));
  const paths = (await readJournal(journal)).map((payload) => JSON.parse(payload)[8]);
  assert.deepEqual(
    paths,
    Array.from({ length: 40 }, (_, at) => `/p${at}`),
  );
});

test('refuses what is not a list of 1 to 500 records as a whole, and stores nothing', async (t) => {
  const { sendBytes, rows, counts, recent, id } = await open(t, 10);
  const broken = `{"Records":[${JSON.stringify(pageView())},{"a":}]}`;
  const faults: [body: string, says: RegExp][] = [
    ['{"Records":[{}', /^Body: .* not valid JSON/],
    [broken, /^Body: .* not valid JSON/],
    ['[{}]', /^Body: expected a JSON object, got an array of 1 element/],
    ['{}', /^Records: expected an array of 1 to 500 records, got nothing/],
    ['{"Records":[]}', /^Records: expected an array of 1 to 500 records/],
    ['{"records":[{}]}', /^Records: expected the member to be spelled Records/],
    [JSON.stringify({ Records: Array(501).fill(pageView()) }), /got more than 500/],
  ];
  for (const [body, says] of faults) {
    const answer = await sendBytes(body);
    assert.equal(answer.Code, 400);
    assert.match(answer.Message, says);
    assert.equal(answer.Results, undefined);
    assert.equal(answer.headers.get('contingent-remaining'), '10');
    const [shown] = recent.list(id).requests;
    assert.deepEqual([shown?.kind, shown?.code, shown?.message], ['batch', 400, answer.Message]);
  }
  assert.equal(await rows(), 0);
  assert.deepEqual([...counts.refused], [['malformed', faults.length]]);
});

test('refuses a wrong key, another method, and a key for the whole batch', async (t) => {
  const { send, rows } = await open(t);
  const wrong = await send([pageView()], { headers: { Authorization: 'wrong' } });
  assert.equal(wrong.Code, 401);
  const put = await send([pageView()], { method: 'PUT' });
  assert.deepEqual([put.Code, put.headers.get('allow')], [405, 'POST']);
  const key = await send([pageView()], { headers: { 'Idempotency-Key': 'a' } });
  assert.equal(key.Code, 400);
  assert.match(key.Message, /^Idempotency-Key: expected none for a batch, got one; put an IdempotencyKey/);
  const dryRun = await send([pageView()], { headers: { 'Trackside-Dry-Run': '1' } });
  assert.equal(dryRun.Code, 400);
  assert.match(dryRun.Message, /^Trackside-Dry-Run: expected none for a batch/);
  assert.equal(await rows(), 0);
});

test('reads gzip, and stops at 4 MiB of what comes out of it', async (t) => {
  const { sendBytes, rows, messages } = await open(t);
  const gzip = { headers: { 'Content-Encoding': 'gzip' } };
  const body = JSON.stringify({ Records: Array.from({ length: 500 }, (_, at) => view(`/${at}`)) });
  const answer = await sendBytes(gzipSync(body), gzip);
  assert.deepEqual([answer.Code, answer.Results?.length], [200, 500]);
  const bomb = gzipSync(`{"Records":[${' '.repeat(50 * 1024 * 1024)}]}`);
  assert.ok(bomb.length < 100_000);
  const refused = await sendBytes(bomb, gzip);
  assert.deepEqual([refused.Code, refused.Message], [400, 'Body: expected at most 4194304 bytes, got more']);
  const broken = await sendBytes('no gzip', gzip);
  assert.equal(broken.Code, 400);
  const plain = await sendBytes(`{"Records":[${' '.repeat(4 * 1024 * 1024)}]}`);
  assert.match(plain.Message, /at most 4194304 bytes/);
  assert.equal(await rows(), 500);
  assert.deepEqual(
    messages.filter((message) => /fault|failed/i.test(message)),
    [],
  );
});

test('accepts exactly as many records as the contingent has left', async (t) => {
  const { send, rows } = await open(t, 3);
  const answer = await send([
    pageView(),
    malformed,
    pageView(),
    pageView(),
    pageView(),
    malformed,
    pageView(),
  ]);
  assert.equal(answer.Code, 207);
  assert.deepEqual(answer.codes, [200, 400, 200, 200, 429, 400, 429]);
  assert.match(answer.Results![4]!.Message, /^Monthly contingent of 3 records is used up/);
  assert.equal(answer.headers.get('contingent-remaining'), '0');
  assert.ok(Number(answer.headers.get('retry-after')) > 86_400);
  assert.deepEqual((await send([pageView()])).codes, [429]);
  assert.equal(await rows(), 3);
});

test('recognizes repeats in the batch, in later batches, and in single requests', async (t) => {
  const { send, rows, counts, origin, apiKey } = await open(t, 10);
  const first = await send([keyed('a'), keyed('a'), keyed('b'), keyed('a', view('/other')), pageView()]);
  assert.deepEqual(first.codes, [200, 200, 200, 400, 200]);
  assert.match(first.Results![3]!.Message, /^IdempotencyKey: expected a new key for each record/);
  const again = await send([keyed('b'), keyed('c'), keyed('a', event('Signup', []))]);
  assert.deepEqual(again.codes, [200, 200, 400]);
  const single = async (key: string, body: object) => {
    const headers = { Authorization: apiKey, 'Idempotency-Key': key };
    return (await sendRaw(origin, requestText('POST', '/api/page-view', headers, JSON.stringify(body))))
      ?.status;
  };
  assert.deepEqual([await single('a', pageView()), await single('d', pageView())], [200, 200]);
  assert.deepEqual((await send([keyed('d')])).codes, [200]);
  assert.equal(await rows(), 5);
  assert.deepEqual([counts.accepted.page_view, counts.repeated.page_view], [5, 4]);
});

test('a repeat of a refused record is refused with it, and both can come again', async (t) => {
  const { send, setContingent, id, rows } = await open(t, 0);
  assert.deepEqual((await send([keyed('a'), keyed('a')])).codes, [429, 429]);
  await setContingent(id, null);
  assert.deepEqual((await send([keyed('a'), keyed('a')])).codes, [200, 200]);
  assert.equal(await rows(), 1);
});

test('answers 503 for each record that cannot be kept, and says when to come back', async (t) => {
  const { send, counts, rows } = await open(t, 5, 1);
  const answer = await send([pageView(), malformed, keyed('a')]);
  assert.equal(answer.Code, 207);
  assert.deepEqual(answer.codes, [503, 400, 503]);
  assert.match(answer.Results![0]!.Message, /^There is no space to keep the record/);
  assert.equal(answer.headers.get('retry-after'), '30');
  assert.equal(answer.headers.get('contingent-remaining'), '5');
  assert.equal(counts.refused.get('journal-full'), 2);
  assert.equal(await rows(), 0);
});

test('answers 200 to excluded records, and neither stores nor counts them', async (t) => {
  const { send, setExclusions, id, rows, counts, recent } = await open(t, 1);
  await setExclusions(id, [{ kind: 'path', value: '/pricing' }]);
  const answer = await send([keyed('a'), keyed('a'), view('/other')]);
  assert.deepEqual([answer.Code, answer.codes], [200, [200, 200, 200]]);
  const said = 'Excluded: the path matches /pricing';
  assert.deepEqual(
    answer.Results?.map(({ Message }) => Message),
    [said, said, 'Success'],
  );
  assert.equal(await rows(), 1);
  assert.deepEqual(counts.excluded, new Map([[id, new Map([['path', 2]])]]));
  assert.equal(recent.list(id).excluded, 2);
  await setExclusions(id, []);
  assert.deepEqual((await send([keyed('a')])).codes, [429], 'its key is not remembered');
});

test('shows each record among the recent requests', async (t) => {
  const { send, recent, id } = await open(t);
  await send([pageView(), event('Signup', []), malformed, keyed('a'), keyed('a')]);
  const shown = recent.list(id).requests.map(({ kind, code, isRepeat }) => `${kind} ${code} ${isRepeat}`);
  assert.deepEqual(shown.toSorted(), [
    'event 200 false',
    'page_view 200 false',
    'page_view 200 false',
    'page_view 200 true',
    'page_view 400 false',
  ]);
});

test('takes batches on a connection that also brings single records', async (t) => {
  const { origin, apiKey } = await open(t);
  const headers = { Authorization: apiKey };
  const one = requestText('POST', '/api/page-view', headers, JSON.stringify(pageView()));
  const batch = requestText('POST', '/api/batch', headers, JSON.stringify({ Records: [pageView()] }));
  const connection = await openRaw(origin);
  connection.send(one + batch + one + batch);
  const answers = await connection.untilAnswers(4);
  assert.deepEqual(
    answers.map(({ status, body }) => [status, 'Results' in JSON.parse(body)]),
    [
      [200, false],
      [200, true],
      [200, false],
      [200, true],
    ],
  );
  connection.destroy();
});
