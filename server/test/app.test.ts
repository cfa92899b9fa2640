import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { type AppClient, createAppClient } from './support/app-client.ts';
import { isLongForm, testLong } from './support/long-form.ts';
import { event, pageView, post } from './support/records.ts';
import { useTracksideHereOfProcess } from './support/share-trackside.ts';
import type { TracksideHere } from './support/start-trackside.ts';
import { waitFor } from './support/wait-for.ts';

let trackside: TracksideHere;
let admin: AppClient;
const email = 'ada@example.com';
const password = 'a long enough secret';

/** This file creates the first user, so the files of a process that share a server come after it. */
const startShared = useTracksideHereOfProcess();
before(async () => {
  trackside = await startShared();
  admin = createAppClient(() => trackside.origin());
});

const newClient = () => createAppClient(() => trackside.origin());
const send = (apiKey: string, body: unknown = pageView(), path = '/api/page-view') =>
  post(trackside.origin(), path, apiKey, body);

async function addEmptyWebsite(domain: string) {
  const body = { domain, timezone: 'Europe/Berlin', contingent: null };
  const added = await admin.ask('POST', '/api/websites', { body });
  assert.equal(added.status, 201, added.text);
  const { body: key } = await admin.ask('GET', `/api/websites/${added.body.id}/key`);
  return {
    id: added.body.id as number,
    apiKey: key.apiKey as string,
    path: `/api/websites/${added.body.id}`,
  };
}

/** Sends one record, which shows that the key works. */
async function addWebsite(domain: string) {
  const added = await addEmptyWebsite(domain);
  await waitFor('the key to work', async () => (await send(added.apiKey)).status === 200);
  return added;
}

test('the printed link creates the first user, once', async () => {
  assert.deepEqual((await admin.ask('GET', '/api/setup')).body, { isNeeded: true });
  const token = /\/setup#([\w-]{43})/.exec(trackside.output())?.[1];
  assert.ok(token, 'expected a setup link in the output');
  const setUp = (body: object) =>
    admin.ask('POST', '/api/setup', { body: { token, email, password, ...body } });
  assert.equal((await setUp({ token: 'A'.repeat(43) })).status, 403);
  const weak = await setUp({ password: 'short' });
  assert.equal(weak.status, 400);
  assert.match(weak.body.fields.password, /10 to 200 characters/);
  const odd = await setUp({ email: 'ada' });
  assert.match(odd.body.fields.email, /such as/);

  const done = await setUp({});
  assert.equal(done.status, 201, done.text);
  assert.equal(done.body.user.role, 'admin');
  assert.equal((await admin.ask('GET', '/api/session')).body.user.email, email);
  assert.equal(
    (await newClient().ask('POST', '/api/setup', { body: { token, email: 'b@c.de', password } })).status,
    403,
  );
  assert.deepEqual((await admin.ask('GET', '/api/setup')).body, { isNeeded: false });
});

test('a new website accepts records at once, and shows what was sent and understood', async () => {
  const { id, apiKey, path } = await addWebsite('shop.test');
  const refused = await send(apiKey, pageView({ Language: { Code: 'en-US' } }));
  assert.equal(refused.status, 400);
  await send(apiKey, event('Signup', [{ Name: 'plan', Value: 'pro' }]), '/api/event-view');
  const { body } = await admin.ask('GET', `${path}/requests`);
  const [last, before, first] = body.requests;
  assert.equal(last.code, 200);
  assert.equal(last.kind, 'event');
  assert.equal(before.code, 400);
  assert.match(before.message, /Language\.Code/);
  assert.equal(before.shape.Metrics.Language.Code, 'text with 5 characters');
  assert.equal(first.understood.bot, null);
  assert.ok(!JSON.stringify(body).includes(pageView().Metrics.Browser.IP), 'no IP address is shown');

  const { body: newer } = await admin.ask('GET', `${path}/requests?after=${encodeURIComponent(before.at)}`);
  assert.ok(newer.requests.every(({ at }: { at: string }) => at > before.at));
  const settings = (await admin.ask('GET', path)).body;
  assert.ok(Date.now() - Date.parse(settings.key.lastUsedAt) < 60_000);
  assert.equal(settings.usage.used, 2);
  assert.match(settings.key.masked, /^[\w-]{4}•{35}[\w-]{4}$/);
  await trackside.untilTakenUp();
  await waitFor('the visitors to be counted', async () => {
    const { body: activity } = await admin.ask('GET', `/api/websites/${id}/activity`);
    return activity.visitors >= 1 && activity.byHour.length === 24;
  });
});

test('a regenerated key works and the old one stops, unless it is kept for a day', async () => {
  const { apiKey, path } = await addWebsite('keys.test');
  const regenerate = async (keepOldHours: number) =>
    (await admin.ask('POST', `${path}/key`, { body: { keepOldHours } })).body.apiKey as string;
  const second = await regenerate(0);
  await waitFor('the new key to work', async () => (await send(second)).status === 200);
  await waitFor('the old key to stop', async () => (await send(apiKey)).status === 401);

  const third = await regenerate(24);
  await waitFor('the newest key to work', async () => (await send(third)).status === 200);
  assert.equal((await send(second)).status, 200);
  const { body } = await admin.ask('GET', path);
  assert.ok(Math.abs(Date.parse(body.key.oldKeyUntil) - Date.now() - 86_400_000) < 60_000);
});

test('the second of two simultaneous editors is told what the first has changed', async () => {
  const { path } = await addWebsite('edit.test');
  const { version } = (await admin.ask('GET', path)).body;
  const first = await admin.ask('PATCH', path, {
    body: { version, name: 'First', contingent: 1000, ignoreWww: true },
  });
  assert.equal(first.status, 200);
  assert.equal(first.body.ignoreWww, true);
  assert.equal(first.body.ignoreCase, false);
  const second = await admin.ask('PATCH', path, { body: { version, name: 'Second' } });
  assert.equal(second.status, 409);
  assert.equal(second.body.current.name, 'First');
  const faults = await admin.ask('PATCH', path, {
    body: {
      version: first.body.version,
      domain: 'https://x/',
      timezone: 'Mars',
      contingent: -1,
      retentionDays: 0,
    },
  });
  assert.deepEqual(Object.keys(faults.body.fields), ['domain', 'timezone', 'contingent', 'retentionDays']);
  const rules = { ignoreTrailingSlash: true, ignoreCase: 'yes', ignoreWww: 1 };
  const wrong = await admin.ask('PATCH', path, { body: { version: first.body.version, ...rules } });
  assert.deepEqual([wrong.status, Object.keys(wrong.body.fields)], [400, ['ignoreCase', 'ignoreWww']]);
  const taken = await admin.ask('PATCH', path, {
    body: { version: first.body.version, domain: 'shop.test' },
  });
  assert.match(taken.body.fields.domain, /already/);
});

test('a public link can be switched on, renewed and switched off', async () => {
  const { path } = await addWebsite('share.test');
  const share = async (body: object) => (await admin.ask('PUT', `${path}/share`, { body })).body.share;
  const on = await share({ isOn: true });
  assert.match(on.path, /^\/share\/[\w-]{32}$/);
  assert.deepEqual(await share({ isOn: true }), on);
  assert.notEqual((await share({ isOn: true, renew: true })).path, on.path);
  assert.deepEqual(await share({ isOn: false }), { isOn: false, path: null });
});

test('a read token is shown once, can read, and can be revoked', async () => {
  const { path } = await addWebsite('token.test');
  const { status, body: made } = await admin.ask('POST', `${path}/tokens`, { body: { name: 'report' } });
  assert.equal(status, 201);
  const query = () =>
    fetch(`${trackside.origin()}/api/stats/live`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${made.token}` },
    });
  assert.equal((await query()).status, 200);
  const { body } = await admin.ask('GET', `${path}/tokens`);
  assert.deepEqual(
    body.tokens.map(({ name }: { name: string }) => name),
    ['report'],
  );
  assert.ok(!JSON.stringify(body).includes(made.token));
  assert.equal((await admin.ask('DELETE', `${path}/tokens/${made.id}`)).status, 204);
  assert.equal((await query()).status, 401);
  assert.equal((await admin.ask('DELETE', `${path}/tokens/${made.id}`)).status, 404);
});

test('exports and erases all records of one person and nobody else’s; exports a website as a file', async () => {
  const { id, apiKey, path } = await addWebsite('person.test');
  const of = (ClientId: string | null) => pageView({ Identify: { ClientId } });
  for (const person of ['account-1', 'account-1', 'account-2', null]) await send(apiKey, of(person));
  await waitFor(
    'the records to be in the store',
    async () => (await trackside.countRows(`website_id = ${id}`)) === 5,
  );
  const person = (what: string, clientId: string) =>
    admin.ask('POST', `${path}/person/${what}`, { body: { clientId } });
  const file = await person('export', 'account-1');
  assert.match(file.headers.get('content-disposition')!, /person-person\.test\.ndjson/);
  assert.equal(file.text.trim().split('\n').length, 2);
  assert.ok(!file.text.includes('account-1'));
  assert.deepEqual((await person('erase', 'account-1')).body, { records: 2 });
  assert.deepEqual((await person('erase', 'account-1')).body, { records: 0 });
  assert.equal(await trackside.countRows(`website_id = ${id}`), 3);
  assert.equal((await person('erase', '')).status, 400);

  // What is left of the website, as a file.
  const all = await admin.ask('GET', `${path}/export?format=csv`);
  assert.equal(all.headers.get('content-type'), 'text/csv; charset=utf-8');
  assert.match(all.headers.get('content-disposition')!, /"records-person\.test\.csv"/);
  const [head, ...rows] = all.text.trimEnd().split('\n');
  assert.match(head!, /"received_at"/);
  assert.equal(rows.length, 3);
  const parquet = await admin.ask('GET', `${path}/export?format=parquet&from=2020-01-01&to=2099-12-31`);
  assert.match(parquet.text, /^PAR1.*PAR1$/s);
  const before = await admin.ask('GET', `${path}/export?format=csv&to=2020-01-01`);
  assert.equal(before.text.trimEnd().split('\n').length, 1);
  for (const query of [
    '',
    '?format=xlsx',
    '?format=csv&from=2026-02-30',
    '?format=csv&from=2026-02-02&to=2026-02-01',
  ])
    assert.equal((await admin.ask('GET', `${path}/export${query}`)).status, 400, query);
  for (const recorded of ['export?format=csv', 'key']) {
    const looked = await fetch(`${trackside.origin()}${path}/${recorded}`, { method: 'HEAD' });
    assert.equal(looked.status, 405, 'nothing is shown, so nothing may be recorded');
  }
});

test('a test page view goes through the same steps as every record, and gets the same answer', async () => {
  const { id, path } = await addEmptyWebsite('first.test');
  const userAgent = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0';
  const body = { userAgent, language: 'de' };
  const sent = await waitForStatus(() => admin.ask('POST', `${path}/test-view`, { body }), 200);
  assert.deepEqual(sent.body, { code: 200, message: 'Success' });
  const { requests } = (await admin.ask('GET', `${path}/requests`)).body;
  assert.equal(requests.length, 1);
  const { page, browser, os } = requests[0].understood;
  assert.deepEqual([page, browser, os], ['/trackside-test', 'Firefox', 'Linux']);
  assert.equal((await admin.ask('GET', path)).body.usage.used, 1);
  await waitFor(
    'the record to be in the store',
    async () => (await trackside.countRows(`website_id = ${id} and language = 'de'`)) === 1,
  );
  const wrong = await admin.ask('POST', `${path}/test-view`, { body: { ...body, language: '??' } });
  assert.equal(wrong.body.code, 400);
  assert.match(wrong.body.message, /Language\.Code/);
  // A website that has records gets no demo.
  assert.equal((await admin.ask('POST', `${path}/demo`, { body: { days: 2 } })).status, 403);
});

test('a record can be tried out, which leaves no trace', async () => {
  const { path } = await addEmptyWebsite('tried.test');
  const tryOut = (kind: string, body: unknown) =>
    admin.ask('POST', `${path}/dry-run`, { body: { kind, body: JSON.stringify(body) } });
  const { body } = await waitForStatus(() => tryOut('page_view', pageView()), 200);
  assert.partialDeepStrictEqual(body, { code: 200, isExcluded: false, understood: { page: '/pricing' } });
  const wrong = (await tryOut('event', pageView())).body;
  assert.deepEqual([wrong.code, wrong.understood], [400, null]);
  assert.match(wrong.message, /^Name: expected/);
  assert.deepEqual((await admin.ask('GET', `${path}/requests`)).body.requests, []);
  assert.equal((await admin.ask('GET', path)).body.usage.used, 0);
});

test('rules exclude as many records as their preview says', async () => {
  const { id, apiKey, path } = await addWebsite('excluding.test');
  const pages = ['/', '/admin/a', '/admin/b?preview=1', '/caf%C3%A9', '/x?Preview&gclid=1'];
  const urls = [
    'https://excluding.test',
    'https://www.excluding.test:8443',
    'https://forged.example',
  ].flatMap((host) => pages.map((page) => `${host}${page}`));
  const sendAll = async () => {
    const answers = [];
    for (const url of urls) answers.push(await send(apiKey, pageView({ Page: { Absolute: url } })));
    answers.push(await send(apiKey, event('debug-1', []), '/api/event-view'));
    return answers.map(({ body }) => body.Message).filter((message) => message.startsWith('Excluded')).length;
  };
  assert.equal(await sendAll(), 0);
  const all = urls.length + 2;
  await waitFor('the records', async () => (await trackside.countRows(`website_id = ${id}`)) === all);

  const rules = [
    { kind: 'own-host', value: 'Excluding.test' },
    { kind: 'own-host', value: 'www.example.com' },
    { kind: 'host', value: '*.example' },
    { kind: 'path', value: '/admin/*' },
    { kind: 'path', value: '/café' },
    { kind: 'query', value: 'preview' },
    { kind: 'event', value: 'debug*' },
    { kind: 'user-agent', value: 'HeadlessChrome' },
    { kind: 'network', value: '198.51.100.0/24' },
  ];
  const preview = await admin.ask('POST', `${path}/exclusions/preview`, { body: { exclusions: rules } });
  assert.equal(preview.status, 200, preview.text);
  const { records, excluded, rules: byRule } = preview.body;
  assert.equal(records, all);
  assert.deepEqual(
    byRule.map((rule: { records: number | null }) => rule.records),
    [5, 5, 5, 6, 3, 6, 1, null, null],
  );

  const { version } = (await admin.ask('GET', path)).body;
  const change = { version, exclusions: rules };
  const saved = await admin.ask('PATCH', path, { body: change });
  assert.equal(saved.status, 200, saved.text);
  assert.deepEqual(saved.body.exclusions[0], { kind: 'own-host', value: 'excluding.test' });
  await waitFor('the rules to apply', async () => {
    const { body } = await send(apiKey, event('debug-2', []), '/api/event-view');
    return body.Message === 'Excluded: the name of the event matches debug*';
  });
  assert.equal(await sendAll(), excluded);
  assert.ok((await admin.ask('GET', `${path}/requests`)).body.excluded >= excluded);
  // Only a few of each second are kept.
  await waitFor('an excluded record to be shown', async () => {
    await send(apiKey, event('debug-3', []), '/api/event-view');
    const { requests } = (await admin.ask('GET', `${path}/requests`)).body;
    return requests.some((one: { isExcluded?: boolean }) => one.isExcluded === true);
  });
  assert.match((await admin.ask('GET', '/api/audit')).text, /website\.exclusions-changed/);

  const wrong = { version: saved.body.version, exclusions: [{ kind: 'network', value: '0.0.0.0/0' }] };
  const refused = await admin.ask('PATCH', path, { body: wrong });
  assert.equal(refused.status, 400);
  assert.match(refused.body.fields.exclusions, /^network: expected an IP address or a network such as/);
});

testLong('demo data can be loaded into a website without records, and removed later', async () => {
  const { id, apiKey, path } = await addEmptyWebsite('made-up.test');
  const state = async () => (await admin.ask('GET', `${path}/demo`)).body;
  const pageViews = async () => {
    const question = { period: 'all', metrics: ['pageViews'] };
    const headers = { 'Trackside-Website': String(id) };
    // Again while the days are being added up, as a page does.
    const { body } = await waitForStatus(
      () => admin.ask('POST', '/api/stats/query', { body: question, headers }),
      200,
    );
    return body.rows?.[0]?.metrics.pageViews as number | undefined;
  };
  assert.deepEqual(await state(), { state: 'none', done: 0, records: 0 });
  assert.equal(await pageViews(), 0);
  const { status, body } = await admin.ask('POST', `${path}/demo`, { body: { days: 3 } });
  assert.deepEqual([status, body.state], [202, 'loading']);
  await waitFor('the demo to be loaded', async () => (await state()).state === 'loaded');
  const { records } = await state();
  assert.equal(await trackside.countRows(`website_id = ${id}`), records);
  const loaded = (await pageViews()) ?? 0;
  assert.ok(loaded > 100, String(loaded));
  const extras = async () => {
    const { notes } = (await admin.ask('GET', `${path}/notes`)).body;
    return [notes.length, (await admin.ask('GET', `${path}/funnels`)).body.funnels.length];
  };
  assert.deepEqual(await extras(), [2, 2]);
  assert.equal((await admin.ask('GET', path)).body.usage.used, 0, 'it takes nothing from the quota');

  await send(apiKey, pageView());
  await admin.ask('POST', `${path}/notes`, { body: { day: '2026-11-03', text: 'Launch' } });
  const [{ id: funnelId, name }] = (await admin.ask('GET', `${path}/funnels`)).body.funnels;
  const adapted = { name, steps: [{ page: '/a' }, { page: '/b' }], withinDays: null };
  assert.equal((await admin.ask('PUT', `${path}/funnels/${funnelId}`, { body: adapted })).status, 200);
  await waitFor('the record to be counted', async () => (await pageViews()) === loaded + 1);
  assert.equal((await admin.ask('DELETE', `${path}/demo`)).body.state, 'removing');
  await waitFor('the demo to be gone', async () => (await state()).state === 'none');
  assert.equal(await pageViews(), 1);
  assert.deepEqual(await extras(), [1, 1], 'what somebody has written or changed stays');
});

test('admins write notes, and everyone who may see the website reads them', async () => {
  const { id, path } = await addWebsite('notes.test');
  const write = (body: object) => admin.ask('POST', `${path}/notes`, { body });
  const { status, body: note } = await write({ day: '2026-11-03', text: '  New prices ' });
  assert.equal(status, 201);
  const { id: noteId, createdAt, ...written } = note;
  assert.deepEqual(written, { day: '2026-11-03', text: 'New prices', author: email });
  assert.ok(Math.abs(Date.now() - Date.parse(createdAt)) < 60_000);
  await write({ day: '2026-10-01', text: 'Relaunch' });
  const faults = await write({ day: '2026-02-30', text: 'two\nlines' });
  assert.equal(faults.status, 400);
  assert.deepEqual(Object.keys(faults.body.fields), ['day', 'text']);

  await admin.ask('POST', '/api/users', {
    body: { email: 'nora@example.com', password, role: 'viewer', websites: [id] },
  });
  const nora = newClient();
  await nora.ask('POST', '/api/session', { body: { email: 'nora@example.com', password } });
  const { body } = await nora.ask('GET', `${path}/notes`);
  const texts = body.notes.map(({ text }: { text: string }) => text);
  assert.deepEqual(texts, ['Relaunch', 'New prices'], 'by their days');

  const other = await addWebsite('other-notes.test');
  assert.equal((await admin.ask('DELETE', `${other.path}/notes/${noteId}`)).status, 404);
  assert.equal((await admin.ask('DELETE', `${path}/notes/${noteId}`)).status, 204);
  assert.equal((await admin.ask('DELETE', `${path}/notes/${noteId}`)).status, 404);
  assert.equal((await admin.ask('GET', `${path}/notes`)).body.notes.length, 1);
});

test('a funnel is saved, can be asked as it is, and is removed', async () => {
  const { id, apiKey, path } = await addWebsite('funnels.test');
  const steps = [{ page: '/*' }, { event: 'Signup', parameter: { name: 'plan', value: 'pro' } }];
  const keep = (body: object) => admin.ask('POST', `${path}/funnels`, { body });
  const { status, body: funnel } = await keep({ name: ' Sign-up ', steps, withinDays: null });
  assert.equal(status, 201);
  assert.deepEqual(funnel, { id: funnel.id, name: 'Sign-up', steps, withinDays: null });
  assert.equal((await keep({ name: 'Slow', steps, withinDays: 30 })).body.withinDays, 30);
  const faults = await keep({ name: '', steps: [{ page: 'pricing' }, { event: 'x' }], withinDays: 91 });
  assert.deepEqual(Object.keys(faults.body.fields), ['name', 'steps', 'withinDays']);
  assert.match(faults.body.fields.steps, /Step 1: expected a path that begins with \//);

  const { body } = await admin.ask('GET', `${path}/funnels`);
  assert.deepEqual(
    body.funnels.map(({ name }: { name: string }) => name),
    ['Sign-up', 'Slow'],
  );
  await send(apiKey, event('Signup', [{ Name: 'plan', Value: 'pro' }]), '/api/event-view');
  await trackside.untilTakenUp();
  await waitFor('both steps to be counted', async () => {
    const { body: answer } = await admin.ask('POST', '/api/stats/funnel', {
      body: { period: 'today', steps: body.funnels[0].steps },
      headers: { 'Trackside-Website': String(id) },
    });
    return answer.steps?.at(-1).visitors === 1;
  });
  const other = await addWebsite('other-funnels.test');
  assert.equal((await admin.ask('DELETE', `${other.path}/funnels/${funnel.id}`)).status, 404);
  assert.equal((await admin.ask('DELETE', `${path}/funnels/${funnel.id}`)).status, 204);
  assert.equal((await admin.ask('GET', `${path}/funnels`)).body.funnels.length, 1);
});

test('segments are personal or for the website, where only admins may change them', async () => {
  const { id, path } = await addWebsite('segments.test');
  const filters = [{ dimension: 'country', anyOf: ['DE', 'AT'] }];
  const of = (client: AppClient) => ({
    save: (body: object) => client.ask('POST', `${path}/segments`, { body: { filters, ...body } }),
    list: async () => (await client.ask('GET', `${path}/segments`)).body.segments,
    rename: (segmentId: number, name: string) =>
      client.ask('PATCH', `${path}/segments/${segmentId}`, { body: { name } }),
    remove: (segmentId: number) => client.ask('DELETE', `${path}/segments/${segmentId}`),
    count: (segment: number) =>
      client.ask('POST', '/api/stats/query', {
        body: { period: 'today', segment },
        headers: { 'Trackside-Website': String(id) },
      }),
  });
  await admin.ask('POST', '/api/users', {
    body: { email: 'sven@example.com', password, role: 'viewer', websites: [id] },
  });
  const sven = newClient();
  await sven.ask('POST', '/api/session', { body: { email: 'sven@example.com', password } });
  const [ofAdmin, ofSven] = [of(admin), of(sven)];

  const { status, body: shared } = await ofAdmin.save({ name: ' DACH ', isPersonal: false });
  assert.equal(status, 201);
  assert.deepEqual(shared, { id: shared.id, name: 'DACH', filters, isPersonal: false });
  assert.equal((await ofSven.save({ name: 'Everybody', isPersonal: false })).body.fault, 'forbidden');
  const { body: own } = await ofSven.save({ name: 'A view of mine', isPersonal: true });
  assert.equal(own.isPersonal, true);
  assert.equal((await ofAdmin.save({ name: 'DACH', isPersonal: false })).body.fault, 'already-exists');
  assert.deepEqual(await ofSven.list(), [own, shared]);
  assert.deepEqual(await ofAdmin.list(), [shared], 'nobody sees the segments of others');

  const wrong = await ofSven.save({ name: '', filters: [{ dimension: 'country', is: 'Germany' }] });
  assert.deepEqual(Object.keys(wrong.body.fields), ['name', 'filters', 'isPersonal']);
  assert.match(wrong.body.fields.filters, /^filters\[0\]\.is: expected .*, got "Germany"\.$/);
  assert.ok((await ofSven.save({ name: 'None', filters: [], isPersonal: true })).body.fields.filters);

  for (const segment of [own.id, shared.id]) assert.equal((await ofSven.count(segment)).status, 200);
  assert.equal((await ofAdmin.count(own.id)).body.fault, 'segment-unknown');

  assert.equal((await ofSven.rename(shared.id, 'Mine')).status, 403);
  assert.equal((await ofSven.remove(shared.id)).status, 403);
  assert.equal((await ofAdmin.rename(own.id, 'Yours')).status, 404);
  assert.equal((await ofAdmin.remove(own.id)).status, 404);
  assert.equal((await ofSven.rename(own.id, 'Mine')).body.name, 'Mine');
  assert.equal((await ofAdmin.rename(shared.id, 'German')).body.name, 'German');
  const other = await addWebsite('other-segments.test');
  assert.equal((await admin.ask('DELETE', `${other.path}/segments/${shared.id}`)).status, 404);
  assert.equal((await ofAdmin.remove(shared.id)).status, 204);
  assert.equal((await ofSven.remove(own.id)).status, 204);
  assert.deepEqual(await ofSven.list(), []);
});

test('a goal is saved, counted for everyone who may see the website, and removed', async () => {
  const { id, apiKey, path } = await addWebsite('goals.test');
  const keep = (body: object) => admin.ask('POST', `${path}/goals`, { body });
  const { status, body: signup } = await keep({ name: ' Sign-up ', goal: { event: 'Signup' } });
  assert.equal(status, 201);
  assert.deepEqual(signup, { id: signup.id, name: 'Sign-up', goal: { event: 'Signup' } });
  const { body: page } = await keep({ goal: { page: ' /thanks/* ' } });
  assert.deepEqual(page, { id: page.id, name: null, goal: { page: '/thanks/*' } });
  assert.equal((await keep({ goal: { event: 'Signup' } })).body.fault, 'already-exists');
  for (const goal of [{ page: 'thanks' }, { event: ' ' }, { event: 'x'.repeat(257) }, {}, 'Signup\n', null])
    assert.ok((await keep({ goal })).body.fields?.goal, JSON.stringify(goal));
  assert.deepEqual((await admin.ask('GET', `${path}/goals`)).body.goals, [signup, page]);
  const change = (goalId: number, body: object) => admin.ask('PATCH', `${path}/goals/${goalId}`, { body });
  const renamed = { ...page, name: 'Thanks' };
  assert.deepEqual((await change(page.id, { name: ' Thanks ' })).body, renamed);
  assert.equal((await change(page.id, { goal: { event: 'Signup' } })).body.fault, 'already-exists');
  assert.ok((await change(page.id, { goal: { page: 'thanks' } })).body.fields?.goal);
  assert.deepEqual((await change(page.id, { name: '', goal: { page: '/thanks/*' } })).body, page);
  assert.equal((await change(99, { name: 'Nothing' })).status, 404);

  await send(apiKey, event('Signup', []), '/api/event-view');
  await waitFor('the goal to be reached', async () => {
    const { body } = await admin.ask('POST', '/api/stats/goals', {
      body: { period: 'today' },
      headers: { 'Trackside-Website': String(id) },
    });
    const conversions = body.goals?.map((goal: { conversions: number }) => goal.conversions);
    return JSON.stringify(conversions) === '[1,0]';
  });
  assert.equal((await admin.ask('DELETE', `${path}/goals/${signup.id}`)).status, 204);
  assert.equal((await admin.ask('DELETE', `${path}/goals/${signup.id}`)).status, 404);
  assert.deepEqual((await admin.ask('GET', `${path}/goals`)).body.goals, [page]);
});

test('a deleted website and its records are gone, and its key does not work', async () => {
  const { id, apiKey, path } = await addWebsite('gone.test');
  await waitFor(
    'the record to be in the store',
    async () => (await trackside.countRows(`website_id = ${id}`)) === 1,
  );
  const wrong = await admin.ask('DELETE', path, { body: { confirm: 'other.test' } });
  assert.match(wrong.body.fields.confirm, /gone\.test/);
  assert.equal((await admin.ask('DELETE', path, { body: { confirm: 'gone.test' } })).status, 202);
  await waitFor('the deletion to be done', async () => {
    const { body } = await admin.ask('GET', `/api/deletions/${id}`);
    return body.state === 'done';
  });
  assert.equal(await trackside.countRows(`website_id = ${id}`), 0);
  assert.equal((await send(apiKey)).status, 401);
  assert.equal((await admin.ask('GET', path)).status, 404);
});

test('users are added, seen, changed and removed, and nobody can lock all admins out', async () => {
  const { id } = await addWebsite('users.test');
  const added = await admin.ask('POST', '/api/users', {
    body: { email: 'Vera@Example.com', password, role: 'viewer', websites: [id] },
  });
  assert.equal(added.status, 201, added.text);
  assert.equal(added.body.email, 'vera@example.com');
  const twice = await admin.ask('POST', '/api/users', {
    body: { email: 'vera@example.com', password, role: 'viewer' },
  });
  assert.equal(twice.status, 400);
  assert.ok(twice.body.fields.email);

  const vera = newClient();
  await vera.ask('POST', '/api/session', { body: { email: 'vera@example.com', password } });
  assert.equal((await vera.ask('GET', '/api/websites')).body.websites.length, 1);
  await admin.ask('PATCH', `/api/users/${added.body.id}`, { body: { websites: [] } });
  assert.equal((await vera.ask('GET', '/api/websites')).body.websites.length, 0);
  await admin.ask('PATCH', `/api/users/${added.body.id}`, { body: { password: 'another long secret' } });
  assert.equal((await vera.ask('GET', '/api/session')).status, 401, 'a new password ends the sessions');

  const { body } = await admin.ask('GET', '/api/users');
  const ada = body.users.find((user: { email: string }) => user.email === email);
  assert.equal((await admin.ask('DELETE', `/api/users/${ada.id}`)).status, 400);
  assert.equal((await admin.ask('PATCH', `/api/users/${ada.id}`, { body: { role: 'viewer' } })).status, 400);
  assert.equal((await admin.ask('DELETE', `/api/users/${added.body.id}`)).status, 204);
});

test('changing the password requires the old one, and ends other sessions', async () => {
  const other = newClient();
  await other.ask('POST', '/api/session', { body: { email, password } });
  const change = (body: object) => admin.ask('PUT', '/api/session/password', { body });
  const wrong = await change({ currentPassword: 'wrong wrong wrong', newPassword: 'the next secret' });
  assert.ok(wrong.body.fields.currentPassword);
  assert.equal((await change({ currentPassword: password, newPassword: 'the next secret' })).status, 200);
  assert.equal((await admin.ask('GET', '/api/session')).status, 200);
  assert.equal((await other.ask('GET', '/api/session')).status, 401);
});

test('people who guess passwords have to wait, even after a restart, and are told how long', async () => {
  const guess = () =>
    newClient().ask('POST', '/api/session', {
      body: { email: 'guessed@example.com', password: 'not this one' },
    });
  for (let times = 0; times < 5; times += 1) assert.equal((await guess()).status, 401);
  const throttled = await waitForStatus(guess, 429);
  assert.ok(Number(throttled.headers.get('retry-after')) >= 1);
  await trackside.end('SIGKILL');
  await trackside.start();
  assert.equal((await waitForStatus(guess, 429)).status, 429);
});

async function waitForStatus(ask: () => ReturnType<AppClient['ask']>, status: number) {
  let answer = await ask();
  await waitFor(`an answer with ${status}`, async () => {
    if (answer.status !== status) answer = await ask();
    return answer.status === status;
  });
  return answer;
}

test('the audit log says who did what, and contains no secret', async () => {
  const { body: newest } = await admin.ask('GET', '/api/audit');
  const { body: older } = await admin.ask('GET', `/api/audit?before=${newest.entries.at(-1).id}`);
  const entries = [...newest.entries, ...older.entries] as { actor: string; action: string }[];
  const actions = new Set(entries.map(({ action }) => action));
  const expected = `
    ${isLongForm ? 'website.demo-loaded website.demo-removed' : ''}
    website.added website.key-revealed website.key-regenerated website.contingent-changed
    website.share-on website.deletion-started website.deleted user.added user.removed
    website.exported person.exported person.erasure-started person.erased token.added token.revoked
    user.password-changed note.added note.removed funnel.added funnel.removed
    segment.added segment.changed segment.removed goal.added goal.changed goal.removed
  `;
  for (const action of expected.trim().split(/\s+/)) assert.ok(actions.has(action), action);
  const actors = new Set(entries.map(({ actor }) => actor));
  assert.deepEqual(
    actors,
    new Set([email, 'vera@example.com', 'nora@example.com', 'sven@example.com', 'server']),
  );
  assert.ok(!JSON.stringify(entries).includes(password) && !JSON.stringify(entries).includes('account-1'));
});

test('signing out ends the session here, or everywhere', async () => {
  const [here, there] = [newClient(), newClient()];
  for (const client of [here, there])
    await client.ask('POST', '/api/session', { body: { email, password: 'the next secret' } });
  const { body: listed } = await here.ask('GET', '/api/sessions');
  assert.deepEqual(
    listed.sessions.map(({ isCurrent }: { isCurrent: boolean }) => isCurrent).filter(Boolean),
    [true],
    'one of them is the own one',
  );
  const other = listed.sessions.find(({ isCurrent }: { isCurrent: boolean }) => !isCurrent);
  assert.equal((await here.ask('DELETE', `/api/sessions/${other.id}`)).status, 204);
  assert.equal((await here.ask('DELETE', `/api/sessions/${other.id}`)).status, 404);
  const { body: left } = await here.ask('GET', '/api/sessions');
  assert.equal(left.sessions.length, listed.sessions.length - 1);
  await there.ask('POST', '/api/session', { body: { email, password: 'the next secret' } });
  await admin.ask('POST', '/api/session', { body: { email, password: 'the next secret' } });

  const cookie = here.cookie();
  assert.equal((await here.ask('DELETE', '/api/session')).status, 204);
  assert.equal(here.cookie(), undefined);
  here.setCookie(cookie);
  assert.equal((await here.ask('GET', '/api/session')).status, 401);
  assert.equal((await there.ask('DELETE', '/api/sessions')).status, 204);
  assert.equal((await admin.ask('GET', '/api/session')).status, 401);
});
