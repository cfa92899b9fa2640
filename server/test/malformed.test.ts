import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import fc from 'fast-check';
import { mutate, mutation } from '../src/intake/test-mutations.ts';
import { times } from './support/long-form.ts';
import { openRaw } from './support/raw-connection.ts';
import { event, pageView, post } from './support/records.ts';
import { useTracksideHereOfProcess } from './support/share-trackside.ts';
import type { TracksideHere } from './support/start-trackside.ts';
import { waitFor } from './support/wait-for.ts';

const seed = 20_260_310;
const parallel = 8;
const allowed = new Set([200, 207, 400, 401, 404, 405, 429]);
const longestMs = times(300_000, 15_000);
const cases = times(700, 4000);
/** On a slow machine, the time may be over before all are sent. */
const fewestCases = times(350, 1000);

type Sent = { kind: string; bytes: Buffer };

const bodies = {
  '/api/page-view': { ...pageView(), OccurredAt: new Date().toISOString() },
  '/api/event-view': event('Signup', [{ Name: 'plan', Value: 'pro' }]),
  '/api/batch': {
    Records: [
      { ...pageView(), IdempotencyKey: 'a' },
      event('Signup', []),
      { ...pageView(), OccurredAt: null },
    ],
  },
};
const path = fc.constantFrom(...(Object.keys(bodies) as (keyof typeof bodies)[]));
const bytes = (maxLength: number) =>
  fc.uint8Array({ minLength: 1, maxLength }).map((array) => Buffer.from(array));

function requestBytes(of: {
  method?: string;
  path: string;
  headers?: string[];
  body: Buffer | string;
}): Buffer {
  const { method = 'POST', headers = [], body } = of;
  const length = `Content-Length: ${Buffer.byteLength(body)}`;
  const head = [`${method} ${of.path} HTTP/1.1`, 'Host: localhost', length, ...headers, '', ''].join('\r\n');
  return Buffer.concat([Buffer.from(head, 'latin1'), Buffer.from(body)]);
}

/** Flips, drops, doubles and inserts a few bytes. */
const damage = fc.array(fc.record({ at: fc.nat(), how: fc.nat(3), byte: fc.nat(255) }), {
  minLength: 1,
  maxLength: 8,
});
function damaged(whole: Buffer, spots: { at: number; how: number; byte: number }[]): Buffer {
  let result = whole;
  for (const { at, how, byte } of spots) {
    const place = at % (result.length + 1);
    const [left, right] = [result.subarray(0, place), result.subarray(place)];
    const middle = how === 0 ? right.subarray(0, 40) : Buffer.from([byte]);
    if (how === 3) result = result.subarray(0, Math.max(1, place));
    else result = Buffer.concat([left, middle, how === 1 ? right.subarray(1) : right]);
  }
  return result;
}

/** Generates everything that is sent, given the key of a website. */
function requests(apiKey: string): fc.Arbitrary<Sent> {
  const key = `Authorization: ${apiKey}`;
  const valid = path.map((to) =>
    requestBytes({ path: to, headers: [key], body: JSON.stringify(bodies[to]) }),
  );
  const headerNames = [
    'Expect',
    'Connection',
    'Upgrade',
    'Content-Type',
    'Content-Encoding',
    'Transfer-Encoding',
    'Idempotency-Key',
    'Trackside-Sequence',
    'Trackside-Release',
    'Trackside-Dry-Run',
    'X',
    '',
  ];
  const headerValues = [
    '100-continue',
    'close',
    'upgrade',
    'h2c',
    'gzip',
    'br',
    'chunked',
    'x, chunked',
    'web-1.7',
    'web-1.-7',
    '9'.repeat(300),
    '',
    'é\t',
    ': :',
  ];
  const header = fc
    .tuple(
      fc.constantFrom(...headerNames, 'Content-Length', 'Authorization', 'Host', 'TE'),
      fc.constantFrom(...headerValues),
    )
    .map(([name, value]) => `${name}: ${value}`);
  const methods = ['POST', 'GET', 'PUT', 'OPTIONS', 'TRACE', 'CONNECT', 'QUERY', 'PRI', 'post', ''];
  const targets = [
    '/api/page-view',
    '/api/page-view?a=%zz',
    '/api/event-view',
    '/api/batch',
    '/api/batch/',
    `/api/receipt/${'z'.repeat(27)}`,
    '/api/receipt/%00',
    '/',
    '*',
    '/%',
    'http://a/api',
    '/\u00ff',
    '',
  ];
  const large = fc.constantFrom(
    `{"Metrics":${'['.repeat(200_000)}`,
    `${'{"Metrics":'.repeat(50_000)}1${'}'.repeat(50_000)}`,
    `{${Array.from({ length: 10_000 }, (_, index) => `"k${index}":${index}`).join()}}`,
    JSON.stringify(pageView({ Screen: { Width: 0, Height: 0 } })).replace(
      '"Width":0',
      `"Width":${'9'.repeat(400)}`,
    ),
    JSON.stringify(pageView({ Screen: { Width: 0, Height: 0 } })).replace('"Width":0', '"Width":1e999999'),
    `"${'\\u0000'.repeat(80_000)}"`,
    `{"Metrics":${'9'.repeat(500_000)}}`,
    `${' '.repeat(524_280)}`,
    `{"Parameters":[${'{},'.repeat(100_000)}{}]}`,
    `{"Records":[${'{},'.repeat(499)}{}]}`,
    `{"Records":[${'{},'.repeat(100_000)}{}]}`,
    `{"Records":[${'{"IdempotencyKey":"'.repeat(20_000)}`,
    `{"Records":${'['.repeat(200_000)}`,
    `{${'"Records":[1],'.repeat(30_000)}"Records":[{}]}`,
  );
  const kinds: Record<string, { weight: number; arbitrary: fc.Arbitrary<Buffer> }> = {
    'random bytes': { weight: 3, arbitrary: bytes(400) },
    'a damaged request': {
      weight: 6,
      arbitrary: fc.tuple(valid, damage).map(([whole, spots]) => damaged(whole, spots)),
    },
    'odd headers': {
      weight: 5,
      arbitrary: fc
        .tuple(fc.constantFrom(...methods), fc.constantFrom(...targets), fc.array(header, { maxLength: 5 }))
        .map(([method, target, headers]) =>
          requestBytes({ method, path: target, headers: [key, ...headers], body: '{}' }),
        ),
    },
    'a damaged body': {
      weight: 8,
      arbitrary: fc
        .tuple(path, fc.array(mutation, { minLength: 1, maxLength: 5 }))
        .map(([to, mutations]) =>
          requestBytes({ path: to, headers: [key], body: JSON.stringify(mutate(bodies[to], mutations)) }),
        ),
    },
    'a body of bytes': {
      weight: 3,
      arbitrary: fc
        .tuple(path, bytes(200), fc.constantFrom('identity', 'gzip'))
        .map(([to, body, encoding]) =>
          requestBytes({ path: to, headers: [key, `Content-Encoding: ${encoding}`], body }),
        ),
    },
    'several at once': {
      weight: 2,
      arbitrary: fc
        .array(
          fc.oneof(
            valid,
            fc.tuple(valid, damage).map(([whole, spots]) => damaged(whole, spots)),
          ),
          { minLength: 2, maxLength: 5 },
        )
        .map((parts) => Buffer.concat(parts)),
    },
    'a large body': {
      weight: 1,
      arbitrary: fc
        .tuple(fc.constantFrom('/api/event-view', '/api/batch'), large)
        .map(([to, body]) => requestBytes({ path: to, headers: [key], body })),
    },
  };
  const weighted = Object.entries(kinds).map(([kind, { weight, arbitrary }]) => ({
    weight,
    arbitrary: arbitrary.map((sent): Sent => ({ kind, bytes: sent })),
  }));
  return fc.oneof(...weighted);
}

let trackside: TracksideHere;
const startShared = useTracksideHereOfProcess();
before(async () => {
  trackside = await startShared();
});

test('answers whatever is sent, and continues', async (t) => {
  const origin = trackside.origin();
  const saidBefore = trackside.output().length;
  const { apiKey } = await trackside.addWebsite('fuzz.test', 1_000_000);
  const isAccepted = async () => (await post(origin, '/api/page-view', apiKey, pageView())).status === 200;
  await waitFor('the server to know the website', isAccepted);

  const queue = fc.sample(requests(apiKey), { seed, numRuns: cases });
  const statuses = new Map<number, number>();
  const startedMs = performance.now();
  let sent = 0;

  const send = async ({ kind, bytes: text }: Sent): Promise<void> => {
    const show = () => `${kind}: ${JSON.stringify(text.toString('latin1').slice(0, 600))}`;
    const connection = await openRaw(origin);
    connection.send(text);
    connection.finish();
    const answers = await connection.untilClosed().catch((error: unknown) => {
      throw new Error(`${show()}\n${error}`);
    });
    connection.destroy();
    const final = answers.filter(({ status }) => status >= 200);
    // Empty lines before a request don't count as a request.
    if (!/^[\r\n]*$/.test(text.toString('latin1'))) assert.ok(final.length > 0, `no answer to ${show()}`);
    for (const { status, headers, body } of final) {
      assert.ok(allowed.has(status), `${status} ${body} to ${show()}`);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      // A request that happens to ask for / gets the page.
      const isPage = headers['content-type']?.startsWith('text/html') === true;
      if (isPage) continue;
      const { Code, fault } = JSON.parse(body) as { Code?: number; fault?: string };
      assert.ok(Code === status || fault !== undefined, `${status} ${body} to ${show()}`);
    }
    sent += 1;
  };
  await Promise.all(
    Array.from({ length: parallel }, async () => {
      for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
        if (performance.now() - startedMs > longestMs) return;
        await send(next);
      }
    }),
  );

  const tookMs = Math.round(performance.now() - startedMs);
  t.diagnostic(`${sent} connections in ${tookMs} ms: ${JSON.stringify([...statuses])}`);
  assert.ok(sent >= fewestCases, `expected time for at least ${fewestCases}, got ${sent}`);
  for (const status of [200, 207, 400, 401, 405]) assert.ok(statuses.has(status), `expected some ${status}`);
  assert.ok(await isAccepted());
  assert.doesNotMatch(trackside.output().slice(saidBefore), /request failed|"level":50/);
});
