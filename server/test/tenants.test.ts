import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { type AppClient, createAppClient } from './support/app-client.ts';
import { takeTurns, testLong } from './support/long-form.ts';
import { event, pageView, post } from './support/records.ts';
import { samplePassword as password, type RouteSample, routeSamples } from './support/route-samples.ts';
import { shareTracksideHere } from './support/share-trackside.ts';
import type { TracksideHere } from './support/start-trackside.ts';
import { waitFor } from './support/wait-for.ts';

/** Two websites with a viewer each. `a` asks for what belongs to `b`. */
type Tenant = {
  id: number;
  domain: string;
  apiKey: string;
  client: AppClient;
  readToken: string;
  share: string;
  /** What a path can name, by the name of its parameter. */
  ids: Record<string, number | string>;
};
type Operation = { name: string; method: string; path: string; example: Record<string, unknown> | undefined };
type Documented = {
  requestBody?: { content?: Record<string, { examples?: { example?: { $ref: string } } }> };
};
type Answer = Awaited<ReturnType<AppClient['ask']>>;

/** In everything that only `b` may see. */
const marker = 'marked-of-b-51d7';
const never = {
  id: 999_999,
  websiteId: 999_999,
  userId: 999_999,
  tokenId: 999_999,
  noteId: 999_999,
  funnelId: 999_999,
  segmentId: 999_999,
  goalId: 999_999,
  sessionId: 'f'.repeat(32),
  token: 'n'.repeat(32),
} satisfies Record<string, number | string>;

/** A key or a read token is for one website. What it can ask about is tested below. */
const byApiKey = /^(POST \/api\/(page-view|event-view|batch)|GET \/api\/(receipt\/:receipt|ledger))$/;

let trackside: TracksideHere;
let admin: AppClient;
let a: Tenant;
let b: Tenant;
let operations: Operation[];
let samples: Record<string, RouteSample>;

const startShared = shareTracksideHere({
  environment: { TRACKSIDE_ADMIN_EMAIL: 'ada@example.com', TRACKSIDE_ADMIN_PASSWORD: password },
});
const newClient = () => createAppClient(() => trackside.origin());

before(async () => {
  trackside = await startShared();
  admin = newClient();
  await signIn(admin, 'ada@example.com');
  a = await addTenant('a.test', 'anna@example.com', 'of a');
  b = await addTenant(`${marker}.test`, `${marker}@example.com`, marker);
  samples = routeSamples({ websiteId: b.id, userId: Number(b.ids.userId) });
  operations = (await readOperations()).filter(({ name }) => !byApiKey.test(name));
});

async function signIn(client: AppClient, email: string): Promise<void> {
  const { status } = await client.ask('POST', '/api/session', { body: { email, password } });
  assert.equal(status, 200);
}

async function addTenant(domain: string, email: string, name: string): Promise<Tenant> {
  const make = async (path: string, body: object, method = 'POST') => {
    const answer = await admin.ask(method, path, { body });
    assert.ok(answer.status < 300, `${path} ${answer.text}`);
    return answer.body;
  };
  const { id } = await make('/api/websites', { domain, timezone: 'UTC', contingent: null });
  const of = (part: string) => `/api/websites/${id}/${part}`;
  const user = await make('/api/users', { email, password, role: 'viewer', websites: [id] });
  const oldShare = (await make(of('share'), { isOn: true }, 'PUT')).share.path.replace('/share/', '');
  const { share: link } = await make(of('share'), { isOn: true, renew: true }, 'PUT');
  const share = link.path.replace('/share/', '');
  const token = await make(of('tokens'), { name });
  const steps = [{ page: `/${name}` }, { event: name }];
  const [note, funnel, goal] = [
    await make(of('notes'), { day: '2026-11-03', text: name }),
    await make(of('funnels'), { name, steps, withinDays: null }),
    await make(of('goals'), { name, goal: { event: name } }),
  ];
  const filters = [{ dimension: 'country', is: 'DE' }];
  const segment = await make(of('segments'), { name, filters, isPersonal: false });
  const client = newClient();
  await signIn(client, email);
  const { body: listed } = await client.ask('GET', '/api/sessions');
  const apiKey = (await admin.ask('GET', of('key'))).body.apiKey;
  const ids = {
    id,
    websiteId: id,
    userId: user.id,
    tokenId: token.id,
    noteId: note.id,
    funnelId: funnel.id,
    segmentId: segment.id,
    goalId: goal.id,
    sessionId: listed.sessions[0].id,
    // A link that works is for everybody who has it. One that was replaced must look like none.
    token: oldShare,
  };
  return { id, domain, apiKey, client, readToken: token.token, share, ids };
}

/** Every operation of the document that the server shows. */
async function readOperations(): Promise<Operation[]> {
  const { body: document } = await admin.ask('GET', '/openapi.json');
  const methods = ['get', 'post', 'put', 'patch', 'delete'];
  return Object.entries(document.paths as Record<string, Record<string, Documented>>).flatMap(
    ([path, item]) =>
      Object.entries(item)
        .filter(([method]) => methods.includes(method))
        .map(([method, operation]) => {
          const reference = operation.requestBody?.content?.['application/json']?.examples?.example?.$ref;
          const example = reference && document.components.examples[reference.split('/').at(-1)!].value;
          const name = `${method.toUpperCase()} ${path.replace(/\{(\w+)\}/g, ':$1')}`;
          return { name, method: method.toUpperCase(), path, example };
        }),
  );
}

const parametersOf = ({ path }: Operation) => [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);

/** Sends the sample of an operation, about these ids. */
async function ask(
  client: AppClient,
  operation: Operation,
  ids: Record<string, number | string>,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => String(ids[name]));
  const { body } = samples[operation.name]!;
  // The one body that names something that belongs to a website.
  const named = operation.name === 'PUT /api/websites/:id/funnels' ? { ids: [ids.funnelId] } : body;
  return await client.ask(operation.method, path, { body: named, headers });
}

/** All of an answer that doesn't differ between any two: without ids, the time and the request's number. */
function comparable({ status, headers, text }: Answer, ids: Record<string, number | string>): unknown {
  const known = Object.values(ids).map(String);
  const kept = [...headers].filter(([name]) => name !== 'date' && name !== 'request-id');
  const words = text.replace(/[\w-]+/g, (word) => (known.includes(word) ? 'ID' : word));
  return { status, headers: kept.filter(([name]) => name !== 'content-length'), words };
}

test('every operation of the document has a sample, and every id in a path something foreign', () => {
  assert.ok(operations.length > 60, `expected all operations, got ${operations.length}`);
  const others = /^(POST \/api\/stats\/\w+|GET \/health)$/;
  const unknown = operations.filter(({ name }) => samples[name] === undefined && !others.test(name));
  assert.deepEqual(unknown, [], 'add a sample to route-samples.ts');
  const unsaid = operations.flatMap(parametersOf).filter((name) => !Object.hasOwn(never, name));
  assert.deepEqual(unsaid, [], 'say what a foreign id and one that never existed are');
});

test('what is foreign and what never existed get the same answer, for viewers and for admins', async () => {
  const before = await readOwn(b);
  for (const operation of operations) {
    const parameters = parametersOf(operation);
    const parts = parameters.filter((name) => name !== 'id');
    if (parameters.length === 0) continue;
    const pairs: [who: string, client: AppClient, foreign: typeof a.ids, none: typeof a.ids][] = [
      ['viewer', a.client, b.ids, never],
    ];
    // A part of another website, by the path of one's own website.
    if (parameters.length > 1 && parts.length > 0) {
      const within = (ids: typeof a.ids) => ({ ...ids, id: a.id });
      pairs.push(['viewer within', a.client, within(b.ids), within(never)]);
      pairs.push(['admin within', admin, within(b.ids), within(never)]);
    }
    for (const [who, client, foreign, none] of pairs) {
      const about = `${who}: ${operation.name}`;
      const [came, expected] = [await ask(client, operation, foreign), await ask(client, operation, none)];
      assert.deepEqual(comparable(came, foreign), comparable(expected, none), about);
      assert.ok([400, 401, 403, 404].includes(came.status), `${about} ${came.status}`);
      assert.doesNotMatch(came.text, new RegExp(marker), about);
    }
  }
  assert.deepEqual(await readOwn(b), before, 'something of the other website was changed');
  assert.equal((await b.client.ask('GET', '/api/session')).status, 200, 'their session was ended');
});

/** What there is of a website. */
async function readOwn(tenant: Tenant): Promise<string[]> {
  const paths = ['', '/notes', '/funnels', '/segments', '/goals', '/tokens'];
  const answers = await Promise.all(
    paths.map((path) => admin.ask('GET', `/api/websites/${tenant.id}${path}`)),
  );
  assert.ok(answers.every(({ status, text }) => status === 200 && text.includes(marker)));
  return answers.map(({ text }) => text);
}

test('no list, page or number of a viewer has anything of another website', async () => {
  for (const tenant of [a, b])
    assert.equal(
      (await post(trackside.origin(), '/api/event-view', tenant.apiKey, event(marker, []))).status,
      200,
    );
  const { length } = operations.filter(({ method, path }) => method === 'GET' && !path.endsWith('/live'));
  assert.ok(length > 15);
  for (const operation of operations) {
    if (operation.method !== 'GET' || operation.path.endsWith('/live') || operation.path === '/health')
      continue;
    if (operation.path.endsWith('/export') || operation.path.endsWith('/requests')) continue;
    const { text } = await ask(a.client, operation, a.ids);
    assert.doesNotMatch(text, new RegExp(marker), operation.name);
  }
});

test('a receipt of another website gets the same answer as one that never was', async () => {
  const sent = await post(trackside.origin(), '/api/event-view', b.apiKey, event(marker, []));
  const receipt = sent.headers.get('trackside-receipt')!;
  const find = async (text: string, { apiKey }: Tenant): Promise<Answer> =>
    await newClient().ask('GET', `/api/receipt/${text}`, { headers: { Authorization: apiKey } });
  assert.equal((await find(receipt, b)).status, 200);
  const [foreign, none] = [await find(receipt, a), await find('0'.repeat(receipt.length), a)];
  assert.equal(foreign.status, 404);
  assert.deepEqual(comparable(foreign, b.ids), comparable(none, never));
});

test('a read token shows the ledger of its own website, and no part of the key', async () => {
  const headers = { 'Trackside-Release': marker };
  for (const body of [event(marker, []), {}])
    await post(trackside.origin(), '/api/event-view', b.apiKey, body, headers);
  const read = (token: string) =>
    newClient().ask('GET', '/api/ledger', { headers: { Authorization: `Bearer ${token}` } });
  const own = await read(b.readToken);
  assert.equal(own.status, 200);
  assert.match(own.text, new RegExp(marker));
  assert.ok(!own.text.includes(b.apiKey.slice(0, 4)) && !own.text.includes(b.apiKey.slice(-4)));
  const foreign = await read(a.readToken);
  assert.equal(foreign.status, 200);
  assert.doesNotMatch(foreign.text, new RegExp(marker));
  for (const token of ['', a.apiKey, `${b.readToken}x`]) assert.equal((await read(token)).status, 401);
  const query = { headers: { Authorization: `Bearer ${b.readToken}` } };
  assert.equal((await newClient().ask('GET', '/api/ledger?from=today', query)).status, 400);
});

test('statistics refuse the website of others like one that does not exist, whoever asks', async () => {
  const kinds = operations.filter(({ path }) => path.startsWith('/api/stats/'));
  assert.ok(kinds.length >= 8);
  const own = { 'Trackside-Website': String(a.id) };
  const isStoreReady = async () =>
    (await a.client.ask('POST', '/api/stats/live', { body: {}, headers: own })).status === 200;
  await waitFor('the store to be set up', isStoreReady);
  for (const { path, example, name } of kinds) {
    const query = (client: AppClient, body: unknown, headers: Record<string, string>) =>
      client.ask('POST', path, { body, headers });
    const foreign = await query(a.client, example, { 'Trackside-Website': String(b.id) });
    const none = await query(a.client, example, { 'Trackside-Website': String(never.id) });
    assert.equal(foreign.status, 401, name);
    assert.deepEqual(comparable(foreign, b.ids), comparable(none, never), name);
    // A token and a link are for their own website, whatever else is named.
    const named = { 'Trackside-Website': String(b.id) };
    const ways = [{ Authorization: `Bearer ${a.readToken}` }, { 'Trackside-Share': a.share }];
    for (const headers of takeTurns<Record<string, string>>(ways, path.length)) {
      const { status, text } = await query(newClient(), example, { ...headers, ...named });
      assert.ok(status === 200 || status === 400 || status === 422, `${name} ${status} ${text}`);
      assert.doesNotMatch(text, new RegExp(marker), name);
    }
    // Saved filters of another website.
    const asked = (segment: unknown) => {
      if (path.endsWith('/live')) return undefined;
      if (!path.endsWith('/batch')) return { ...example, segment };
      return { questions: [{ kind: 'query', question: { period: 'today', segment } }] };
    };
    if (asked(1) === undefined) continue;
    const [others, unknown] = [
      await query(a.client, asked(b.ids.segmentId), own),
      await query(a.client, asked(never.segmentId), own),
    ];
    assert.deepEqual(comparable(others, b.ids), comparable(unknown, never), `${name} with a segment`);
  }
});

test('the same idempotency key at two websites is two keys', async () => {
  const headers = { 'Idempotency-Key': 'order-1' };
  const send = (tenant: Tenant, body: unknown) =>
    post(trackside.origin(), '/api/page-view', tenant.apiKey, body, headers);
  assert.equal((await send(a, pageView())).status, 200);
  const other = pageView({ Language: { Code: 'fr' } });
  assert.equal((await send(b, other)).status, 200);
  assert.equal((await send(a, other)).status, 400, 'within one website, it is one key');
  await waitFor('both to be counted', async () => {
    const count = (tenant: Tenant) => trackside.countRows(`website_id = ${tenant.id} and kind = 'page_view'`);
    return (await count(a)) === 1 && (await count(b)) === 1;
  });
});

testLong('what is foreign takes as long as what never existed', async (t) => {
  const rounds = 400;
  const asked = (name: string) => (which: 'foreign' | 'none') =>
    ask(a.client, operations.find((one) => one.name === name)!, which === 'foreign' ? b.ids : never);
  const names = [
    'GET /api/websites/:id',
    'PATCH /api/websites/:id',
    'DELETE /api/websites/:id/notes/:noteId',
    'GET /api/share/:token',
  ];
  const cases: [name: string, send: (which: 'foreign' | 'none') => Promise<unknown>][] = [
    ...names.map((name) => [name, asked(name)] as [string, ReturnType<typeof asked>]),
    [
      'POST /api/stats/query',
      (which) => {
        const id = which === 'foreign' ? b.id : never.id;
        return a.client.ask('POST', '/api/stats/query', {
          body: { period: 'today' },
          headers: { 'Trackside-Website': String(id) },
        });
      },
    ],
  ];
  for (const [name, send] of cases) {
    const times: Record<'foreign' | 'none', number[]> = { foreign: [], none: [] };
    for (let round = 0; round < rounds; round++) {
      const order = round % 2 === 0 ? (['foreign', 'none'] as const) : (['none', 'foreign'] as const);
      for (const which of order) {
        const startedMs = performance.now();
        await send(which);
        times[which].push(performance.now() - startedMs);
      }
    }
    const quartile = (all: number[], part: number) =>
      all.toSorted((one, other) => one - other)[Math.floor(all.length * part)]!;
    for (const part of [0.25, 0.5]) {
      const ratio = quartile(times.foreign, part) / quartile(times.none, part);
      t.diagnostic(`${name}: ${ratio.toFixed(3)} at ${part}`);
      assert.ok(ratio > 0.8 && ratio < 1.25, `${name}: ${ratio} at ${part}`);
    }
  }
});
