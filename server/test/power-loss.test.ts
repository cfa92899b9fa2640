import assert from 'node:assert/strict';
import { copyFile, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { openControl } from '../src/control/open-control.ts';
import { makeFolder, silentLog } from '../src/control/test-control.ts';
import { segmentPath } from '../src/journal/segment-file.ts';
import { systemClock } from '../src/time/clock.ts';
import { folder as journalFolder, openParts } from './power/live-once.ts';
import { runHistory } from './power/run-history.ts';
import { runKeyHistory } from './power/run-key-history.ts';
import { SimulatedDisk } from './power/simulated-disk.ts';
import { createWorld } from './power/world.ts';
import { times } from './support/long-form.ts';
import { createRandom } from './torture/create-random.ts';

/** `npm run torture -- --mode power` runs more of them. A failure names the seed that repeats it. */
const histories = times(150, 5_000);
const keyHistories = times(300, 3_000);

test('no power cut loses a record that was accepted, or doubles one', async () => {
  let [accepted, ends] = [0, 0];
  for (let seed = 1; seed <= histories; seed += 1) {
    const history = await runHistory(seed);
    assert.deepEqual(history.broken, [], `seed ${seed}`);
    accepted += history.accepted;
    ends += history.powerCuts + history.killed;
  }
  assert.ok(accepted > histories * 50, `only ${accepted} records were accepted`);
  assert.equal(ends, histories * 4);
});

test('a tail that was cut off does not come back with its segment', async () => {
  const disk = new SimulatedDisk(createRandom(1));
  const world = createWorld((error) => assert.fail(error));
  const first = await openParts(disk, world);
  const { number, end } = first.journal.segments()[0]!;
  await first.journal.close();
  const file = await disk.open(segmentPath(journalFolder, number), 'r+');
  await file.write(Buffer.alloc(100, 1), 0, 100, end);
  await file.datasync();
  const second = await openParts(disk, world);
  await second.journal.close();
  let isBack = false;
  // The removal of the empty segment isn't synced, and need not be.
  for (let cut = 0; cut < 20; cut += 1) {
    const size = disk.afterPowerCut().statNow(segmentPath(journalFolder, number))?.size;
    isBack ||= size !== undefined;
    assert.ok(size === undefined || size === end, `${size} bytes`);
  }
  assert.ok(isBack);
});

test('a power cut leaves the secret key and the mark of the installation whole', async () => {
  for (let seed = 1; seed <= keyHistories; seed += 1)
    assert.deepEqual(await runKeyHistory(seed), [], `seed ${seed}`);
});

test('a control database whose log is cut off behind any commit has all that was saved before', async (t) => {
  const folder = await makeFolder(t);
  const open = (at: string) =>
    openControl({
      folder: at,
      secretKeyFile: join(folder, 'secret.key'),
      clock: systemClock,
      log: silentLog(),
      isOnThisThread: true,
    });
  const control = await open(folder);
  t.after(() => control.close());
  const [main, wal] = ['control.db', 'control.db-wal'];
  const ends: number[] = [];
  for (let number = 1; number <= 5; number += 1) {
    await control.websites.add({ domain: `shop${number}.test`, timezone: 'UTC', contingent: null });
    ends.push((await stat(join(folder, wal))).size);
  }
  const random = createRandom(1);
  const log = await readFile(join(folder, wal));
  const between = Array.from({ length: times(10, 300) }, () => random.whole(ends[0]!, ends.at(-1)!));
  for (const cut of [...ends, ...between]) {
    const copy = await makeFolder(t);
    await copyFile(join(folder, main), join(copy, main));
    // Behind what was synced, the disk may have anything.
    const rest = random.isOnce(2) ? Buffer.alloc(5_000, random.whole(0, 255)) : Buffer.alloc(0);
    await writeFile(join(copy, wal), Buffer.concat([log.subarray(0, cut), rest]), { mode: 0o600 });
    const again = await open(copy);
    const saved = (await again.websites.list()).length;
    await again.close();
    assert.equal(saved, ends.filter((end) => end <= cut).length, `cut at ${cut}`);
  }
});
