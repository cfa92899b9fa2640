import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { createFakeClock, openTestControl } from '../../control/test-control.ts';
import { addToken, listTokens, revokeToken } from './token.ts';

const createdAt = '2026-03-10T09:00:00.000Z';

async function open(t: TestContext) {
  const clock = createFakeClock(createdAt);
  const { control } = await openTestControl(t, { clock });
  for (const domain of ['example.com', 'longer.example']) {
    await control.websites.add({ domain, timezone: 'UTC', contingent: null });
  }
  return { control, clock };
}

test('creates a token, shows it once and says what it is for', async (t) => {
  const { control } = await open(t);
  const { json, text } = await addToken({ control, args: { website: 'Example.com', name: 'Grafana' } });
  const { token, ...rest } = json as { token: string };
  assert.deepEqual(rest, {
    id: 1,
    websiteId: 1,
    name: 'Grafana',
    domain: 'example.com',
    createdAt,
    lastUsedAt: null,
  });
  assert.deepEqual(await control.readTokens.find(token), { id: 1, websiteId: 1 });
  assert.deepEqual(text.split('\n').slice(0, 5), [
    'id       1',
    'website  example.com',
    'name     Grafana',
    `token    ${token}`,
    '',
  ]);
  assert.match(text, /Copy the token now.*cannot send records.*token revoke 1$/s);
});

test('creates a token for a website given by its id, with or without a name', async (t) => {
  const { control } = await open(t);
  const { json } = await addToken({ control, args: { website: '2' } });
  const { websiteId, name } = json as { websiteId: number; name: string };
  assert.deepEqual({ websiteId, name }, { websiteId: 2, name: 'unnamed' });
});

test('lists the tokens of all websites or of one, without the tokens themselves', async (t) => {
  const { control, clock } = await open(t);
  const list = (website?: string) => listTokens({ control, args: { website } });
  assert.match((await list()).text, /^There are no read tokens yet\..*trackside token add/);
  assert.match((await list('example.com')).text, /^There are no read tokens for example\.com yet\./);

  const { json } = await addToken({ control, args: { website: 'example.com', name: 'Grafana' } });
  await addToken({ control, args: { website: 'longer.example', name: 'nightly export' } });
  clock.pass(25 * 60 * 60_000);
  await control.readTokens.markUsed(2);
  const all = await list();
  assert.deepEqual(all.text.split('\n'), [
    'id  website         name            created     last used (UTC)',
    '1   example.com     Grafana         2026-03-10  never',
    '2   longer.example  nightly export  2026-03-10  2026-03-11 10:00',
  ]);
  assert.deepEqual((await list('2')).json, {
    tokens: [
      {
        id: 2,
        websiteId: 2,
        name: 'nightly export',
        domain: 'longer.example',
        createdAt,
        lastUsedAt: '2026-03-11T10:00:00.000Z',
      },
    ],
  });
  const { token } = json as { token: string };
  assert.ok(!JSON.stringify(all).includes(token));
});

test('revokes a token by its id', async (t) => {
  const { control } = await open(t);
  const { json } = await addToken({ control, args: { website: 'example.com', name: 'Grafana' } });
  const revoked = await revokeToken({ control, args: { id: '1' } });
  assert.deepEqual(revoked, {
    json: { id: 1, websiteId: 1, domain: 'example.com', name: 'Grafana' },
    text: 'Revoked read token 1 (Grafana) of example.com. It no longer works.',
  });
  assert.equal(await control.readTokens.find((json as { token: string }).token), undefined);
});

test('records which token was created and revoked, but not the token', async (t) => {
  const { control } = await open(t);
  const { json } = await addToken({ control, args: { website: '2', name: 'Grafana' } });
  await revokeToken({ control, args: { id: '1' } });
  const entries = (await control.auditLog.list({ limit: 50 })).reverse();
  assert.deepEqual(
    entries.map(({ actor, action, websiteId, subject, detail }) => ({
      actor,
      action,
      websiteId,
      subject,
      detail,
    })),
    ['token.added', 'token.revoked'].map((action) => ({
      actor: 'command line',
      action,
      websiteId: 2,
      subject: 'longer.example',
      detail: { name: 'Grafana' },
    })),
  );
  assert.ok(!JSON.stringify(entries).includes((json as { token: string }).token));
});

test('says what to do about an unknown website, id or name', async (t) => {
  const { control } = await open(t);
  const unknown = { reason: 'not-found', message: /got "7".*trackside website list/ };
  await assert.rejects(addToken({ control, args: { website: '7' } }), unknown);
  await assert.rejects(listTokens({ control, args: { website: '7' } }), unknown);
  const revoke = (id: string) => revokeToken({ control, args: { id } });
  await assert.rejects(revoke('7'), { reason: 'not-found', message: /Read token 7.*trackside token list/ });
  await assert.rejects(revoke('-1'), { reason: 'invalid', message: /got "-1".*trackside token list/ });
  for (const name of ['', ' ', 'x'.repeat(101)]) {
    const refusal = { reason: 'invalid', message: /1 to 100 characters/ };
    await assert.rejects(addToken({ control, args: { website: '1', name } }), refusal);
  }
});

test('does not repeat a token that was given instead of its id', async (t) => {
  const { control } = await open(t);
  const { json } = await addToken({ control, args: { website: '1' } });
  await assert.rejects(revokeToken({ control, args: { id: (json as { token: string }).token } }), {
    message:
      'Expected the id of a read token, which is a number, got the token itself. ' +
      'To see all ids, run: trackside token list',
  });
});
