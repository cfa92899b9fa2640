import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { openControl } from '../open-control.ts';
import { keepSalts } from '../privacy/keep-salts.ts';
import { createFakeClock, makeFolder, silentLog } from '../test-control.ts';
import { renewSalts } from './renew-salts.ts';
import { snapshotControl } from './snapshot-control.ts';

const dayMs = 86_400_000;

for (const { name, days, dates } of [
  {
    name: 'a date that had ended before a backup gets no other salt after the restore',
    days: 0,
    dates: ['2026-03-10', '2026-03-11', '2026-03-12', '2026-03-13'],
  },
  {
    name: 'dates since a backup get a salt after the restore, as far as their records may still come',
    days: 5,
    dates: [
      // Those of the backup's time, until they are destroyed.
      ...['2026-03-10', '2026-03-11', '2026-03-12', '2026-03-13'],
      ...['2026-03-14', '2026-03-15', '2026-03-16', '2026-03-17', '2026-03-18'],
    ],
  },
]) {
  test(name, async (t) => {
    const [folder, restored] = [await makeFolder(t), await makeFolder(t)];
    const clock = createFakeClock('2026-03-10T12:30:00Z');
    const ofProcess = { clock, log: silentLog(), secretKeyFile: join(folder, 'secret.key') };
    const lateHours = 72;
    const keep = async (place: string) => {
      const control = await openControl({ folder: place, ...ofProcess, isOnThisThread: true });
      t.after(() => control.close());
      const keeper = keepSalts({ salts: control.salts, ...ofProcess, lateHours });
      t.after(() => keeper.stop());
      await keeper.ready;
      return keeper.byDate;
    };
    const before = await keep(folder);
    await snapshotControl({ from: { folder }, to: { folder: restored }, ...ofProcess });
    const backedUpAt = clock.now();
    clock.pass(days * dayMs + 3_600_000);
    await renewSalts({ folder: restored, backedUpAt, ...ofProcess });
    const after = await keep(restored);
    assert.deepEqual([...after.keys()], dates);
    assert.ok(before.has('2026-03-09'), 'it had one');
    assert.notEqual(after.get('2026-03-10'), before.get('2026-03-10'));
  });
}
