import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { openTestControl } from '../test-control.ts';
import { runSql } from '../test-database.ts';

const one = { name: 'one', address: '10.0.0.1:1' };
const two = { name: 'two', address: '10.0.0.2:1' };
const hourMs = 60 * 60 * 1000;

test('lists the nodes of the last hour with where they are asked', async (t) => {
  const { control, folder } = await openTestControl(t);
  const holders = control.keyHolders;
  assert.equal(await holders.beat(one), false, 'nobody knows it');
  assert.deepEqual(await holders.register(one), { wasKnown: false });
  assert.deepEqual(await holders.register(one), { wasKnown: false }, 'it was killed before others knew it');
  await holders.noteKnown('one');
  assert.deepEqual(await holders.register({ ...one, address: '10.0.0.9:1' }), { wasKnown: true });
  await holders.register(two);
  const named = async () =>
    (await holders.list()).map(({ name, address, leftAt }) => [name, address, leftAt]);
  assert.deepEqual(await named(), [
    ['one', '10.0.0.9:1', null],
    ['two', '10.0.0.2:1', null],
  ]);
  await runSql(folder, `update key_holders set seen_at = seen_at - ${hourMs} where name = 'one'`);
  assert.deepEqual(await named(), [['two', '10.0.0.2:1', null]]);
  assert.ok(await holders.beat(one));
  await holders.remove('two');
  assert.deepEqual(await named(), [['one', '10.0.0.1:1', null]]);
});

test('keeps the keys of a stopped node until it is back, for an hour', async (t) => {
  const { control, folder } = await openTestControl(t);
  const holders = control.keyHolders;
  const leftAtOf = async (of: string) => (await holders.list()).find(({ name }) => name === of)?.leftAt ?? -1;
  const hashes = randomBytes(16 * 40_000);
  for (const holder of [one, two]) {
    await holders.register(holder);
    await holders.noteKnown(holder.name);
  }
  await holders.leave('one', hashes);
  await holders.leave('two', Buffer.alloc(0));
  const leftAt = await leftAtOf('one');
  const read = (leftAt: number) =>
    Promise.all([0, 1, 2].map((part) => holders.leftKeys('one', leftAt, part)));
  const [first, second, end] = await read(leftAt);
  assert.ok(Buffer.concat([first!, second!]).equals(hashes));
  assert.ok(first!.length % 16 === 0 && second!.length > 0 && end!.length === 0);
  assert.equal((await holders.leftKeys('two', await leftAtOf('two'), 0))?.length, 0, 'it had no keys');

  assert.deepEqual(await holders.register(one), { wasKnown: false }, 'others answer in its place');
  assert.equal(await leftAtOf('one'), -1);
  assert.deepEqual(
    await read(leftAt),
    [undefined, undefined, undefined],
    'empty would mean that all are free',
  );

  assert.deepEqual(await holders.register(one), { wasKnown: false }, 'they may still do');
  await holders.leave('one', hashes);
  await holders.forgetOld();
  const again = await leftAtOf('one');
  assert.deepEqual(await read(again), [first, second, end]);
  await runSql(folder, `update key_holders set seen_at = seen_at - ${hourMs} where name = 'one'`);
  await holders.forgetOld();
  assert.equal((await holders.leftKeys('one', again, 0))?.length, 0);
});
