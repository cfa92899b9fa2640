import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { pino } from 'pino';
import { forgetDamage, openDamageLog } from './damage-log.ts';
import { damageLogOfWorker, damageOfWorker, unforgetWorker } from './damage-of-worker.ts';
import { describeGap, gapBytesOf } from './journal-gap.ts';

const gap = describeGap({ segment: 7, from: 100, to: 112 }, true);

test('the same damage of two workers has two ids, and its text names the one to type', () => {
  assert.deepEqual(damageOfWorker(1, gap), gap);
  const { id, says, todo } = damageOfWorker(2, gap);
  assert.equal(id, 'w2-journal-frames-7-100-12');
  assert.match(says, /^worker 2: 12 bytes of journal segment 7/);
  assert.match(todo, /--forget w2-journal-frames-7-100-12$/);
});

test('workers share a list, and each settles only its own damage', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'trackside-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const clock = { now: () => 0, monotonicMs: () => 0 };
  const all = await openDamageLog({ folder, clock, log: pino({ level: 'silent' }) });
  const second = damageLogOfWorker(all, 2);
  await all.report(gap);
  await second.report(gap);
  const ids = async () => (await all.list()).map(({ id }) => id);
  assert.deepEqual(await ids(), [gap.id, `w2-${gap.id}`]);
  assert.equal(gapBytesOf(await all.list()), 24);
  await second.settle(() => true);
  assert.deepEqual(await ids(), [gap.id]);
  assert.equal(await forgetDamage(folder, `w2-${gap.id}`), true, 'verify can name it before it is listed');
  await second.report(gap);
  assert.deepEqual(await ids(), [gap.id]);
  await unforgetWorker(folder, 22);
  await second.report(gap);
  assert.deepEqual(await ids(), [gap.id]);
  await unforgetWorker(folder, 2);
  await second.report(gap);
  assert.deepEqual(await ids(), [gap.id, `w2-${gap.id}`], 'it is another journal by now');
});
