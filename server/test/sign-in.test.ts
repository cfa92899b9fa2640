import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { before, test } from 'node:test';
import { type AppClient, createAppClient } from './support/app-client.ts';
import { times } from './support/long-form.ts';
import { pageView, post } from './support/records.ts';
import { shareTracksideHere } from './support/share-trackside.ts';
import type { TracksideHere } from './support/start-trackside.ts';
import { waitFor } from './support/wait-for.ts';

let trackside: TracksideHere;
let owner: AppClient;
let apiKey: string;
const email = 'ada@example.com';
const password = 'a long enough secret';
/** Many more than are verified before the others are refused. */
const wrongSignIns = times(250, 1000);
const guesses = times(30, 100);
const byProxy = { 'X-Forwarded-For': '198.51.100.7' };

const startShared = shareTracksideHere({
  environment: { TRACKSIDE_ADMIN_EMAIL: email, TRACKSIDE_ADMIN_PASSWORD: password },
});
before(async () => {
  trackside = await startShared();
  owner = createAppClient(() => trackside.origin());
  assert.equal((await signIn(owner)).status, 200);
  ({ apiKey } = await trackside.addWebsite('shop.test'));
  await waitFor('the key to work', async () => (await send()).status === 200);
});

const newClient = () => createAppClient(() => trackside.origin());
const send = () => post(trackside.origin(), '/api/page-view', apiKey, pageView());

function signIn(
  client: AppClient,
  given: { email?: string; password?: string; headers?: Record<string, string> } = {},
) {
  const { headers = {}, ...body } = given;
  return client.ask('POST', '/api/session', { body: { email, password, ...body }, headers });
}

const guess = (given: { email?: string; headers?: Record<string, string> } = {}) =>
  signIn(newClient(), { password: 'not this one', ...given });

test('answers a record while a change of the settings waits for another process', async () => {
  const other = new DatabaseSync(join(trackside.folder.control, 'control.db'));
  let attempts = 0;
  // Again if the records take longer than a change waits, because the machine is busy.
  await waitFor('a change that waits for them', async () => {
    attempts += 1;
    const body = { domain: `waits-${attempts}.test`, timezone: 'UTC', contingent: null };
    other.exec('begin immediate');
    const done = { isChanged: false };
    const changed = owner.ask('POST', '/api/websites', { body }).finally(() => {
      done.isChanged = true;
    });
    for (let times = 0; times < 3; times += 1) assert.equal((await send()).status, 200);
    const hasWaited = !done.isChanged;
    other.exec('commit');
    return (await changed).status === 201 && hasWaited;
  });
  other.close();
});

test(`answers ${wrongSignIns} simultaneous wrong sign-ins, and records at the same time`, async () => {
  const beganMs = performance.now();
  const flood = Array.from({ length: wrongSignIns }, (_, at) =>
    guess({ email: `user${at}@example.com`, headers: at % 2 === 0 ? byProxy : {} }),
  );
  for (let times = 0; times < 20; times += 1) assert.equal((await send()).status, 200);
  const answers = await Promise.all(flood);
  for (const { status, headers } of answers) {
    assert.ok([401, 429, 503].includes(status), String(status));
    if (status !== 401) assert.ok(Number(headers.get('retry-after')) >= 1);
  }
  // One more becomes free every two seconds.
  const most = 50 + Math.ceil((performance.now() - beganMs) / 2000);
  assert.ok(answers.filter(({ status }) => status === 401).length <= most);
});

test('the owner can sign in on a known device while others guess, even through a proxy', async () => {
  for (const headers of [{}, byProxy]) {
    await waitFor('guesses to be refused', async () => (await guess({ headers })).status === 429);
    const flood = Array.from({ length: guesses }, () => guess({ headers }));
    assert.equal((await signIn(owner, { headers })).status, 200);
    await Promise.all(flood);
  }
});

test('the password can be changed while others guess, and the device stays known', async () => {
  await waitFor('guesses to be refused', async () => (await guess()).status === 429);
  const next = 'another long secret';
  const changed = await owner.ask('PUT', '/api/session/password', {
    body: { currentPassword: password, newPassword: next },
  });
  assert.equal(changed.status, 200, changed.text);
  const flood = Array.from({ length: guesses }, () => guess({ headers: byProxy }));
  assert.equal((await signIn(owner, { password: next, headers: byProxy })).status, 200);
  await Promise.all(flood);
});

test('a stolen device cookie allows few guesses', async () => {
  const thief = newClient();
  thief.setDevice(owner.device());
  const statuses: number[] = [];
  const beganMs = performance.now();
  for (let times = 0; times < 40; times += 1)
    statuses.push((await signIn(thief, { password: 'not this one' })).status);
  // Each further guess doubles the wait.
  const doublings = Math.ceil(Math.log2(1 + (performance.now() - beganMs) / 1000));
  assert.ok(
    statuses.filter((status) => status === 401).length <= Math.max(10, 6 + doublings),
    statuses.join(),
  );
});

test('an untrusted proxy is named once in the log, and by doctor', async () => {
  await guess({ headers: { Forwarded: 'for=198.51.100.7' } });
  await guess({ headers: byProxy });
  const warnings = () => trackside.output().split('requests arrive through a proxy').length - 1;
  await waitFor('the warning', () => warnings() > 0);
  await waitFor('the note for doctor', async () => {
    const { stdout } = await trackside.runHere('doctor', '--json');
    const { findings } = JSON.parse(stdout) as { findings: { check: string; state: string; todo: string }[] };
    const found = findings.find(({ check }) => check === 'proxies');
    return found?.state === 'warning' && /TRACKSIDE_TRUSTED_PROXIES/.test(found.todo);
  });
  assert.equal(warnings(), 1);
});
