import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { openParts, send } from './power/live-once.ts';
import { runWithFault } from './power/run-with-fault.ts';
import { type DiskCall, type Fault, SimulatedDisk } from './power/simulated-disk.ts';
import { checkParts, createWorld } from './power/world.ts';
import { times } from './support/long-form.ts';
import { createRandom } from './torture/create-random.ts';

/** In the short form, every third call fails. */
const step = times(3, 1);
/** How many calls a condition lasts that doesn't pass at once. */
const lasting = 4;

type Code = Fault['code'];

/** Which calls can fail like this. */
const canFail: Record<Code, (call: DiskCall) => boolean> = {
  EIO: () => true,
  ENOSPC: ({ name }) => ['open', 'write', 'sync', 'mkdir', 'rename', 'link'].includes(name),
  EMFILE: ({ name }) => ['open', 'readdir', 'readText'].includes(name),
  short: ({ name }) => name === 'write',
};

async function tryEach(t: TestContext, code: Code, calls: number) {
  let aheadMs = 0;
  const now = performance.now.bind(performance);
  t.mock.method(performance, 'now', () => now() + aheadMs);
  const run = (findFault: (call: DiskCall) => Fault | undefined) =>
    runWithFault(findFault, () => {
      aheadMs += 5_000;
    });
  const whole = await run(() => undefined);
  assert.deepEqual({ broken: whole.broken, reports: whole.reports }, { broken: [], reports: [] });
  const failing = whole.calls.filter(canFail[code]);
  let [restarts, refused] = [0, 0];
  for (let at = 0; at < failing.length; at += step) {
    const { index, name, path } = failing[at]!;
    const which = `${code} at call ${index}, ${name} ${path}`;
    const life = await run((call) =>
      call.index >= index && call.index < index + calls && canFail[code](call) ? { code } : undefined,
    );
    assert.deepEqual(life.broken, [], which);
    assert.deepEqual(life.reports, [], which);
    // After a fault of the disk itself, nobody knows what is on it. The others pass.
    if (code !== 'EIO') assert.equal(life.restarts, 0, which);
    restarts += life.restarts;
    refused += life.refused;
  }
  return { calls: failing.length, restarts, refused };
}

test('a fault of the disk at any call accepts nothing that is lost, and the next start is clean', async (t) => {
  const { calls, restarts } = await tryEach(t, 'EIO', 1);
  assert.ok(calls > 100 && restarts > 10, `${calls} calls, ${restarts} restarts`);
});

for (const lasts of [1, lasting]) {
  test(`a disk that is full for ${lasts} of the calls ends nothing, and a refused record never comes back`, async (t) => {
    const { calls, refused } = await tryEach(t, 'ENOSPC', lasts);
    assert.ok(calls > 50 && refused > 5, `${calls} calls, ${refused} refused`);
  });
}

test('too many open files at any call end nothing', async (t) => {
  const { calls } = await tryEach(t, 'EMFILE', lasting);
  assert.ok(calls > 15, `${calls} calls`);
});

test('a write that takes only half of the bytes is completed', async (t) => {
  const { calls, refused } = await tryEach(t, 'short', 1);
  assert.ok(calls > 20 && refused === 0, `${calls} calls, ${refused} refused`);
});

test('records that a full disk took only in part do not come back after a power cut', async () => {
  const random = createRandom(1);
  const world = createWorld((error) => assert.fail(error));
  const disk = new SimulatedDisk(random);
  const parts = await openParts(disk, world);
  await send(parts, world);
  let writes = 0;
  disk.findFault = ({ name }) => {
    if (name !== 'write') return undefined;
    writes += 1;
    return { code: writes === 1 ? 'short' : 'ENOSPC' };
  };
  await Promise.all(Array.from({ length: 10 }, () => send(parts, world)));
  assert.equal(world.refused.size, 10);
  for (let cut = 0; cut < 20; cut += 1) {
    const again = await openParts(disk.afterPowerCut(), world);
    await checkParts(again, { ...world, highestSegment: 0 });
    await again.journal.close();
    assert.deepEqual(world.broken, []);
  }
  await parts.journal.close();
});
