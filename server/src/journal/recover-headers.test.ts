import assert from 'node:assert/strict';
import { readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { isLongForm, placesBetween } from '../../test/support/long-form.ts';
import { createFakeClock, silentLog } from '../control/test-control.ts';
import { forgetDamage, openDamageLog } from '../damage/damage-log.ts';
import { earlierRecordColumns, recordColumns } from '../records/record-columns.ts';
import { segmentPath } from './segment-file.ts';
import {
  appendEach,
  damage,
  openTestJournal,
  payloadOf,
  payloads,
  readJournal,
  useFolders,
} from './test-journal.ts';
import { keepDamage, leaveJournal } from './test-recovery.ts';

const makeFolder = useFolders();
/** The bytes of the magic, the length and the checksum. */
const beforeColumns = Array.from({ length: 26 }, (_, byte) => byte);

test('removes a segment cut anywhere in its header, and its number stays used', async (t) => {
  const { folder, path, firstFrame } = await leaveJournal(t, await makeFolder(), payloads(1));
  const whole = await readFile(path);
  for (const length of placesBetween(0, firstFrame)) {
    await writeFile(segmentPath(folder, 5), whole.subarray(0, length));
    const journal = await openTestJournal(t, folder);
    assert.deepEqual(
      journal.segments().map(({ number }) => number),
      [1, 6],
      `cut at ${length}`,
    );
    assert.deepEqual(await readJournal(journal), payloads(1));
    assert.deepEqual(await readdir(folder), ['0000000001.segment', '0000000006.segment']);
    await journal.close();
    await rm(segmentPath(folder, 6));
  }
});

test('removes a segment of whose header a power cut has left only some of the end', async (t) => {
  const { folder, path, firstFrame } = await leaveJournal(t, await makeFolder(), payloads(1));
  const header = (await readFile(path)).subarray(0, firstFrame);
  for (const zeros of [10, 18, 25, 60]) {
    await writeFile(segmentPath(folder, 5), Buffer.from(header).fill(0, zeros === 60 ? 20 : 0, zeros));
    const noted = keepDamage();
    const journal = await openTestJournal(t, folder, { damage: noted });
    assert.deepEqual(await readdir(folder), ['0000000001.segment', '0000000006.segment'], `${zeros} zeros`);
    assert.deepEqual(noted.ids(), []);
    await journal.close();
    await rm(segmentPath(folder, 6));
  }
});

test('a segment without its header begins with its first frame, even if that is only a note', async (t) => {
  const folder = await makeFolder();
  const first = await openTestJournal(t, folder);
  const { firstFrame } = first.segments()[0]!;
  await new Promise((resolve) => first.appendVerdict({ a: 1 }, resolve));
  await appendEach(first, payloads(2));
  await first.close();
  const bytes = await readFile(segmentPath(folder, 1));
  await writeFile(segmentPath(folder, 1), bytes.fill(0xff, 0, 20));
  const again = await openTestJournal(t, folder, { damage: keepDamage() });
  assert.equal(again.segments()[0]?.firstFrame, firstFrame);
  assert.deepEqual(await readJournal(again), payloads(2));
});

test('a flipped bit anywhere in the header of a segment loses none of its records', async (t) => {
  const { folder, path, firstFrame } = await leaveJournal(t, await makeFolder(), payloads(3));
  const whole = await readFile(path);
  const texts = [...payloads(3), payloadOf(100)];
  // Flip one bit of a byte, and in the long form every bit of the magic, the length and the checksum. In the
  // short form, these have no byte that is left out.
  for (const byte of placesBetween(0, firstFrame - 1, beforeColumns)) {
    for (let bit = byte % 8; bit < 8; bit += isLongForm && byte < beforeColumns.length ? 1 : 8) {
      const hit = await makeFolder();
      const bytes = Buffer.from(whole);
      bytes[byte]! ^= 1 << bit;
      await writeFile(segmentPath(hit, 1), bytes);
      const damage = keepDamage();
      const journal = await openTestJournal(t, hit, { damage });
      await appendEach(journal, payloads(1, 100));
      assert.deepEqual(await readJournal(journal), texts, `byte ${byte}, bit ${bit}`);
      const [segment] = journal.segments();
      assert.deepEqual(
        { columns: segment?.columns, createdAt: segment?.createdAt },
        {
          columns: ['day', 'website_id', 'received_at', 'text'],
          createdAt: Date.parse('2026-03-10T09:00:00.001Z'),
        },
      );
      assert.match(damage.told('journal-segment-1-header'), /header .* damaged, but its records can be read/);
      assert.deepEqual(await readFile(segmentPath(hit, 1)), bytes);
      await journal.close();
    }
  }
  assert.equal((await readdir(folder)).length, 1);
});

test('sets a segment without a header aside when its columns are uncertain', async (t) => {
  const { folder, path } = await leaveJournal(t, await makeFolder(), payloads(2));
  await damage(folder, 1, (bytes) => bytes.fill(0, 0, 30));
  const bytes = await readFile(path);
  const noted = keepDamage();
  const columns = ['day', 'website_id', 'received_at', 'other'];
  await (await openTestJournal(t, folder, { damage: noted, columns })).close();
  // The only list of columns has the right length, so it is used.
  assert.match(noted.told('journal-segment-1-header'), /its records can be read/);
  // Now a neighbor has a list of that length, and this version writes a different one.
  const again = keepDamage();
  const journal = await openTestJournal(t, folder, { damage: again });
  assert.match(again.told('journal-segment-1'), /unreadable \(its columns are unknown\) and was renamed/);
  assert.deepEqual(await readFile(`${path}.damaged-2026-03-10T09-00-00`), bytes);
  assert.deepEqual(await readJournal(journal), []);
});

for (const isForgotten of [false, true]) {
  const known = isForgotten ? 'forgotten' : 'known';
  test(`reports the loss of a segment even if damage to its header is ${known}`, async (t) => {
    const { folder, path } = await leaveJournal(t, await makeFolder(), payloads(8));
    await damage(folder, 1, (bytes) => bytes.fill(0, 0, 30));
    const notes = join(folder, 'damage');
    const clock = createFakeClock('2026-03-10T09:00:00Z');
    const log = await openDamageLog({ folder: notes, clock, log: silentLog() });
    const ids = async () => (await log.list()).map(({ id }) => id);
    await (await openTestJournal(t, folder, { damage: log })).close();
    assert.deepEqual(await ids(), ['journal-segment-1-header']);
    if (isForgotten) await forgetDamage(notes, 'journal-segment-1-header');
    await truncate(path, 0);
    await (await openTestJournal(t, folder, { damage: log })).close();
    assert.ok((await ids()).includes('journal-segment-1'));
  });
}

for (const [what, change] of Object.entries({
  'filled with zeros': (bytes: Buffer) => bytes.fill(0),
  'overwritten by something else': (bytes: Buffer) => bytes.fill('something else '),
})) {
  for (const place of ['last', 'middle'] as const) {
    test(`sets a ${place} segment ${what} aside and reports it, and does not reuse its number`, async (t) => {
      const { folder } = await leaveJournal(t, await makeFolder(), payloads(8));
      if (place === 'middle') {
        const later = await openTestJournal(t, folder);
        await appendEach(later, payloads(2, 50));
        await later.close();
      }
      await damage(folder, 1, change);
      const noted = keepDamage();
      let journal = await openTestJournal(t, folder, { damage: noted });
      assert.match(noted.told('journal-segment-1'), /^journal segment 1 is unreadable/);
      assert.deepEqual(await readJournal(journal), place === 'middle' ? payloads(2, 50) : []);
      assert.ok((await readdir(folder)).includes('0000000001.segment.damaged-2026-03-10T09-00-00'));
      await journal.close();
      for (const left of await readdir(folder)) if (left.endsWith('.segment')) await rm(join(folder, left));
      journal = await openTestJournal(t, folder, { damage: noted });
      assert.equal(journal.segments().at(-1)!.number, 2);
    });
  }
}

test('reads a segment of an earlier version without a header by that version’s columns', async (t) => {
  const [columns] = earlierRecordColumns;
  const text = JSON.stringify(
    columns!.map((name, at) => ['2026-03-10', 1, '2026-03-10 09:00:00.001'][at] ?? name),
  );
  const folder = await makeFolder();
  const earlier = await openTestJournal(t, folder, { columns: columns! });
  await appendEach(earlier, [text]);
  const { firstFrame } = earlier.segments()[0]!;
  await earlier.close();
  const path = segmentPath(folder, 1);
  const bytes = await readFile(path);
  await writeFile(path, bytes.fill(0, 0, firstFrame));
  const journal = await openTestJournal(t, folder, { columns: recordColumns, damage: keepDamage() });
  assert.deepEqual(journal.segments()[0]?.columns, columns);
  assert.deepEqual(await readJournal(journal), [text]);
});
