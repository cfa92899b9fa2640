import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openTestControl } from '../test-control.ts';
import { filesHolding } from '../test-database.ts';

test('a public link exists once switched on, stays the same, and can be renewed or removed', async (t) => {
  const { control, folder } = await openTestControl(t);
  const { websites } = control;
  const { website } = await websites.add({ domain: 'a.test', timezone: 'UTC', contingent: null });
  const { id } = website;
  assert.equal(await websites.shareToken(id), undefined);

  await websites.setShare(id, 'on');
  const first = (await websites.shareToken(id))!;
  assert.match(first, /^[\w-]{32}$/);
  await websites.setShare(id, 'on');
  assert.equal(await websites.shareToken(id), first);
  assert.equal((await websites.findByShareToken(first))?.id, id);

  await websites.setShare(id, 'renewed');
  const second = (await websites.shareToken(id))!;
  assert.notEqual(second, first);
  assert.equal(await websites.findByShareToken(first), undefined);
  assert.equal((await websites.findByShareToken(second))?.id, id);

  await websites.setShare(id, 'off');
  assert.equal(await websites.shareToken(id), undefined);
  assert.equal(await websites.findByShareToken(second), undefined);
  assert.deepEqual(await filesHolding(folder, second), [], 'the link itself is not on disk');
  await assert.rejects(websites.setShare(99, 'on'), { reason: 'not-found' });
});
