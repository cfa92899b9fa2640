import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { liveSceneShape } from '@trackside/contract/app/answers.ts';
import { Value } from 'typebox/value';
import { type AppClient, createAppClient } from './support/app-client.ts';
import { testLong } from './support/long-form.ts';
import { type Events, openEvents } from './support/open-events.ts';
import { event, pageView, post } from './support/records.ts';
import { shareTracksideHere } from './support/share-trackside.ts';
import type { TracksideHere } from './support/start-trackside.ts';
import { waitFor } from './support/wait-for.ts';

let trackside: TracksideHere;
let admin: AppClient;
let viewer: AppClient;
let viewerId: number;
let shown: { id: number; apiKey: string };
let secret: { id: number; apiKey: string };
const opened: Events[] = [];
/** The token of every link that was created. None of them may show up in the log. */
const tokens: string[] = [];
const password = 'a long enough secret';

const startShared = shareTracksideHere({
  environment: { TRACKSIDE_ADMIN_EMAIL: 'ada@example.com', TRACKSIDE_ADMIN_PASSWORD: password },
});
before(async () => {
  trackside = await startShared();
  [admin, viewer] = [newClient(), newClient()];
  await signIn(admin, 'ada@example.com');
  shown = await trackside.addWebsite('shown.test');
  secret = await trackside.addWebsite('secret.test');
  const { body } = await admin.ask('POST', '/api/users', {
    body: { email: 'vera@example.com', password, role: 'viewer', websites: [shown.id] },
  });
  viewerId = body.id;
  await signIn(viewer, 'vera@example.com');
  for (const { apiKey } of [shown, secret])
    await waitFor('the key to work', async () => (await send(apiKey)).status === 200);
});
after(async () => {
  for (const stream of opened) stream.close();
});

const newClient = () => createAppClient(() => trackside.origin());
const signIn = async (client: AppClient, email: string) =>
  assert.equal((await client.ask('POST', '/api/session', { body: { email, password } })).status, 200);
const send = (apiKey: string, body: unknown = pageView(), path = '/api/page-view') =>
  post(trackside.origin(), path, apiKey, body);

async function share(body: object = { isOn: true }): Promise<string> {
  const { body: settings } = await admin.ask('PUT', `/api/websites/${shown.id}/share`, { body });
  const token = String(settings.share.path).replace('/share/', '');
  tokens.push(token);
  return token;
}

async function listen(path: string, client?: AppClient): Promise<Events> {
  const cookie = client?.cookie();
  const stream = await openEvents(`${trackside.origin()}${path}`, cookie === undefined ? {} : { cookie });
  opened.push(stream);
  return stream;
}
const listenAs = (client: AppClient, id: number) => listen(`/api/websites/${id}/live`, client);
const listenBy = (token: string) => listen(`/api/share/${token}/live`);

async function metric(name: string): Promise<number> {
  const text = await (await fetch(`${trackside.origin()}/metrics`)).text();
  return Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(text)?.[1]);
}

test('records appear in the stream, and nothing in it reveals who the visitor was', async () => {
  const stream = await listenAs(viewer, shown.id);
  assert.equal(stream.status, 200);
  assert.match(stream.headers.get('content-type')!, /^text\/event-stream/);
  assert.equal(stream.headers.get('cache-control'), 'no-store');
  await waitFor('the first scene', () => stream.scenes().length > 0);
  const signup = event('Signup', [{ Name: 'plan', Value: 'pro' }]);
  assert.equal((await send(shown.apiKey, signup, '/api/event-view')).status, 200);
  await waitFor('the event to appear', () =>
    stream.scenes().some(({ latest }) => latest[0]?.event === 'Signup'),
  );

  const scene = stream.scenes().at(-1);
  assert.ok(Value.Check(liveSceneShape, scene), JSON.stringify([...Value.Errors(liveSceneShape, scene)]));
  assert.deepEqual(Object.keys(scene).sort(), Object.keys(liveSceneShape.properties).sort());
  assert.equal(scene.visitors, 1);
  assert.equal(scene.minutes.length, 30);
  assert.deepEqual(scene.pages, [{ value: '/pricing', visitors: 1 }]);
  assert.deepEqual(scene.sources, [{ value: 'Google', visitors: 1 }]);
  assert.deepEqual(scene.countries, [{ value: 'DE', visitors: 1 }]);
  const [newest, older] = scene.latest;
  const { at, ...latest } = newest!;
  assert.ok(Date.parse(at) > Date.parse(older!.at));
  assert.deepEqual(latest, {
    page: '/pricing',
    event: 'Signup',
    country: 'DE',
    source: 'Google',
    browser: 'Chrome',
    device: 'desktop',
  });
  const [row] = await trackside.store.query<{ id: string }>({
    query: `select toString(any(visitor_id)) as id from records where website_id = ${shown.id}`,
  });
  const text = JSON.stringify(stream.events);
  for (const who of [row!.id, pageView().Metrics.Browser.IP, 'pro']) assert.ok(!text.includes(who), who);
  stream.close();
});

testLong('an open stream follows a change of how pages are shown', async () => {
  const stream = await listenAs(admin, secret.id);
  await send(secret.apiKey, pageView({ Page: { Absolute: 'https://secret.test/Sale' } }));
  const isShown = (page: string) => stream.scenes().some(({ latest }) => latest[0]?.page === page);
  await waitFor('the page', () => isShown('/Sale'));
  const path = `/api/websites/${secret.id}`;
  const { version } = (await admin.ask('GET', path)).body;
  await admin.ask('PATCH', path, { body: { version, ignoreCase: true } });
  await waitFor('the page in lowercase', () => isShown('/sale'));
  stream.close();
});

testLong('a hundred listeners cost one question at a time', async () => {
  const token = await share();
  await waitFor(
    'the streams of before to be gone',
    async () => (await metric('trackside_live_streams')) === 0,
  );
  const [before, startedMs] = [await metric('trackside_live_questions'), performance.now()];
  const streams = await Promise.all(Array.from({ length: 100 }, () => listenBy(token)));
  assert.deepEqual(new Set(streams.map(({ status }) => status)), new Set([200]));
  // A stream may be counted a moment after its first bytes have arrived.
  await waitFor('all streams to count', async () => (await metric('trackside_live_streams')) === 100);
  const page = pageView({ Page: { Absolute: 'https://shown.test/hundred' } });
  assert.equal((await send(shown.apiKey, page)).status, 200);
  await waitFor('all of them to see the record', () =>
    streams.every((stream) => stream.scenes().some(({ latest }) => latest[0]?.page === '/hundred')),
  );
  // Questions are at least two seconds apart, however long this took.
  const questions = (await metric('trackside_live_questions')) - before;
  assert.ok(questions <= Math.floor((performance.now() - startedMs) / 2000) + 1, `${questions} questions`);
  for (const stream of streams) stream.close();
  await waitFor('the streams to be gone', async () => (await metric('trackside_live_streams')) === 0);
});

test('a stream is only for people who may see the website', async () => {
  const expectRefused = async (stream: Events, status: number) => {
    assert.equal(stream.status, status);
    assert.equal((await stream.body()).code, status);
  };
  await expectRefused(await listenAs(viewer, secret.id), 404);
  await expectRefused(await listenAs(viewer, 999_999), 404);
  await expectRefused(await listenAs(newClient(), shown.id), 401);
  for (const token of ['A'.repeat(32), 'x', String(shown.id)])
    await expectRefused(await listenBy(token), 404);
  const head = await fetch(`${trackside.origin()}/api/websites/${shown.id}/live`, {
    method: 'HEAD',
    headers: { Cookie: admin.cookie()! },
  });
  assert.equal(head.status, 405);
});

test('streams end when the link is off, the session ends or access to the website is revoked', async () => {
  const token = await share();
  const leaver = newClient();
  await signIn(leaver, 'ada@example.com');
  const streams = [
    await listenBy(token),
    await listenAs(leaver, secret.id),
    await listenAs(viewer, shown.id),
  ] as const;
  const stays = await listenAs(admin, shown.id);
  for (const stream of streams) assert.equal(stream.status, 200);

  await share({ isOn: true, renew: true });
  await leaver.ask('DELETE', '/api/session');
  await admin.ask('PATCH', `/api/users/${viewerId}`, { body: { websites: [] } });
  for (const [at, stream] of streams.entries()) await waitFor(`stream ${at} to end`, () => !stream.isOpen());
  assert.ok(stays.isOpen());
  stays.close();
  assert.equal((await listenBy(token)).status, 404);
  await admin.ask('PATCH', `/api/users/${viewerId}`, { body: { websites: [shown.id] } });
});

test('a public link shows what it is about, and the numbers of its website', async () => {
  const token = await share();
  const anybody = newClient();
  const { status, body, headers } = await anybody.ask('GET', `/api/share/${token}`);
  assert.equal(status, 200);
  assert.deepEqual(body, {
    website: { id: shown.id, name: 'shown.test', shownDomain: 'shown.test', timezone: 'UTC' },
    demoRecords: 0,
  });
  assert.equal(headers.get('set-cookie'), null);
  const unknown = await anybody.ask('GET', `/api/share/${'A'.repeat(32)}`);
  assert.equal(unknown.status, 404);

  /** Asks again while the days are being added up, as a page does. On a slow disk that can take a while. */
  const ask = async (path: string, question: object, sent: Record<string, string> = {}) => {
    const options = { body: question, headers: { 'Trackside-Share': token, ...sent } };
    let answer = await anybody.ask('POST', `/api/stats/${path}`, options);
    await waitFor(`an answer to ${path}`, async () => {
      if (answer.status !== 503) return true;
      answer = await anybody.ask('POST', `/api/stats/${path}`, options);
      return false;
    });
    return answer;
  };
  const funnel = { steps: [{ page: '/' }, { page: '/pricing' }] };
  const questions = {
    query: {},
    live: {},
    bots: {},
    funnel,
    retention: {},
    paths: { page: '/pricing' },
    goals: {},
  };
  for (const [kind, question] of Object.entries(questions)) {
    const answer = await ask(kind, question);
    assert.equal(answer.status, 200, `${kind} ${answer.text}`);
    assert.equal(answer.body.website, 'shown.test');
  }
  const batch = await ask('batch', { questions: [{ kind: 'live', question: {} }] });
  assert.equal(JSON.parse(batch.text).answer.website, 'shown.test');

  // The link alone decides which website is shown, whatever else is sent.
  const both = await ask('live', {}, { 'Trackside-Website': String(secret.id), Cookie: admin.cookie()! });
  assert.equal(both.body.website, 'shown.test');
  const dead = await ask(
    'live',
    {},
    {
      'Trackside-Share': 'A'.repeat(32),
      'Trackside-Website': String(shown.id),
      Cookie: admin.cookie()!,
    },
  );
  assert.equal(dead.status, 401);
  assert.deepEqual(dead.body, {
    code: 401,
    message: 'Unauthorized: this link is invalid or was revoked',
    fault: 'unauthorized',
  });
  for (const named of [{ website: secret.id }, { websiteId: secret.id }])
    assert.equal((await ask('query', named)).status, 400);
});

test('a link that was switched off soon shows nothing anymore', async () => {
  const token = await share();
  await share({ isOn: false });
  const anybody = newClient();
  await waitFor(
    'the link to be dead',
    async () => (await anybody.ask('GET', `/api/share/${token}`)).status === 404,
  );
  const headers = { 'Trackside-Share': token };
  assert.equal((await anybody.ask('POST', '/api/stats/live', { headers })).status, 401);
});

test('only the embedded page may be framed, and public pages send no referrer', async () => {
  const token = await share();
  const page = async (path: string) =>
    (await newClient().ask('GET', path, { headers: { Accept: 'text/html' } })).headers;
  for (const path of [`/share/${token}`, `/share/${token}/embed`]) {
    const headers = await page(path);
    assert.equal(headers.get('referrer-policy'), 'no-referrer');
    assert.match(headers.get('x-robots-tag')!, /noindex/);
    assert.equal(headers.get('set-cookie'), null);
    assert.match(headers.get('content-security-policy')!, /default-src 'none'; script-src 'self';/);
  }
  const embed = await page(`/share/${token}/embed`);
  assert.match(embed.get('content-security-policy')!, /frame-ancestors \*$/);
  assert.equal(embed.get('x-frame-options'), null);
  assert.equal(embed.get('cross-origin-resource-policy'), 'cross-origin');
  for (const path of [
    `/share/${token}`,
    `/share/${token}/embed/`,
    `/share/${token}/embed/x`,
    '/share/embed',
    '/embed',
    '/',
    '/sign-in',
    `/websites/${shown.id}`,
    `/websites/${shown.id}/embed`,
  ]) {
    const headers = await page(path);
    assert.match(headers.get('content-security-policy')!, /frame-ancestors 'none'$/, path);
    assert.equal(headers.get('x-frame-options'), 'DENY', path);
  }
});

test('a stopping server ends its streams, and no link is in its log', async () => {
  const streams = [await listenBy(await share()), await listenAs(admin, shown.id)];
  for (const stream of streams) await waitFor('a scene', () => stream.scenes().length > 0);
  assert.equal(await trackside.end('SIGTERM'), 0);
  for (const stream of streams) await waitFor('the stream to end', () => !stream.isOpen());
  assert.ok(tokens.length > 3);
  for (const token of tokens.filter((one) => one !== 'null'))
    assert.ok(!trackside.output().includes(token), 'a link is in the log');
});
