import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openTestControl } from '../../control/test-control.ts';
import { addExclusion, listExclusions, removeExclusion } from './website-exclusions.ts';

test('adds, lists and removes rules, each with an audit entry', async (t) => {
  const { control } = await openTestControl(t);
  await control.websites.add({ domain: 'a.test', timezone: 'UTC', contingent: null });
  const at = { control, website: 'a.test' };
  const office = { kind: 'network', value: '203.0.113.9/24' } as const;
  const admin = { kind: 'path', value: '/admin/*' } as const;
  assert.equal((await listExclusions(at)).text, 'a.test excludes no records.');
  assert.equal(
    (await addExclusion({ ...at, rule: office })).text,
    'a.test now excludes records by network: 203.0.113.0/24',
  );
  const saved = [{ kind: 'network', value: '203.0.113.0/24' }, admin];
  assert.deepEqual((await addExclusion({ ...at, rule: admin })).json.exclusions, saved);
  assert.deepEqual((await addExclusion({ ...at, rule: admin })).json.exclusions, saved, 'once is enough');
  assert.match((await listExclusions(at)).text, /^path +\/admin\/\*$/m);
  // Any spelling of the network will do.
  assert.deepEqual((await removeExclusion({ ...at, rule: office })).json.exclusions, [admin]);
  await assert.rejects(removeExclusion({ ...at, rule: office }), /has no rule "network 203\.0\.113\.0\/24"/);
  const entries = await control.auditLog.list({ limit: 10 });
  assert.deepEqual(
    entries.map(({ action, detail }) => [action, detail]),
    [
      ['website.exclusions-changed', { removed: ['network 203.0.113.0/24'] }],
      ['website.exclusions-changed', { added: ['path /admin/*'] }],
      ['website.exclusions-changed', { added: ['network 203.0.113.0/24'] }],
    ],
  );
});

test('says what a rule has to be', async (t) => {
  const { control } = await openTestControl(t);
  await control.websites.add({ domain: 'a.test', timezone: 'UTC', contingent: null });
  const add = (value: string) =>
    addExclusion({ control, website: 'a.test', rule: { kind: 'network', value } });
  await assert.rejects(add('0.0.0.0/0'), /network: expected an IP address or a network such as/);
});
