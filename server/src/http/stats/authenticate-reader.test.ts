import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { createFakeClock, createTestLog, openTestControl } from '../../control/test-control.ts';
import { createAuthenticateReader } from './authenticate-reader.ts';

const minuteMs = 60_000;
const wait = { interval: 5, timeout: 300_000 };

async function open(t: TestContext) {
  const clock = createFakeClock('2026-03-10T09:00:00Z');
  const { control } = await openTestControl(t, { clock });
  const { website, apiKey } = await control.websites.add({
    domain: 'example.com',
    timezone: 'UTC',
    contingent: null,
  });
  const { id: tokenId, token } = await control.readTokens.add(website.id, 'export');
  const { log, messages } = createTestLog();
  return { clock, control, log, messages, apiKey, token, reader: { websiteId: website.id, tokenId } };
}

test('recognizes a reader by the token alone, or with Bearer in front', async (t) => {
  const { control, clock, log, token, reader } = await open(t);
  const authenticate = createAuthenticateReader({ readTokens: control.readTokens, clock, log });
  for (const value of [token, `Bearer ${token}`, `bearer ${token}`, `BEARER  ${token}`]) {
    assert.deepEqual(await authenticate(value), reader);
  }
});

test('refuses everything else', async (t) => {
  const { control, clock, log, apiKey, token, reader } = await open(t);
  const authenticate = createAuthenticateReader({ readTokens: control.readTokens, clock, log });
  const messageOf = async (value: string | undefined) => {
    const result = await authenticate(value);
    assert.ok('refused' in result, `expected a refusal of ${value}`);
    assert.equal(result.refused, 'unauthorized');
    return result.message;
  };

  await t.test('uses one message for what is missing, malformed, unknown or revoked', async () => {
    const revoked = await control.readTokens.add(reader.websiteId, 'old laptop');
    await control.readTokens.revoke(revoked.id);
    const wrong = [
      undefined,
      '',
      'Bearer',
      'Bearer ',
      'x',
      `Basic ${token}`,
      `Bearer Bearer ${token}`,
      `tsr_${'A'.repeat(43)}`,
      token.slice(0, 43),
      `${token}A`,
      `${token} ${token}`,
      'A'.repeat(10_000),
      revoked.token,
      `Bearer ${revoked.token}`,
      `Bearer${token}`,
      `tsr_${apiKey}`,
    ];
    assert.deepEqual(
      [...new Set(await Promise.all(wrong.map(messageOf)))],
      [
        'Unauthorized: send a read token of the website as "Authorization: Bearer <token>"; ' +
          'create one with `npx trackside token add`',
      ],
    );
  });
  await t.test('gives a hint for a tracking key, right or wrong, without repeating it', async () => {
    const messages = await Promise.all([apiKey, `Bearer ${apiKey}`, 'A'.repeat(43)].map(messageOf));
    assert.deepEqual(
      [...new Set(messages)],
      [
        'Unauthorized: this looks like the API key, which can only send records; ' +
          'create a read token with `npx trackside token add`',
      ],
    );
  });
  await t.test('records no use', async () => {
    // A note that was put off would be made before this continues.
    await setImmediate();
    assert.equal((await control.readTokens.list())[0]?.lastUsedAt, null);
  });
});

test('stops a token at once when it is revoked', async (t) => {
  const { control, clock, log, token, reader } = await open(t);
  const authenticate = createAuthenticateReader({ readTokens: control.readTokens, clock, log });
  assert.deepEqual(await authenticate(token), reader);
  await control.readTokens.revoke(reader.tokenId);
  assert.ok('refused' in (await authenticate(token)));
});

test('records the use of each token in the database', async (t) => {
  const { control, clock, log, token, reader } = await open(t);
  const { readTokens } = control;
  const { token: second } = await readTokens.add(reader.websiteId, 'Grafana');
  const authenticate = createAuthenticateReader({ readTokens, clock, log });
  await authenticate(token);
  await authenticate(second);
  await t.waitFor(async () => {
    const uses = (await readTokens.list()).map(({ lastUsedAt }) => lastUsedAt);
    assert.deepEqual(uses, [clock.now(), clock.now()]);
  }, wait);
});

test('records a token’s use at most once a minute, whatever the wall clock does', async (t) => {
  const { control, clock, log, token, reader } = await open(t);
  const marked: number[] = [];
  const markUsed = async (id: number) => void marked.push(id);
  const readTokens = { find: control.readTokens.find, markUsed };
  const authenticate = createAuthenticateReader({ readTokens, clock, log });
  const { id: secondId, token: second } = await control.readTokens.add(reader.websiteId, 'Grafana');
  await Promise.all([token, token, token].map(authenticate));
  clock.jump(10 * minuteMs);
  clock.pass(minuteMs - 1);
  await authenticate(token);
  // Notes are made in the order of requests, so this one comes after any that would be too many.
  await authenticate(second);
  await t.waitFor(() => assert.ok(marked.includes(secondId)), wait);
  assert.deepEqual(marked, [reader.tokenId, secondId]);
  clock.pass(1);
  await authenticate(token);
  await t.waitFor(() => assert.deepEqual(marked, [reader.tokenId, secondId, reader.tokenId]), wait);
});

test('answers without waiting for the use to be recorded', async (t) => {
  const { control, clock, log, token, reader } = await open(t);
  let isAsked = false;
  const markUsed = () => {
    isAsked = true;
    return new Promise<never>(() => {});
  };
  const readTokens = { find: control.readTokens.find, markUsed };
  const authenticate = createAuthenticateReader({ readTokens, clock, log });
  assert.deepEqual(await authenticate(token), reader);
  assert.equal(isAsked, true);
});

test('answers even if the use cannot be recorded, and logs that', async (t) => {
  const { control, clock, log, messages, token, reader } = await open(t);
  const markUsed = () => Promise.reject(new Error('disk on fire'));
  const readTokens = { find: control.readTokens.find, markUsed };
  const authenticate = createAuthenticateReader({ readTokens, clock, log });
  assert.deepEqual(await authenticate(token), reader);
  await t.waitFor(() => assert.equal(messages.length, 1), wait);
  assert.deepEqual(messages, ['cannot save when a read token was last used']);
});
