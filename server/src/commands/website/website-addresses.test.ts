import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openTestControl } from '../../control/test-control.ts';
import { setAddresses } from './website-addresses.ts';

test('sets which addresses count as one page, keeps the other choices, and adds an audit entry', async (t) => {
  const { control } = await openTestControl(t);
  await control.websites.add({ domain: 'a.test', timezone: 'UTC', contingent: null });
  const set = (flags: Record<string, string>) =>
    setAddresses({ control, args: { website: 'a.test', flags } });
  const none = { id: 1, domain: 'a.test', ignoreTrailingSlash: false, ignoreCase: false, ignoreWww: false };
  assert.deepEqual((await set({ case: 'keep' })).json, none);
  const { json, text } = await set({ 'trailing-slash': 'ignore', case: 'ignore' });
  assert.deepEqual(json, { ...none, ignoreTrailingSlash: true, ignoreCase: true });
  assert.match(text, /^\/about\/ and \/about count as the same page\.$/m);
  assert.match(text, /^www\.example\.com and example\.com count as different pages\.$/m);
  assert.deepEqual((await set({ case: 'keep', www: 'ignore' })).json, {
    ...none,
    ignoreTrailingSlash: true,
    ignoreWww: true,
  });
  const [last, first] = await control.auditLog.list({ limit: 10 });
  assert.deepEqual(
    [first?.action, first?.detail],
    [
      'website.addresses-changed',
      { ignoreTrailingSlash: { from: false, to: true }, ignoreCase: { from: false, to: true } },
    ],
  );
  assert.deepEqual(last?.detail, {
    ignoreCase: { from: true, to: false },
    ignoreWww: { from: false, to: true },
  });
});

test('says which choice was expected', async (t) => {
  const { control } = await openTestControl(t);
  await control.websites.add({ domain: 'a.test', timezone: 'UTC', contingent: null });
  const set = (flags: Record<string, string>) =>
    setAddresses({ control, args: { website: 'a.test', flags } });
  await assert.rejects(set({}), /at least one of --trailing-slash, --case, --www/);
  await assert.rejects(set({ www: 'yes' }), /^CommandError: --www: expected ignore or keep, got "yes"\.$/);
});
