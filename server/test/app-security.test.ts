import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { before, test } from 'node:test';
import { type AppFaultCode, appFaults } from '@trackside/contract/app/fault-codes.ts';
import { type AppRoute, isAboutWebsite } from '../src/http/app/app-route.ts';
import { type AppOptions, createApp } from '../src/http/app/create-app.ts';
import { type AppClient, createAppClient } from './support/app-client.ts';
import { takeTurns, testLong } from './support/long-form.ts';
import { requestText } from './support/raw-connection.ts';
import { pageView, post } from './support/records.ts';
import { samplePassword as password, routeSamples } from './support/route-samples.ts';
import { shareTracksideHere } from './support/share-trackside.ts';
import type { TracksideHere } from './support/start-trackside.ts';

let trackside: TracksideHere;
let admin: AppClient;
let viewer: AppClient;
let stranger: AppClient;
let website: { id: number; apiKey: string };
let secret: { id: number; apiKey: string };
let viewerId: number;
/** The requests are about the website `secret`, which the viewer may not see. */
const samples = () => routeSamples({ websiteId: secret.id, userId: viewerId });

// Routes are data, so they can be listed without the parts that they would call.
const routes: readonly AppRoute[] = createApp({ control: {} } as AppOptions);
const nameOf = ({ method, path }: AppRoute) => `${method} ${path}`;

const startShared = shareTracksideHere({
  environment: { TRACKSIDE_ADMIN_EMAIL: 'ada@example.com', TRACKSIDE_ADMIN_PASSWORD: password },
});
before(async () => {
  trackside = await startShared();
  const newClient = () => createAppClient(() => trackside.origin());
  [admin, viewer, stranger] = [newClient(), newClient(), newClient()];
  assert.equal((await signIn(admin, 'ada@example.com')).status, 200);
  [website, secret] = [await add('shown.test'), await add('secret.test')] as [typeof website, typeof secret];
  const { body: user } = await admin.ask('POST', '/api/users', {
    body: { email: 'vera@example.com', password, role: 'viewer', websites: [website.id] },
  });
  viewerId = user.id;
  assert.equal((await signIn(viewer, 'vera@example.com')).status, 200);
});

const signIn = (client: AppClient, email: string) =>
  client.ask('POST', '/api/session', { body: { email, password } });

async function add(domain: string) {
  const { body } = await admin.ask('POST', '/api/websites', {
    body: { domain, timezone: 'UTC', contingent: null },
  });
  const { body: key } = await admin.ask('GET', `/api/websites/${body.id}/key`);
  return { id: body.id as number, apiKey: key.apiKey as string };
}

/** Checks that an answer has the status of a fault, and the code that programs rely on. */
function assertFault(
  { status, body }: { status: number; body: { code?: unknown; fault?: unknown } },
  fault: AppFaultCode,
  about = 'the fault',
): void {
  assert.deepEqual([status, body.code, body.fault], [appFaults[fault], appFaults[fault], fault], about);
}

/** Returns the sample request to a route, for a website. */
function requestOf(route: AppRoute, websiteId: number, more: Record<string, unknown> = {}) {
  const { params = {}, body } = samples()[nameOf(route)]!;
  const path = route.path.replace(/:(\w+)/g, (_, name: string) => String(params[name] ?? websiteId));
  return { path, ...(body && { body: { ...body, ...more } }) };
}

test('has a sample request for every route', () => {
  assert.deepEqual(Object.keys(samples()).toSorted(), routes.map(nameOf).toSorted());
});

test('without a session, every route except sign-in and setup answers 401 and reveals nothing', async () => {
  for (const route of routes.filter(({ access }) => access !== 'anyone')) {
    for (const cookie of [undefined, 'trackside_session=', `trackside_session=${'A'.repeat(43)}`]) {
      stranger.setCookie(cookie);
      const { path, body } = requestOf(route, secret.id);
      const answer = await stranger.ask(route.method, path, { body });
      assert.equal(answer.status, 401, nameOf(route));
      assert.deepEqual(
        answer.body,
        { code: 401, fault: 'unauthorized', message: 'Unauthorized: sign in' },
        nameOf(route),
      );
    }
  }
});

test('a viewer gets the same answer for a hidden website and for one that does not exist', async () => {
  for (const route of routes.filter(isAboutWebsite)) {
    const [others, none] = await Promise.all(
      [secret.id, 999_999].map((id) => {
        const { path, body } = requestOf(route, id);
        return viewer.ask(route.method, path, { body });
      }),
    );
    assertFault(others!, 'not-found', nameOf(route));
    assert.deepEqual(others!.body, none!.body, nameOf(route));
  }
});

test('a viewer may not do what requires an admin, even to a visible website', async () => {
  for (const route of routes.filter(({ access }) => access === 'admin')) {
    const { path, body } = requestOf(route, website.id);
    assertFault(await viewer.ask(route.method, path, { body }), 'forbidden', nameOf(route));
  }
  const { body } = await viewer.ask('GET', '/api/websites');
  assert.deepEqual(
    body.websites.map(({ id }: { id: number }) => id),
    [website.id],
  );
});

test('refuses a change that another page requests, whoever is signed in', async () => {
  const others = [
    { Origin: 'https://evil.example' },
    { Origin: 'null' },
    { Origin: undefined },
    { Origin: 'https://evil.example', 'Sec-Fetch-Site': 'cross-site' },
    { Origin: undefined, 'Sec-Fetch-Site': 'same-site' },
  ];
  for (const [round, route] of routes.filter(({ method }) => method !== 'GET').entries()) {
    for (const headers of takeTurns(others, round)) {
      const { path, body } = requestOf(route, secret.id);
      const answer = await admin.ask(route.method, path, { body, headers });
      assertFault(answer, 'foreign-origin', `${nameOf(route)} ${JSON.stringify(headers)}`);
      assert.equal(answer.headers.get('access-control-allow-origin'), null);
    }
  }
});

test('refuses a body that is not declared as JSON, is not JSON, or has the wrong type, with a message', async () => {
  for (const [round, route] of routes.filter(({ body }) => body !== undefined).entries()) {
    const { path, body } = requestOf(route, secret.id);
    const asText = await admin.ask(route.method, path, { body, headers: { 'Content-Type': 'text/plain' } });
    assertFault(asText, 'unsupported-type', nameOf(route));
    for (const text of takeTurns(['', '{', '[]', 'null', '"x"', '\u0000'], round)) {
      const answer = await admin.ask(route.method, path, { text });
      const isJson = ['[]', 'null', '"x"'].includes(text);
      assertFault(answer, isJson ? 'invalid' : 'body-invalid', `${nameOf(route)} ${JSON.stringify(text)}`);
      assert.match(answer.body.message, /expected/i);
    }
    const large = await admin.ask(route.method, path, { text: `"${'x'.repeat(70_000)}"` });
    assertFault(large, 'body-too-large', nameOf(route));
    const elsewhere = await admin.ask(route.method, `${path}/nowhere/at/all`, { body });
    assertFault(elsewhere, 'not-found', nameOf(route));
  }
});

testLong('SQL in any field, parameter or query only fails with a message', async () => {
  const injection = `'; delete from websites; -- " ) or 1=1 \\`;
  for (const route of routes) {
    const { body } = samples()[nameOf(route)]!;
    for (const field of Object.keys(body ?? {})) {
      if (field === 'password' || field === 'newPassword') continue;
      const { path } = requestOf(route, website.id);
      const answer = await admin.ask(route.method, path, { body: { ...body, [field]: injection } });
      assert.ok(
        [200, 201, 400, 401, 403].includes(answer.status),
        `${nameOf(route)} ${field} ${answer.text}`,
      );
      assert.doesNotMatch(answer.text, /sqlite|syntax|clickhouse/i);
    }
    if (!route.path.includes(':')) continue;
    const path = route.path.replace(/:\w+/g, encodeURIComponent(injection));
    const answer = await admin.ask(route.method, path, { body });
    assert.equal(answer.status, 404, nameOf(route));
  }
  for (const path of ['/api/audit?before=', `/api/websites/${website.id}/requests?after=`])
    for (const value of [injection, '0.5'])
      assert.equal((await admin.ask('GET', path + encodeURIComponent(value))).status, 400, path);
  const { body } = await admin.ask('GET', '/api/websites');
  assert.ok(body.websites.length >= 3, 'the websites are still there');
});

test('signing in creates a new session each time, and ends the previous one', async () => {
  const client = createAppClient(() => trackside.origin());
  await signIn(client, 'vera@example.com');
  const first = client.cookie();
  await signIn(client, 'vera@example.com');
  const second = client.cookie();
  assert.notEqual(first, second);
  client.setCookie(first);
  assert.equal((await client.ask('GET', '/api/session')).status, 401);
  // A session that somebody planted in the browser is not adopted.
  client.setCookie(`trackside_session=${'B'.repeat(43)}`);
  await signIn(client, 'vera@example.com');
  assert.notEqual(client.cookie(), `trackside_session=${'B'.repeat(43)}`);
});

test('unknown users and wrong passwords get the same answer', async () => {
  const ask = (email: string) =>
    createAppClient(() => trackside.origin()).ask('POST', '/api/session', {
      body: { email, password: 'wrong wrong wrong' },
    });
  const [unknown, known] = [await ask('nobody@example.com'), await ask('vera@example.com')];
  assertFault(unknown, 'wrong-credentials');
  assert.deepEqual(unknown.body, known.body);
  assert.equal(known.headers.get('set-cookie'), null);
});

test('the cookie is hidden from scripts and other pages, and requires TLS where there is TLS', async () => {
  const body = { email: 'vera@example.com', password };
  const client = () => createAppClient(() => trackside.origin());
  const plain = await client().ask('POST', '/api/session', { body });
  const [session, device] = plain.headers.getSetCookie();
  assert.match(session!, /^trackside_session=[\w-]{43}; Path=\/; .*HttpOnly; SameSite=Lax$/);
  assert.match(device!, /^trackside_device=[\w.-]{100,}; Path=\/; .*HttpOnly; SameSite=Strict$/);
  const tls = await client().ask('POST', '/api/session', { body, headers: { 'X-Forwarded-Proto': 'https' } });
  const [secureSession, secureDevice] = tls.headers.getSetCookie();
  assert.match(secureSession!, /^__Host-trackside_session=.*; HttpOnly; SameSite=Lax; Secure$/);
  assert.match(secureDevice!, /^__Host-trackside_device=.*; HttpOnly; SameSite=Strict; Secure$/);
});

test('the tracking endpoints neither set nor read a cookie, and ignore Origin', async () => {
  const response = await fetch(`${trackside.origin()}/api/page-view`, {
    method: 'POST',
    headers: { Cookie: admin.cookie()!, Origin: 'https://evil.example' },
    body: JSON.stringify(pageView()),
  });
  assert.equal(response.status, 401);
  assert.equal(response.headers.get('set-cookie'), null);
  const { status } = await post(trackside.origin(), '/api/page-view', website.apiKey, pageView());
  assert.equal(status, 200);
});

test('statistics by session require the right website, the right origin and a session', async () => {
  const ask = (client: AppClient, id: number, headers: Record<string, string | undefined> = {}) =>
    client.ask('POST', '/api/stats/query', {
      body: { period: 'today' },
      headers: { 'Trackside-Website': String(id), ...headers },
    });
  assert.equal((await ask(viewer, website.id)).status, 200);
  assert.equal((await ask(admin, secret.id)).status, 200);
  for (const answer of [
    await ask(viewer, secret.id),
    await ask(viewer, 999_999),
    await ask(stranger, website.id),
    await ask(viewer, website.id, { Origin: 'https://evil.example' }),
    await viewer.ask('POST', '/api/stats/query', { body: {} }),
  ])
    assert.equal(answer.status, 401);
});

test('the secret of a public link gives access to nothing that requires a session or a key', async () => {
  const { body: settings } = await admin.ask('PUT', `/api/websites/${website.id}/share`, {
    body: { isOn: true },
  });
  const token = settings.share.path.replace('/share/', '');
  const guest = createAppClient(() => trackside.origin());
  const ways = [
    { 'Trackside-Share': token },
    { 'Trackside-Share': token, 'Trackside-Website': String(website.id) },
    { Authorization: token },
    { Authorization: `Bearer ${token}` },
    { Cookie: `trackside_session=${token}` },
  ];
  for (const [round, route] of routes.filter(({ access }) => access !== 'anyone').entries()) {
    for (const headers of takeTurns(ways, round)) {
      const { path, body } = requestOf(route, website.id);
      const { status } = await guest.ask(route.method, path, { body, headers });
      assert.equal(status, 401, `${nameOf(route)} ${Object.keys(headers)}`);
    }
  }
  const { status } = await post(trackside.origin(), '/api/page-view', token, pageView());
  assert.equal(status, 401);
  for (const headers of ways.slice(2))
    assert.equal((await guest.ask('POST', '/api/stats/live', { headers })).status, 401);
});

test('pages cannot be framed, run no inline script and contain no secret', async () => {
  for (const path of [
    '/',
    '/sign-in',
    '/setup',
    '/reference',
    `/websites/${website.id}/settings`,
    '/nowhere',
  ]) {
    const { status, headers, text } = await admin.ask('GET', path, { headers: { Accept: 'text/html' } });
    assert.equal(status, path === '/nowhere' ? 404 : 200, path);
    const policy = headers.get('content-security-policy')!;
    assert.match(policy, /default-src 'none'/);
    assert.match(policy, /script-src 'self';/);
    assert.match(policy, /frame-ancestors 'none'/);
    assert.doesNotMatch(policy, /unsafe|\*|https?:/);
    assert.equal(headers.get('x-frame-options'), 'DENY');
    assert.equal(headers.get('x-content-type-options'), 'nosniff');
    assert.doesNotMatch(text, /<script(?![^>]*\bsrc=)[^>]*>/);
    assert.doesNotMatch(text, /\son\w+=|style=|javascript:/);
    assert.ok(!text.includes(website.apiKey));
  }
});

test('everybody can read the OpenAPI document, as YAML and as JSON', async () => {
  for (const path of ['/openapi.yaml', '/api/openapi.yaml']) {
    const { status, headers, text } = await stranger.ask('GET', path);
    assert.deepEqual([status, headers.get('content-type')], [200, 'application/yaml; charset=utf-8']);
    assert.match(text, /^openapi: 3\.1\.0$/m);
    assert.match(text, /^ {2}\/api\/stats\/query:$/m);
  }
  const { status, headers, body } = await stranger.ask('GET', '/openapi.json');
  assert.deepEqual([status, headers.get('content-type')], [200, 'application/json']);
  assert.equal(body.openapi, '3.1.0');
  const etag = headers.get('etag')!;
  assert.equal(
    (await stranger.ask('GET', '/openapi.json', { headers: { 'If-None-Match': etag } })).status,
    304,
  );
});

test('no answer redirects elsewhere', async () => {
  for (const path of [
    '//evil.example',
    '/\\evil.example',
    '/sign-in?next=https://evil.example',
    '/%2f%2fevil.example',
  ]) {
    const { headers } = await admin.ask('GET', path, { headers: { Accept: 'text/html' } });
    assert.equal(headers.get('location'), null, path);
  }
});

test('prints no setup link when the first user comes from the environment', async () => {
  const { body } = await admin.ask('GET', '/api/session');
  assert.deepEqual([body.user.email, body.user.role], ['ada@example.com', 'admin']);
  assert.ok(trackside.output().includes(trackside.origin()), 'expected the output of the start');
  assert.doesNotMatch(trackside.output(), /\/setup#/);
});

test('no log contains keys, passwords or tokens', async () => {
  const log = trackside.output();
  const { body } = await admin.ask('POST', `/api/websites/${website.id}/tokens`, { body: { name: 'log' } });
  for (const text of [password, website.apiKey, secret.apiKey, body.token, admin.cookie()!.split('=')[1]!])
    assert.ok(!log.includes(text) && !trackside.output().includes(text), 'a secret is in the log');
});

test('nobody may cache answers of the settings API', async () => {
  // Event streams never end, so they can't be waited for here. They have their own test.
  const read = routes.filter(({ method, answers }) => method === 'GET' && answers.type === undefined);
  for (const route of read.filter(({ access }) => access !== 'anyone')) {
    const { path } = requestOf(route, website.id);
    const { headers } = await admin.ask('GET', path);
    assert.equal(headers.get('cache-control'), 'no-store', nameOf(route));
  }
});

/** Requests that reach every code path that answers. Those to the tracking endpoints have `isTracked`. */
function everyRequest(): { name: string; text: string; isTracked?: boolean; isRejected?: boolean }[] {
  const record = JSON.stringify(pageView());
  const key = { Authorization: website.apiKey };
  const tracked = ['/api/page-view', '/api/event-view', '/api/page-view?a'].flatMap((path) => [
    requestText('POST', path, key, record),
    requestText('POST', path, key, '{}'),
    requestText('POST', path, { Authorization: 'wrong' }, record),
    requestText('POST', path, { ...key, 'Content-Encoding': 'br' }, record),
    requestText('POST', path, { ...key, 'Content-Length': '9999999' }),
    requestText('GET', path),
  ]);
  const rejected = [
    'garbage\r\n\r\n',
    'CONNECT a.test:443 HTTP/1.1\r\nHost: a\r\n\r\n',
    requestText('GET', '/', { 'X-Large': 'a'.repeat(20_000) }),
    requestText('POST', '/api/page-view', { ...key, 'Content-Length': '5\r\nContent-Length: 6' }),
    requestText('POST', '/api/session', { 'Transfer-Encoding': 'chunked' }, 'zz\r\n'),
  ];
  const cookie = { Cookie: admin.cookie()! };
  const paths = `
    / /sign-in /share/x /share/x/embed /favicon.svg /nowhere /%zz /api/nowhere
    /health /metrics /metrics?a /${'a'.repeat(9000)}
  `;
  const others = paths
    .trim()
    .split(/\s+/)
    .flatMap((path) => [
      requestText('GET', path, { Accept: 'text/html' }),
      requestText('GET', path),
      requestText('PUT', path),
    ]);
  const ofApp = routes.flatMap((route) => {
    const { path, body } = requestOf(route, website.id);
    const headers = { Origin: trackside.origin(), 'Content-Type': 'application/json' };
    const asked = requestText(route.method, path, headers, body && JSON.stringify(body));
    // Requests that only read are also sent with a session, because they change nothing if they succeed.
    return route.method === 'GET' ? [asked, requestText('GET', path, cookie)] : [asked];
  });
  const stats = ['query', 'live', 'batch', 'nonsense'].flatMap((kind) => [
    requestText('POST', `/api/stats/${kind}`, {}, '{}'),
    requestText('POST', `/api/stats/${kind}`, { ...cookie, Origin: trackside.origin() }, '{'),
  ]);
  const name = (text: string) => text.slice(0, 60);
  return [
    ...tracked.map((text) => ({ name: name(text), text, isTracked: true })),
    ...rejected.map((text) => ({ name: name(text), text, isRejected: true })),
    ...[...others, ...ofApp, ...stats].map((text) => ({ name: name(text), text })),
  ];
}

test('every answer forbids guessing its type, and requires https after https', async () => {
  for (const { name, text, isTracked, isRejected } of everyRequest()) {
    const plain = await headOf(text);
    assert.ok(plain.status >= 200, name);
    assert.equal(plain.headers['x-content-type-options'], 'nosniff', `${plain.status} to ${name}`);
    assert.equal(plain.headers['strict-transport-security'], undefined, name);
    if (isTracked || isRejected) continue;
    const secure = await headOf(text.replace('\r\n', '\r\nX-Forwarded-Proto: https\r\n'));
    assert.equal(secure.headers['strict-transport-security'], 'max-age=31536000', `${secure.status} ${name}`);
  }
});

/** Returns the head of the first answer. Its body may never end. */
async function headOf(text: string): Promise<{ status: number; headers: Record<string, string> }> {
  const { port } = new URL(trackside.origin());
  const socket = connect(Number(port), '127.0.0.1').setEncoding('latin1');
  socket.write(text);
  let received = '';
  for await (const chunk of socket) {
    received += chunk;
    if (received.includes('\r\n\r\n')) break;
  }
  const [statusLine = '', ...lines] = received.slice(0, received.indexOf('\r\n\r\n')).split('\r\n');
  const pairs = lines.map((line) => [line.split(':', 1)[0]!.toLowerCase(), line.replace(/^[^:]*: */, '')]);
  return { status: Number(statusLine.split(' ')[1]), headers: Object.fromEntries(pairs) };
}
