import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openTestControl } from '../control/test-control.ts';
import { changeWebsite } from './change-website.ts';
import { ada, readEntries } from './test-actions.ts';

test('each kind of change has its own entry, with the old and the new value', async (t) => {
  const { control } = await openTestControl(t);
  await control.websites.add({ domain: 'a.test', timezone: 'UTC', contingent: null });
  const change = { id: 1, name: 'Shop', domain: 'b.test', contingent: 5, retentionDays: 30 };
  const origins = { readOrigins: ['https://Intranet.test/'] };
  const rules = { exclusions: [{ kind: 'network', value: '203.0.113.7/24' }] } as const;
  const changed = await changeWebsite(control, ada, { ...change, ...origins, ...rules });
  assert.equal(changed.domain, 'b.test');
  const about = { actor: ada.email, websiteId: 1, subject: 'b.test' };
  assert.deepEqual(await readEntries(control), [
    {
      ...about,
      action: 'website.changed',
      detail: { name: { from: 'a.test', to: 'Shop' }, domain: { from: 'a.test', to: 'b.test' } },
    },
    { ...about, action: 'website.contingent-changed', detail: { contingent: { from: null, to: 5 } } },
    { ...about, action: 'website.retention-changed', detail: { retentionDays: { from: null, to: 30 } } },
    {
      ...about,
      action: 'website.read-origins-changed',
      detail: { readOrigins: { from: [], to: ['https://intranet.test'] } },
    },
    { ...about, action: 'website.exclusions-changed', detail: { added: ['network 203.0.113.0/24'] } },
  ]);
});

test('a website that is saved unchanged keeps its version, without an entry', async (t) => {
  const { control } = await openTestControl(t);
  const { website } = await control.websites.add({ domain: 'a.test', timezone: 'UTC', contingent: 5 });
  const revision = await control.revision();
  const same = { id: 1, version: website.version, domain: 'A.test', contingent: 5, readOrigins: [] };
  assert.deepEqual(await changeWebsite(control, ada, same), website);
  assert.deepEqual(await control.websites.find('1'), website);
  assert.equal(await control.revision(), revision);
  assert.deepEqual(await readEntries(control), []);
});

test('after two simultaneous changes, each entry shows what its own change replaced', async (t) => {
  const { control } = await openTestControl(t);
  await control.websites.add({ domain: 'a.test', timezone: 'UTC', contingent: null });
  const set = (contingent: number) => changeWebsite(control, ada, { id: 1, contingent });
  await Promise.all([set(5), set(6)]);
  assert.deepEqual(
    (await readEntries(control)).map(({ detail }) => detail.contingent),
    [
      { from: null, to: 5 },
      { from: 5, to: 6 },
    ],
  );
});

test('a change of outdated settings is a conflict, without an entry', async (t) => {
  const { control } = await openTestControl(t);
  await control.websites.add({ domain: 'a.test', timezone: 'UTC', contingent: null });
  await changeWebsite(control, ada, { id: 1, version: 1, contingent: 5 });
  await assert.rejects(changeWebsite(control, ada, { id: 1, version: 1, contingent: 6 }), {
    reason: 'conflict',
  });
  await assert.rejects(changeWebsite(control, ada, { id: 9, contingent: 6 }), { reason: 'not-found' });
  assert.equal((await readEntries(control)).length, 1);
});
