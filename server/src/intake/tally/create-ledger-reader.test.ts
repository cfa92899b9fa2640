import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { createFakeClock, openTestControl } from '../../control/test-control.ts';
import { createLedgerReader } from './create-ledger-reader.ts';

const days = { from: '2026-03-10', to: '2026-03-10' };
const website = { id: 1, timezone: 'UTC' };

async function open(t: TestContext, checkpoint: () => Promise<void>) {
  const clock = createFakeClock('2026-03-10T09:00:00Z');
  const { control } = await openTestControl(t, { clock });
  return { clock, read: createLedgerReader({ control, checkpoint, clock }) };
}

test('has a checkpoint written at most once a second, unless it failed', async (t) => {
  let checkpoints = 0;
  const { clock, read } = await open(t, async () => {
    checkpoints += 1;
    if (checkpoints === 3) throw new Error('control is away');
  });
  await Promise.all([read(website, days), read({ ...website, id: 2 }, days)]);
  clock.pass(999);
  await read(website, days);
  assert.equal(checkpoints, 1);
  clock.pass(1);
  await read(website, days);
  assert.equal(checkpoints, 2);
  clock.pass(1000);
  await assert.rejects(read(website, days), /away/);
  await read(website, days);
  assert.equal(checkpoints, 4);
});

test('refuses questions about a website of which too many wait, and answers those about others', async (t) => {
  const { promise: mayWrite, resolve } = Promise.withResolvers<void>();
  const { read } = await open(t, () => mayWrite);
  const asked = Array.from({ length: 11 }, () => read(website, days));
  await assert.rejects(read(website, days), { reason: 'busy' });
  asked.push(read({ ...website, id: 2 }, days));
  resolve();
  assert.equal((await Promise.all(asked)).length, 12);
});
