import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { event, pageView, post } from './support/records.ts';
import { useTracksideHereOfProcess } from './support/share-trackside.ts';
import type { TracksideHere } from './support/start-trackside.ts';
import { waitFor } from './support/wait-for.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests check answers of any shape
type Came = any;

let trackside: TracksideHere;
let token: string;
let websiteId: number;

const startShared = useTracksideHereOfProcess();
before(async () => {
  trackside = await startShared();
  const { id, apiKey } = await trackside.addWebsite('batch.test');
  websiteId = id;
  const { stdout } = await trackside.runHere('token', 'add', 'batch.test', '--json');
  token = JSON.parse(stdout).token;
  await waitFor('the server to know the website', async () => {
    const { status } = await post(trackside.origin(), '/api/page-view', apiKey, pageView());
    return status === 200;
  });
  await post(trackside.origin(), '/api/event-view', apiKey, event('Signup', []));
  await trackside.untilTakenUp();
  await waitFor('the records to be counted', async () => {
    const { body } = await ask('query', { metrics: ['pageViews', 'events'], period: 'today' });
    return body.rows?.[0].metrics.pageViews === 1 && body.rows[0].metrics.events === 1;
  });
});

function send(path: string, body: unknown, signal: AbortSignal | null = null, authorization = token) {
  return sendAs({ Authorization: `Bearer ${authorization}` }, path, body, signal);
}

function sendAs(
  headers: Record<string, string>,
  path: string,
  body: unknown,
  signal: AbortSignal | null = null,
) {
  return fetch(`${trackside.origin()}/api/stats/${path}`, {
    method: 'POST',
    headers,
    body: typeof body === 'string' ? body : JSON.stringify(body),
    signal,
  });
}

async function ask(path: string, body: unknown) {
  const response = await send(path, body);
  return { status: response.status, headers: response.headers, body: (await response.json()) as Came };
}

/** Yields the lines of an answer as they arrive. */
async function* linesOf(response: Response): AsyncGenerator<Came> {
  let text = '';
  for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
    const lines = (text + chunk).split('\n');
    text = lines.pop()!;
    for (const line of lines) yield JSON.parse(line);
  }
  assert.equal(text, '');
}

/**
 * Counts the slow questions that are running, but not the builds of other websites, which read visits too. The
 * text is split so that this query doesn't count itself.
 */
async function countSlow(): Promise<number> {
  const query = `
    select count() as statements
    from system.processes
    where positionCaseInsensitive(query, 'from visits where (website_id = _cast(${websiteId}' || ',') > 0
      and position(query, 'country = ' || '\\'DE\\'') > 0`;
  const [row] = await trackside.store.query<{ statements: number }>({ query, isQuick: true });
  return row!.statements;
}

/** Shorter than the engine's limit, at which a question ends by itself. */
const stoppedMs = 25_000;

/** Makes every question to the visits run until the engine's limit of 30 seconds. */
async function withSlowVisits(work: () => Promise<void>): Promise<void> {
  const run = (query: string) => trackside.store.ofWebsite(websiteId).run({ query });
  await run('rename table visits to fast_visits');
  await run(`
    create view visits as
    select * from fast_visits
    where visitor_id not in (
      select number from numbers(6000) where sleepEachRow(0.01) = 1 settings max_block_size = 5
    )`);
  try {
    await work();
  } finally {
    await run('drop view visits');
    await run('rename table fast_visits to visits');
  }
}

/** A question that only the visits can answer, and that is never answered together with another one. */
const slowQuestion = (number: number) => ({
  metrics: ['pageViews'],
  period: 'today',
  filters: [
    { dimension: 'country', is: 'DE' },
    { dimension: 'page', isNot: `/${number}` },
  ],
});

test('answers each question with its own line, whatever happens to the others', async () => {
  const questions = [
    { kind: 'query', question: { metrics: ['pageViews'] } },
    { kind: 'query', question: { metrics: ['pageView'] } },
    { kind: 'query', question: { dimensions: ['page'], filters: [{ dimension: 'event', is: 'Signup' }] } },
    { kind: 'live' },
    { kind: 'bots', question: {} },
    { kind: 'funnel', question: { steps: [{ page: '/pricing' }, { event: 'Signup' }] } },
    { kind: 'funnel', question: {} },
    { kind: 'retention', question: {} },
    { kind: 'paths', question: { page: '/pricing' } },
    { kind: 'export', question: {} },
    { kind: 'query', question: {}, more: 1 },
    7,
  ];
  const response = await send('batch', { questions });
  assert.equal(response.status, 200);
  assert.equal(response.headers.get('content-type'), 'application/x-ndjson; charset=utf-8');
  assert.equal(response.headers.get('cache-control'), 'no-store');
  const lines = await Array.fromAsync(linesOf(response));
  lines.sort((a, b) => a.index - b.index);
  assert.deepEqual(
    lines.map(({ index, code }) => [index, code]),
    [200, 400, 200, 200, 200, 200, 400, 200, 200, 400, 400, 400].map((code, index) => [index, code]),
  );
  for (const { code, fault } of lines) assert.equal(fault, code === 200 ? undefined : 'question-invalid');
  assert.match(lines[1].message, /^metrics\[0\]: expected one of visitors, /);
  assert.match(lines[6].message, /^steps: expected a list, got nothing/);
  assert.match(lines[9].message, /^questions\[9\]\.kind: expected one of query, live, .*, got "export"/);
  assert.match(lines[10].message, /^questions\[10\]: expected only the members kind, question/);
  assert.match(lines[11].message, /^questions\[11\]: expected an object, got 7/);
  for (const { index, answer } of lines.filter(({ code }) => code === 200)) {
    const { kind, question } = questions[index] as { kind: string; question: unknown };
    const { body } = await ask(kind, question ?? {});
    // The live visitors change from one moment to the next.
    if (kind === 'live') assert.deepEqual(Object.keys(answer), Object.keys(body));
    else assert.deepEqual({ ...answer, asOf: '' }, { ...body, asOf: '' }, kind);
  }
});

test('refuses as a whole what is not a batch, or has no valid sender', async () => {
  const wrong: [unknown, RegExp][] = [
    ['{', /^Body: expected a JSON object/],
    [[], /^Body: expected an object, got a list/],
    [{}, /^questions: expected a list, got nothing/],
    [{ questions: [] }, /^questions: expected 1 to 32 questions, got none/],
    [{ questions: Array(33).fill({ kind: 'live' }) }, /^questions: expected at most 32 elements, got 33/],
  ];
  for (const [body, message] of wrong) {
    const answer = await ask('batch', body);
    assert.equal(answer.status, 400);
    assert.match(answer.body.message, message);
    assert.equal(answer.body.fault, body === '{' ? 'body-invalid' : 'question-invalid');
  }
  const response = await send('batch', { questions: [{ kind: 'live' }] }, null, 'wrong');
  assert.equal(response.status, 401);
  const { fault } = (await response.json()) as { fault: string };
  assert.equal(fault, 'unauthorized');
});

test('a slow question does not hold up the others', async () => {
  await withSlowVisits(async () => {
    const gone = new AbortController();
    const questions = [
      { kind: 'query', question: slowQuestion(0) },
      { kind: 'query', question: { metrics: ['pageViews'] } },
    ];
    const lines = linesOf(await send('batch', { questions }, gone.signal));
    const { value } = await lines.next();
    assert.deepEqual([value.index, value.code], [1, 200]);
    gone.abort();
    await waitFor('the slow one to be stopped', async () => (await countSlow()) === 0, stoppedMs);
  });
});

test('stops a question whose client leaves', async () => {
  await withSlowVisits(async () => {
    const gone = new AbortController();
    const asked = send('query', slowQuestion(0), gone.signal);
    await waitFor('the question to be under way', async () => (await countSlow()) === 1);
    gone.abort();
    await assert.rejects(asked, { name: 'AbortError' });
    await waitFor('it to be stopped', async () => (await countSlow()) === 0, stoppedMs);
  });
});

test('clients that leave free their place in the line, which is bounded', async () => {
  await withSlowVisits(async () => {
    const gone = new AbortController();
    const refused: Came[] = [];
    // Two questions run and 64 wait.
    const ask32 = async (batch: number) => {
      const questions = Array.from({ length: 32 }, (_, index) => ({
        kind: 'query',
        question: slowQuestion(32 * batch + index),
      }));
      for await (const line of linesOf(await send('batch', { questions }, gone.signal))) refused.push(line);
    };
    const batches: Promise<void>[] = [];
    for (const batch of [0, 1, 2]) {
      batches.push(ask32(batch));
      // So long that each looks for itself which days there are, which doesn't give it a place.
      await delay(600);
    }
    await waitFor('the line to be full', () => refused.length === 3 * 32 - 64 - 2);
    for (const { code, fault, retryAfterSeconds, message } of refused) {
      assert.deepEqual([code, fault, retryAfterSeconds], [503, 'busy', 2]);
      assert.match(message, /^This website has too many questions in progress: try again/);
    }
    const { status, headers, body } = await ask('query', slowQuestion(100));
    assert.deepEqual([status, body.fault, headers.get('retry-after')], [503, 'busy', '2']);
    gone.abort();
    for (const batch of batches) await assert.rejects(batch, { name: 'AbortError' });
    await waitFor('all to be stopped', async () => (await countSlow()) === 0, stoppedMs);
  });
  // The store may have stopped a question a moment before its place is free.
  await waitFor('a place to be free', async () => (await ask('query', slowQuestion(100))).status === 200);
  const { body } = await ask('query', slowQuestion(100));
  assert.equal(body.rows[0].metrics.pageViews, 1);
});

test('a public link that asks for too much leaves room for clients with a token', async () => {
  await trackside.control.websites.setShare(websiteId, 'on');
  const link = { 'Trackside-Share': (await trackside.control.websites.shareToken(websiteId))! };
  await waitFor('the link to work', async () => (await sendAs(link, 'live', {})).status === 200);
  await withSlowVisits(async () => {
    const gone = new AbortController();
    const questions = Array.from({ length: 32 }, (_, index) => ({
      kind: 'query',
      question: slowQuestion(index),
    }));
    // The answer begins as soon as one question has one.
    let answered: string | undefined;
    const flood = sendAs(link, 'batch', { questions }, gone.signal)
      .then((response) => response.text())
      .then((text) => {
        answered = text;
      });
    await waitFor('the link to have its place', async () => {
      assert.equal(answered, undefined);
      return (await countSlow()) === 1;
    });
    // On a busy machine, one of them may reach its limit before the other one begins.
    const askAgain = async (number: number) => {
      for (;;) await (await send('query', slowQuestion(number), gone.signal)).text();
    };
    const asked = [40, 41].map(askAgain);
    await waitFor('both others to be asked', async () => (await countSlow()) === 3);
    gone.abort();
    // All at once, because a rejection that nobody is waiting for yet fails the test.
    const all = [flood, ...asked].map((one) => assert.rejects(one, { name: 'AbortError' }));
    await Promise.all(all);
    await waitFor('all to be stopped', async () => (await countSlow()) === 0, stoppedMs);
  });
});
