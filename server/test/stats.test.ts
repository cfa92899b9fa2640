import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { hasPython, tryPythonClient } from './clients/try-python-client.ts';
import { tryTypeScriptClient } from './clients/try-typescript-client.ts';
import { testLong, times } from './support/long-form.ts';
import { event, pageView, post } from './support/records.ts';
import { useTracksideHereOfProcess } from './support/share-trackside.ts';
import type { TracksideHere } from './support/start-trackside.ts';
import { waitFor } from './support/wait-for.ts';

let trackside: TracksideHere;
let token: string;
let otherToken: string;
let apiKey: string;

const startShared = useTracksideHereOfProcess();
before(async () => {
  trackside = await startShared();
  ({ apiKey } = await trackside.addWebsite('a.test'));
  await trackside.addWebsite('b.test');
  [token, otherToken] = [await addToken('a.test'), await addToken('b.test')];
  await waitFor('the server to know the website', async () => {
    const { status } = await post(trackside.origin(), '/api/page-view', apiKey, pageView());
    return status === 200;
  });
  await trackside.untilTakenUp();
  await waitFor('the first record to be counted', async () => {
    const { body } = await ask('query', { metrics: ['pageViews'], period: 'today' });
    return body.rows?.[0].metrics.pageViews === 1;
  });
  await sendAndCount();
});
async function addToken(website: string): Promise<string> {
  const { stdout } = await trackside.runHere('token', 'add', website, '--json');
  return JSON.parse(stdout).token;
}

// biome-ignore lint/suspicious/noExplicitAny: tests check answers of any shape
type Came = any;

async function ask(path: string, body: unknown, authorization = `Bearer ${token}`) {
  const send = async () => {
    const response = await fetch(`${trackside.origin()}/api/stats/${path}`, {
      method: 'POST',
      headers: { Authorization: authorization },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, body: JSON.parse(text) as Came };
  };
  let answer = await send();
  // Again while the days are being added up, as a page does.
  await waitFor(`an answer to ${path}`, async () => {
    if (answer.body.fault !== 'being-calculated') return true;
    answer = await send();
    return false;
  });
  return answer;
}

/** Sends records of one visitor and waits until they are counted. */
async function sendAndCount(): Promise<void> {
  const { body: first } = await ask('query', { metrics: ['pageViews', 'events'], period: 'today' });
  const before = first.rows[0].metrics;
  const visitor = {
    Browser: { IP: '198.51.100.20', UserAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Firefox/145.0' },
  };
  const pages = ['/', '/pricing', '/docs'].map((path) => `https://a.test${path}?utm_source=news`);
  for (const Absolute of pages)
    await post(trackside.origin(), '/api/page-view', apiKey, pageView({ ...visitor, Page: { Absolute } }));
  await post(
    trackside.origin(),
    '/api/event-view',
    apiKey,
    event('Signup', [{ Name: '__proto__', Value: "'😀" }], visitor),
  );
  await trackside.untilTakenUp();
  await waitFor('the records to be counted', async () => {
    const { body } = await ask('query', { metrics: ['pageViews', 'events'], period: 'today' });
    const { pageViews, events } = body.rows[0].metrics;
    return pageViews === before.pageViews + 3 && events === before.events + 1;
  });
}

test('counts what arrived through the tracking endpoints', async () => {
  const { status, body } = await ask('query', {
    period: '7d',
    metrics: ['visitors', 'visits', 'pageViews', 'events', 'viewsPerVisit', 'bounceRate', 'conversionRate'],
    goal: 'Signup',
    filters: [{ dimension: 'browser', is: 'Firefox' }],
    compare: 'previousPeriod',
  });
  assert.equal(status, 200);
  assert.deepEqual([body.website, body.timezone, body.totalRows], ['a.test', 'UTC', 1]);
  assert.deepEqual(body.rows[0].metrics, {
    visitors: 1,
    visits: 1,
    pageViews: 3,
    events: 1,
    viewsPerVisit: 3,
    bounceRate: 0,
    conversionRate: 1,
  });
  assert.deepEqual(body.rows[0].comparison, {
    visitors: 0,
    visits: 0,
    pageViews: 0,
    events: 0,
    viewsPerVisit: null,
    bounceRate: null,
    conversionRate: null,
  });
  const pages = await ask('query', { dimensions: ['page'], metrics: ['pageViews'], limit: 2 });
  assert.equal(pages.body.rows.length, 2);
  assert.ok(pages.body.totalRows >= 3);
  assert.equal(pages.body.answeredFrom, 'rollups');
  const series = await ask('query', { interval: 'day', period: '30d', metrics: ['pageViews'] });
  assert.equal(series.body.rows.length, 30);
  const values = await ask('query', { dimensions: [{ dimension: 'parameterValue', of: '__proto__' }] });
  assert.deepEqual(
    values.body.rows.map(({ dimensions }: Came) => dimensions.parameterValue),
    ["'😀"],
  );
});

test('shows who is there now', async () => {
  const { status, body } = await ask('live', {});
  assert.equal(status, 200);
  assert.ok(body.visitors >= 1);
  assert.equal(body.minutes.length, 30);
  const views = body.minutes.reduce((sum: number, { pageViews }: Came) => sum + pageViews, 0);
  assert.ok(views >= 3);
});

test('keeps bots out of the numbers and reports them separately', async () => {
  const Browser = {
    IP: '192.0.2.1',
    UserAgent: 'Mozilla/5.0 (compatible; GPTBot/1.2; +https://openai.com/gptbot)',
  };
  const page = { Page: { Absolute: 'https://a.test/for-robots' } };
  await post(trackside.origin(), '/api/page-view', apiKey, pageView({ Browser, ...page }));
  await trackside.untilTakenUp();
  await waitFor('the bot', async () => (await ask('bots', {})).body.totalRows === 1);
  const { body } = await ask('bots', { dimensions: ['bot', 'page'] });
  assert.deepEqual(body.rows[0].dimensions, { bot: 'GPTBot', page: '/for-robots' });
  assert.equal(body.rows[0].records, 1);
  const counted = await ask('query', {
    filters: [{ dimension: 'page', is: '/for-robots' }],
    metrics: ['pageViews'],
  });
  assert.equal(counted.body.rows[0].metrics.pageViews, 0);
});

test('shows nothing of another website', async () => {
  const { status, body } = await ask('query', { metrics: ['pageViews'] }, `Bearer ${otherToken}`);
  assert.deepEqual([status, body.website, body.rows[0].metrics.pageViews], [200, 'b.test', 0]);
});

test('follows steps, and knows who comes back and what surrounds a page', async () => {
  const steps = [
    { page: '/' },
    { page: '/pri*' },
    { event: 'Signup', parameter: { name: '__proto__', value: "'😀" } },
  ];
  const funnel = await ask('funnel', { steps });
  assert.deepEqual(
    funnel.body.steps.map(({ visitors }: Came) => visitors),
    [1, 1, 1],
  );
  const paths = await ask('paths', { page: '/pricing', steps: 1 });
  assert.equal(paths.body.before[0].pages[0].page, '/');
  assert.equal(paths.body.after[0].pages[0].page, '/docs');
  const retention = await ask('retention', {});
  assert.ok(retention.body.visitorsWithoutClientId >= 1);
  const wrong: [string, unknown, RegExp][] = [
    ['funnel', { steps: [{ page: '/' }] }, /^steps: expected 2 to 8 steps, got 1/],
    ['funnel', { steps: [{ page: '/' }, {}] }, /^steps\[1\]: expected either page or event, got neither/],
    ['funnel', { steps, within: { days: 0 } }, /^within\.days: expected a whole number from 1 to 90/],
    ['paths', {}, /^page: expected a string, got nothing/],
    ['live', { period: '30d' }, /^Question: expected no members, got "period"/],
    ['live', [], /^Question: expected an object, got a list/],
    ['bots', { dimensions: ['bot', 'bot'] }, /^dimensions: expected each at most once/],
    ['bots', { dimensions: [], offset: 1 }, /^offset: expected only with dimensions, got 1/],
    [
      'funnel',
      { steps, filters: [{ dimension: 'hour', is: '9' }] },
      /^filters\[0\]\.is: expected two digits/,
    ],
    ['retention', { period: { lastMinutes: 5 } }, /^period: expected whole days/],
  ];
  for (const [path, body, message] of wrong) {
    const answer = await ask(path, body);
    assert.match(answer.body.message, message);
    assert.equal(answer.body.fault, 'question-invalid');
  }
});

test('answers only those with a read token', async () => {
  for (const authorization of ['', 'Bearer wrong', apiKey, `Bearer ${apiKey}`, `Basic ${token}`]) {
    for (const path of ['query', 'live', 'bots', 'funnel', 'retention', 'paths', 'goals']) {
      const { status, body } = await ask(path, {}, authorization);
      assert.deepEqual([status, body.code, body.fault], [401, 401, 'unauthorized'], authorization);
    }
  }
  const { stdout } = await trackside.runHere('token', 'add', 'a.test', '--json');
  const added = JSON.parse(stdout);
  assert.equal((await ask('query', {}, added.token)).status, 200);
  await trackside.runHere('token', 'revoke', String(added.id));
  assert.equal((await ask('query', {}, added.token)).status, 401);
});

test('lets pages of the origins that the owner has named read with a token, and no others', async () => {
  const named = 'https://intranet.test';
  const other = 'https://elsewhere.test';
  const send = (method: string, headers: Record<string, string>, body?: string) =>
    fetch(`${trackside.origin()}/api/stats/live`, { method, headers, ...(body && { body }) });
  const preflight = (origin: string, method = 'POST') =>
    send('OPTIONS', { Origin: origin, 'Access-Control-Request-Method': method });
  const question = (origin: string, authorization: string, body = '{}') =>
    send('POST', { Origin: origin, Authorization: authorization }, body);
  /** The status, and every header that tells the browser what a page may do. */
  const tells = ({ status, headers }: Response) => {
    assert.equal(headers.get('vary'), 'Origin');
    const about = [...headers].filter(([name]) => name.startsWith('access-control-'));
    return { status, ...Object.fromEntries(about) };
  };
  const readable = {
    'access-control-allow-origin': named,
    'access-control-expose-headers':
      'Retry-After, Trackside-Total-Rows, Trackside-Visitors-Are, Trackside-Visitors, Trackside-Visitors-Without-ClientId',
  };
  assert.deepEqual(tells(await preflight(named)), { status: 405 }, 'as long as nobody has named it');
  const { code } = await trackside.runHere('website', 'set-read-origins', 'a.test', `${named}/`);
  assert.equal(code, 0);
  await waitFor('the server to know the origin', async () => (await preflight(named)).status === 204);

  assert.deepEqual(tells(await preflight(named)), {
    status: 204,
    'access-control-allow-origin': named,
    'access-control-allow-methods': 'POST',
    'access-control-allow-headers': 'Authorization, Content-Type',
    'access-control-max-age': '600',
  });
  assert.deepEqual(tells(await question(named, `Bearer ${token}`)), { status: 200, ...readable });
  assert.deepEqual(tells(await question(named, `Bearer ${token}`, '{')), { status: 400, ...readable });
  assert.deepEqual(tells(await question(named, 'Bearer wrong')), { status: 401, ...readable });

  const hidden: [string, Response][] = [
    ['another origin', await question(other, `Bearer ${token}`)],
    ['a host that ends alike', await question('https://evil-intranet.test', `Bearer ${token}`)],
    ['a scheme that differs', await question('http://intranet.test', `Bearer ${token}`)],
    ['a sandboxed page', await question('null', `Bearer ${token}`)],
    ['the token of a website that has named none', await question(named, `Bearer ${otherToken}`)],
    ['a cookie and no token', await send('POST', { Origin: named, Cookie: 'trackside_session=x' }, '{}')],
    ['no origin', await send('POST', { Authorization: `Bearer ${token}` }, '{}')],
    ['a preflight of another origin', await preflight(other)],
    ['a preflight of another method', await preflight(named, 'DELETE')],
  ];
  for (const [about, response] of hidden) {
    const { status, ...headers } = tells(response);
    assert.deepEqual(headers, {}, about);
    assert.notEqual(status, 204, about);
  }
  const elsewhere = await fetch(`${trackside.origin()}/api/websites`, {
    method: 'OPTIONS',
    headers: { Origin: named, 'Access-Control-Request-Method': 'GET' },
  });
  assert.equal(elsewhere.headers.get('access-control-allow-origin'), null);
  await trackside.runHere('website', 'set-read-origins', 'a.test', 'none');
  await waitFor('the server to forget it', async () => (await preflight(named)).status === 405);
});

test('a TypeScript client generated from the document compiles, and asks', async () => {
  assert.deepEqual(await tryTypeScriptClient(trackside.origin(), token), await expectedOfClients());
});

if (hasPython) {
  test('a Python client generated from the document asks', async () => {
    assert.deepEqual(await tryPythonClient(trackside.origin(), token), await expectedOfClients());
  });
} else {
  console.log('python3 is not installed here, so no client in Python was generated and tried');
}

/** What the programs of both clients should find out, requested without a client. */
async function expectedOfClients(): Promise<object> {
  const { body: counts } = await ask('query', {
    period: 'today',
    metrics: ['pageViews'],
    dimensions: ['page'],
  });
  const { body: funnel } = await ask('funnel', {
    period: 'today',
    steps: [{ page: '/' }, { event: 'Signup' }],
  });
  const views = counts.rows[0].metrics.pageViews;
  const visitors = funnel.steps.map((step: Came) => step.visitors);
  assert.ok(views > 0 && visitors.length === 2);
  return { views, visitors, minutes: 30, code: 200, refused: 'question-invalid' };
}

test('answers as CSV for those who accept it', async () => {
  const askCsv = (question: object) =>
    fetch(`${trackside.origin()}/api/stats/query`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}`, Accept: 'text/csv' },
      body: JSON.stringify(question),
    });
  const response = await askCsv({ dimensions: ['event'], metrics: ['visitors', 'events'] });
  assert.match(response.headers.get('content-type') ?? '', /^text\/csv/);
  const [header, signup] = (await response.text()).split('\r\n');
  assert.equal(header, 'event,visitors,events');
  assert.match(signup ?? '', /^Signup,1,\d+$/);
  const refused = await askCsv({ dimensions: ['events'] });
  assert.equal(refused.status, 400);
  const { fault } = (await refused.json()) as { fault: string };
  assert.equal(fault, 'question-invalid');
});

test('answers the reports as CSV too, with a table for each', async () => {
  const asCsv = async (path: string, question: object, accept = 'application/json;q=0.1, text/csv') => {
    const response = await fetch(`${trackside.origin()}/api/stats/${path}`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}`, Accept: accept },
      body: JSON.stringify(question),
    });
    assert.equal(response.status, 200);
    assert.match(response.headers.get('content-type') ?? '', /^text\/csv; charset=utf-8$/);
    return { headers: response.headers, rows: (await response.text()).trimEnd().split('\r\n') };
  };
  const live = await asCsv('live', {});
  assert.deepEqual([live.rows.length, live.rows[0]], [31, 'minutesAgo,visitors,pageViews']);
  assert.match(live.headers.get('trackside-visitors') ?? '', /^[1-9]\d*$/);
  const bots = await asCsv('bots', { dimensions: ['bot', 'page'] });
  assert.match(bots.rows.join(' '), /^bot,page,records,days,lastAt GPTBot,\/for-robots,1,1,20/);
  assert.equal(bots.headers.get('trackside-total-rows'), '1');
  const funnel = await asCsv('funnel', { steps: [{ page: '/' }, { event: 'Signup' }] });
  assert.equal(funnel.rows[2], '2,,Signup,,,1,1,1');
  assert.equal(funnel.headers.get('trackside-visitors-are'), 'distinct');
  const retention = await asCsv('retention', { period: 'today' });
  assert.equal(retention.rows[0], 'week,visitors');
  assert.match(retention.rows[1] ?? '', /^20\d\d-\d\d-\d\d,0$/);
  assert.match(retention.headers.get('trackside-visitors-without-clientid') ?? '', /^[1-9]\d*$/);
  const paths = await asCsv('paths', { page: '/pricing', steps: 1 }, 'text/csv');
  assert.deepEqual(paths.rows.slice(0, 5), [
    'place,step,page,visits',
    'page,0,/pricing,2',
    'entry,0,/pricing,1',
    'exit,0,/pricing,1',
    'before,1,/,1',
  ]);
  const totals = await asCsv('query', {});
  assert.deepEqual([totals.rows[0], totals.headers.get('trackside-visitors-are')], ['visitors', 'distinct']);
  const json = await fetch(`${trackside.origin()}/api/stats/live`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, Accept: 'text/csv;q=0.5, application/json' },
  });
  assert.match(json.headers.get('content-type') ?? '', /^application\/json/);
});

test('refuses a goal that the website has never sent, until it arrives', async () => {
  const question = { metrics: ['conversionRate'], goal: 'First purchase', period: 'today' };
  const refused = await ask('query', question);
  assert.deepEqual([refused.status, refused.body.fault], [400, 'goal-unknown']);
  assert.match(refused.body.message, /^goal: expected the name of an event that .*, got "First purchase": /);
  // Without conversions in the period, the goal is still known.
  const empty = { ...question, goal: 'Signup', period: { from: '2026-01-01', to: '2026-01-02' } };
  const { status, body } = await ask('query', empty);
  assert.deepEqual([status, body.rows[0].metrics.conversionRate], [200, null]);
  await post(trackside.origin(), '/api/event-view', apiKey, event('First purchase', []));
  await trackside.untilTakenUp();
  await waitFor('the goal to be known', async () => (await ask('query', question)).status === 200);
});

testLong('a file has all rows, not only those of a first page, and says when some are missing', async () => {
  const pages = Array.from({ length: 120 }, (_, index) => `https://a.test/many/${index}`);
  for (const Absolute of pages)
    await post(trackside.origin(), '/api/page-view', apiKey, pageView({ Page: { Absolute } }));
  const asCsv = async (more: object) => {
    const response = await fetch(`${trackside.origin()}/api/stats/query`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}`, Accept: 'text/csv' },
      body: JSON.stringify({
        dimensions: ['page'],
        filters: [{ dimension: 'page', contains: '/many/' }],
        ...more,
      }),
    });
    const rows = (await response.text()).trim().split('\r\n').slice(1);
    return [rows.length, response.headers.get('trackside-total-rows')];
  };
  await trackside.untilTakenUp();
  await waitFor('all of them', async () => (await asCsv({}))[1] === '120');
  assert.deepEqual(await asCsv({}), [120, '120']);
  assert.deepEqual(await asCsv({ limit: 7 }), [7, '120']);
  const { stdout } = await trackside.runHere(
    'stats',
    'a.test',
    '--by',
    'page',
    '--filter',
    'page~/many/',
    '--csv',
  );
  assert.equal(stdout.trim().split(/\r?\n/).length, 121);
});

test('says what is wrong with a question', async () => {
  const wrong: [unknown, RegExp][] = [
    ['{', /^Body: expected a JSON object/],
    ['[]', /^Question: expected an object, got a list/],
    [{ Metrics: [] }, /^Question: expected only the members .*, got "Metrics"/],
    [{ metrics: ['visitor'] }, /^metrics\[0\]: expected one of visitors, .*, got "visitor"/],
    [{ period: 'fortnight' }, /^period: expected 24h, today, .*, got "fortnight"/],
    [{ period: { from: '2026-02-30', to: '2026-03-01' } }, /^period\.from: expected a day/],
    [{ period: { from: '2026-03-02', to: '2026-03-01' } }, /^period: expected from to be before to/],
    [{ period: { from: '1970-01-01', to: '2100-01-01' } }, /^period: expected at most \d+ days/],
    [{ period: '90d', interval: 'minute' }, /^interval: expected at most .*choose a longer interval/],
    [{ dimensions: ['pages'] }, /^dimensions\[0\]: expected one of page, .*got "pages"/],
    [{ dimensions: ['__proto__'] }, /^dimensions\[0\]: expected one of/],
    [
      { filters: [{ dimension: 'page' }] },
      /^filters\[0\]: expected one of is, isNot, contains, anyOf, got none/,
    ],
    [{ filters: [{ dimension: 'page', is: 7 }] }, /^filters\[0\]\.is: expected a string, got 7/],
    [{ filters: [{ dimension: 'page', of: 'x', is: '' }] }, /^filters\[0\]\.of: expected only with/],
    [
      { metrics: ['conversionRate'] },
      /^goal: expected an event or a page, because metrics has conversionRate/,
    ],
    [
      { dimensions: ['page'], order: [{ by: 'visitors' }, { by: 'conversions' }] },
      /^goal: expected an event or a page, because order\[1\]\.by is conversions/,
    ],
    [{ metrics: [] }, /^metrics: expected 1 to 10 elements, got none/],
    [{ compare: 'lastYear' }, /^compare: expected previousPeriod, .*, got "lastYear"/],
    [{ filters: [{ dimension: 'country', is: 'de' }] }, /^filters\[0\]\.is: expected an ISO 3166-1 code/],
    [{ filters: [{ dimension: 'city', anyOf: [] }] }, /^filters\[0\]\.anyOf: expected 1 to 200 elements/],
    [{ limit: 0 }, /^limit: expected a whole number from 1 to/],
  ];
  for (const [body, message] of wrong) {
    const answer = await ask('query', body);
    assert.equal(answer.status, 400, JSON.stringify(body));
    assert.match(answer.body.message, message);
    assert.equal(answer.body.fault, body === '{' ? 'body-invalid' : 'question-invalid');
  }
});

test('treats odd values as values', async () => {
  const odd = [
    "'",
    '\\',
    '{p1:String}',
    '😀',
    '\u0000',
    'a'.repeat(2000),
    '%',
    '__proto__',
    '; drop table visits',
  ];
  for (const is of odd) {
    const { status, body } = await ask('query', {
      filters: [
        { dimension: 'page', is },
        { dimension: 'parameterValue', of: is, anyOf: odd },
      ],
      dimensions: [{ dimension: 'queryParameter', of: is }],
    });
    assert.deepEqual([status, body.rows], [200, []], is.slice(0, 20));
  }
});

test('everything that was answered up to asOf is counted, and asOf never goes back', async () => {
  const looks = times(10, 24);
  const { apiKey: key } = await trackside.addWebsite('as-of.test');
  const asOfToken = await addToken('as-of.test');
  const questions = ['today', '7d', 'yesterday', 'today'].map((period) => ({
    period,
    metrics: ['pageViews'],
  }));
  await waitFor('the server to know the website', async () => {
    const { status } = await post(trackside.origin(), '/api/page-view', key, pageView());
    return status === 200;
  });
  const answeredAtMs = [Date.now()];
  const seen: { asOfMs: number; counted: number | undefined }[] = [];
  const hasGoneOn = () => seen.length > 0 && seen.at(-1)!.asOfMs > seen[0]!.asOfMs;
  let isDone = false;
  const send = async () => {
    while (!isDone) {
      const { status } = await post(trackside.origin(), '/api/page-view', key, pageView());
      assert.equal(status, 200);
      answeredAtMs.push(Date.now());
      await delay(times(30, 10));
    }
  };
  const look = async () => {
    while (!isDone) {
      const question = questions[seen.length % questions.length]!;
      const { body } = await ask('query', question, `Bearer ${asOfToken}`);
      const counted = question.period === 'yesterday' ? undefined : body.rows[0].metrics.pageViews;
      seen.push({ asOfMs: Date.parse(body.asOf), counted });
      await delay(100);
    }
  };
  const end = async () => {
    try {
      await waitFor('asOf to go on while records come in', () => seen.length >= looks && hasGoneOn());
    } finally {
      isDone = true;
    }
  };
  await Promise.all([send(), look(), end()]);
  for (const [at, { asOfMs, counted }] of seen.entries()) {
    const answered = answeredAtMs.filter((ms) => ms <= asOfMs).length;
    if (counted !== undefined)
      assert.ok(counted >= answered, `${counted} are counted of ${answered} that were answered by asOf`);
    const before = seen[at - 1]?.asOfMs ?? 0;
    assert.ok(asOfMs >= before, `asOf went back by ${before - asOfMs} ms`);
  }
});

testLong(
  'says that the store restarts, accepts records in the meantime, and counts them afterwards',
  async () => {
    const [enginePid] = trackside.enginePids();
    const count = () => ask('query', { metrics: ['pageViews'], period: 'today' });
    const before = (await count()).body.rows[0].metrics.pageViews;
    process.kill(enginePid!, 'SIGKILL');
    // This is a different question, because the answer to the earlier one may still be in memory.
    const asked = await ask('live', {});
    assert.equal(asked.status, 503);
    assert.match(asked.headers.get('retry-after') ?? '', /^\d+$/);
    assert.match(asked.body.message, /restarting/);
    assert.equal(asked.body.fault, 'engine-away');
    const { status } = await post(trackside.origin(), '/api/page-view', apiKey, pageView());
    assert.equal(status, 200);
    await waitFor('the count', async () => (await count()).body.rows?.[0].metrics.pageViews === before + 1);
  },
);

testLong('a page is one page however its address was written, and is found by each spelling', async () => {
  for (const path of ['/%c3%a4/%7Eada', '/%C3%A4/~ada'])
    await post(
      trackside.origin(),
      '/api/page-view',
      apiKey,
      pageView({ Page: { Absolute: `https://müller.example${path}` } }),
    );
  const found = async (filter: object, dimension: string) => {
    const question = { period: 'today', metrics: ['pageViews'], dimensions: [dimension], filters: [filter] };
    const { status, body } = await ask('query', question);
    assert.equal(status, 200);
    return body.rows.map((row: Came) => [row.dimensions[dimension], row.metrics.pageViews]);
  };
  await trackside.untilTakenUp();
  await waitFor('the pages to be counted', async () => {
    const [row] = await found({ dimension: 'page', is: '/ä/~ada' }, 'page');
    return row?.[1] === 2;
  });
  for (const written of ['/%C3%A4/%7eada', '/%c3%a4/~ada'])
    assert.deepEqual(await found({ dimension: 'page', is: written }, 'page'), [['/ä/~ada', 2]]);
  assert.deepEqual(await found({ dimension: 'page', contains: '%C3%84/' }, 'page'), [['/ä/~ada', 2]]);
  for (const host of ['xn--mller-kva.example', 'MÜLLER.example'])
    assert.deepEqual(await found({ dimension: 'host', is: host }, 'host'), [['müller.example', 2]]);
  const { body: paths } = await ask('paths', { page: '/%C3%A4/~ada', period: 'today' });
  assert.equal(paths.visits, 1);
});
