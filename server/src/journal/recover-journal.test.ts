import assert from 'node:assert/strict';
import { appendFile, mkdir, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { createFakeClock, createTestLog, silentLog } from '../control/test-control.ts';
import { type RecoverOptions, recoverJournal } from './recover-journal.ts';
import { frameHeaderBytes, markBytes, segmentPath, writeFrame } from './segment-file.ts';
import {
  append,
  appendEach,
  damage,
  openTestJournal,
  payloadOf,
  payloads,
  readJournal,
  readStretch,
  useFolders,
} from './test-journal.ts';

const makeFolder = useFolders();

/** Damage as it is reported, without the folder that remembers it. */
function keepDamage() {
  const notes = new Map<string, string>();
  return {
    report: async ({ id, says }: { id: string; says: string }) => void notes.set(id, says),
    ids: () => [...notes.keys()],
    told: (id: string) => notes.get(id) ?? '',
  };
}

function recover(folder: string, options: Partial<RecoverOptions> = {}) {
  return recoverJournal({
    folder,
    node: 'n1',
    columns: ['day', 'website_id', 'received_at', 'text'],
    answered: [],
    clock: createFakeClock('2026-03-10T09:00:00Z'),
    log: silentLog(),
    damage: keepDamage(),
    ...options,
  });
}

/**
 * A folder with one sealed segment of these records, every other one marked, as a process that was killed
 * leaves it.
 */
async function leaveJournal(t: Parameters<typeof openTestJournal>[0], texts: readonly string[]) {
  const folder = await makeFolder();
  const journal = await openTestJournal(t, folder);
  const ends: number[] = [];
  for (const [index, text] of texts.entries()) {
    await append(journal, text, index % 2 === 1 ? Buffer.alloc(markBytes, index) : undefined);
    ends.push(journal.durable().offset);
  }
  const { firstFrame } = journal.segments()[0]!;
  await journal.close();
  return { folder, firstFrame, ends, path: segmentPath(folder, 1) };
}

test('a tail torn at any byte is cut; what stands before it and what follows is kept', async (t) => {
  const { folder, ends, path, firstFrame } = await leaveJournal(t, payloads(4));
  const whole = await readFile(path);
  for (let length = ends[1]!; length <= ends[3]!; length += 1) {
    const torn = await makeFolder();
    await writeFile(segmentPath(torn, 1), whole.subarray(0, length));
    const kept = ends.filter((end) => end <= length).length;
    const { log, messages } = createTestLog();
    const journal = await openTestJournal(t, torn, { log });
    const end = ends[kept - 1]!;
    const [cut, begun] = journal.segments();
    assert.deepEqual([cut?.number, cut?.firstFrame, cut?.end], [1, firstFrame, end]);
    assert.deepEqual([begun?.number, begun?.end], [2, begun?.firstFrame]);
    assert.equal((await stat(segmentPath(torn, 1))).size, end);
    assert.equal(messages.length, length === end ? 0 : 1, 'a cut is told, and only a cut');
    await appendEach(journal, payloads(1, 100));
    assert.deepEqual(await readJournal(journal), [...payloads(kept), payloadOf(100)]);
    await journal.close();
  }
  assert.equal((await readdir(folder)).length, 1);
});

test('a torn tail of several megabytes is cut behind the last whole record', async (t) => {
  const { folder, ends, path } = await leaveJournal(t, payloads(3));
  await appendFile(path, Buffer.alloc(5_000_000));
  const { segments } = await recover(folder);
  assert.equal(segments[0]!.end, ends[2]);
  assert.equal((await stat(path)).size, ends[2]);
});

test('damage in the middle of the last segment is no torn tail', async (t) => {
  const { folder, ends, path } = await leaveJournal(t, payloads(5));
  await damage(folder, 1, (bytes) => bytes.fill(0, ends[1]!, ends[2]!));
  const { segments } = await recover(folder);
  assert.equal(segments[0]!.end, ends[4]);
  assert.equal((await stat(path)).size, ends[4]);
  const read = await readStretch(folder, 1, segments[0]!.firstFrame, segments[0]!.end);
  assert.deepEqual(read.payloads, [...payloads(2), ...payloads(2, 4)]);
  assert.equal(read.damagedPlaces, 1);
});

test('only the last segment is cut: a damaged end elsewhere stays to be reported', async (t) => {
  const { folder, ends, path } = await leaveJournal(t, payloads(3));
  await (await openTestJournal(t, folder)).close();
  await truncate(path, ends[2]! - 1);
  const { segments } = await recover(folder);
  assert.equal(segments[0]!.end, ends[2]! - 1);
  assert.equal((await stat(path)).size, ends[2]! - 1);
});

test('a segment cut anywhere in its header is removed, and its number stays used', async (t) => {
  const { folder, path, firstFrame } = await leaveJournal(t, payloads(1));
  const whole = await readFile(path);
  for (let length = 0; length <= firstFrame; length += 1) {
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

test('a flipped bit anywhere in the header of a segment loses none of its records', async (t) => {
  const { folder, path, firstFrame } = await leaveJournal(t, payloads(3));
  const whole = await readFile(path);
  const texts = [...payloads(3), payloadOf(100)];
  // Every byte with one bit, and every bit of magic, length and checksum.
  for (let byte = 0; byte < firstFrame; byte += 1) {
    for (let bit = byte % 8; bit < 8; bit += byte < 26 ? 1 : 8) {
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
      assert.match(damage.told('journal-segment-1'), /header .* damaged, but its records can be read/);
      assert.deepEqual(await readFile(segmentPath(hit, 1)), bytes);
      await journal.close();
    }
  }
  assert.equal((await readdir(folder)).length, 1);
});

test('a segment without a header is set aside when its columns are in doubt', async (t) => {
  const { folder, path } = await leaveJournal(t, payloads(2));
  await damage(folder, 1, (bytes) => bytes.fill(0, 0, 30));
  const bytes = await readFile(path);
  const noted = keepDamage();
  const columns = ['day', 'website_id', 'received_at', 'other'];
  await (await openTestJournal(t, folder, { damage: noted, columns })).close();
  // The only list of columns is of the right length, so it is taken.
  assert.match(noted.told('journal-segment-1'), /its records can be read/);
  // Now there is a neighbor with a list of that length, and this version writes another one.
  const again = keepDamage();
  const journal = await openTestJournal(t, folder, { damage: again });
  assert.match(again.told('journal-segment-1'), /unreadable \(its columns are unknown\) and was renamed/);
  assert.deepEqual(await readFile(`${path}.damaged-2026-03-10T09-00-00`), bytes);
  assert.deepEqual(await readJournal(journal), []);
});

for (const [what, change] of Object.entries({
  'filled with zeros': (bytes: Buffer) => bytes.fill(0),
  'overwritten by something else': (bytes: Buffer) => bytes.fill('something else '),
})) {
  for (const place of ['last', 'middle'] as const) {
    test(`a ${place} segment ${what} is set aside and told, and its number is not given again`, async (t) => {
      const { folder } = await leaveJournal(t, payloads(8));
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

test('a segment that was emptied is told when its records were answered, else it is an unfinished one', async (t) => {
  for (const length of ['none', 'header'] as const) {
    for (const isAnswered of [true, false]) {
      const { folder, path, firstFrame, ends } = await leaveJournal(t, payloads(3));
      await truncate(path, length === 'none' ? 0 : firstFrame);
      const noted = keepDamage();
      const answered = isAnswered ? [{ segment: 1, offset: ends[2]!, isStored: false }] : [];
      const journal = await openTestJournal(t, folder, { damage: noted, answered });
      assert.deepEqual(noted.ids(), isAnswered ? ['journal-segment-1'] : [], `${length} ${isAnswered}`);
      assert.equal(journal.segments()[0]!.number, 2);
    }
  }
});

test('damage before a place that was answered is told, and its bytes are kept', async (t) => {
  const { folder, path, ends } = await leaveJournal(t, payloads(4));
  await damage(folder, 1, (bytes) => {
    bytes[ends[3]! - 3]! ^= 1;
  });
  const bytes = await readFile(path);
  const answered = [{ segment: 1, offset: ends[3]!, isStored: false }];
  const noted = keepDamage();
  const journal = await openTestJournal(t, folder, { damage: noted, answered });
  assert.match(
    noted.told('journal-segment-1'),
    new RegExp(`readable up to byte ${ends[2]} only, although records up to byte ${ends[3]} were accepted`),
  );
  assert.deepEqual(await readFile(path), bytes);
  assert.deepEqual(await readJournal(journal), payloads(3));
});

test('a segment truncated at any byte before a place that was answered is told, and read up to there', async (t) => {
  const { path, ends, firstFrame } = await leaveJournal(t, payloads(3));
  const whole = await readFile(path);
  for (let length = 0; length < ends[2]!; length += 1) {
    const folder = await makeFolder();
    await writeFile(segmentPath(folder, 1), whole.subarray(0, length));
    const noted = keepDamage();
    const answered = [{ segment: 1, offset: ends[2]!, isStored: false }];
    const journal = await openTestJournal(t, folder, { damage: noted, answered });
    assert.deepEqual(noted.ids(), ['journal-segment-1'], `cut at ${length}`);
    assert.deepEqual(await readJournal(journal), payloads(ends.filter((end) => end <= length).length));
    assert.equal(journal.segments().at(-1)!.number, 2);
    await journal.close();
    if (length > firstFrame) assert.equal((await stat(segmentPath(folder, 1))).size, length);
  }
});

test('a segment tells of the one before it: what that one has lost since is told, whoever remembers it', async (t) => {
  const { folder, ends, path } = await leaveJournal(t, payloads(3));
  await (await openTestJournal(t, folder)).close();
  await appendEach(await openTestJournal(t, folder), payloads(1, 50));
  await truncate(path, ends[1]!);
  const noted = keepDamage();
  await (await openTestJournal(t, folder, { damage: noted })).close();
  assert.match(noted.told('journal-segment-1'), new RegExp(`byte ${ends[1]} only, .* byte ${ends[2]} were`));
});

test('a missing segment is told unless old ones were removed; no number known anywhere is given again', async (t) => {
  const folder = await makeFolder();
  for (const number of [1, 2, 3]) {
    const journal = await openTestJournal(t, folder);
    await appendEach(journal, payloads(1, number));
    await journal.close();
  }
  await rm(segmentPath(folder, 1));
  const first = keepDamage();
  await (await openTestJournal(t, folder, { damage: first })).close();
  assert.deepEqual(first.ids(), []);

  await writeFile(segmentPath(folder, 1), await readFile(segmentPath(folder, 2)));
  await rm(segmentPath(folder, 2));
  const middle = keepDamage();
  await (await openTestJournal(t, folder, { damage: middle })).close();
  assert.deepEqual(middle.ids(), ['journal-segment-2']);

  const top = keepDamage();
  const answered = [{ segment: 41, offset: 900, isStored: false }];
  const journal = await openTestJournal(t, folder, { damage: top, answered });
  assert.deepEqual(top.ids().sort(), ['journal-segment-2', 'journal-segment-41']);
  assert.equal(journal.segments().at(-1)!.number, 42);
});

test('says of lost records that the store has them, when the ledger knows that', async (t) => {
  const { folder, ends, path } = await leaveJournal(t, payloads(3));
  await truncate(path, ends[1]!);
  for (const isStored of [true, false]) {
    const noted = keepDamage();
    const answered = [{ segment: 1, offset: ends[2]!, isStored }];
    await recover(folder, { damage: noted, answered });
    assert.match(
      noted.told('journal-segment-1'),
      isStored ? /statistics have these/ : /are missing from the stat/,
    );
  }
});

test('reads on from segments of the format before this one', async (t) => {
  const { folder, path } = await leaveJournal(t, payloads(1));
  const [magic, header] = [Buffer.from('TRACKSIDE JOURNAL\n'), { format: 1, node: 'n0', columns: ['day'] }];
  const bytes = Buffer.alloc(1000);
  magic.copy(bytes);
  let end = magic.length + writeFrame(bytes, magic.length, JSON.stringify({ ...header, createdAt: 5 }));
  for (const payload of payloads(2)) end += writeFrame(bytes, end, payload);
  await writeFile(path, bytes.subarray(0, end));
  const journal = await openTestJournal(t, folder);
  assert.deepEqual(
    journal.segments().map(({ node, createdAt }) => [node, createdAt]),
    [
      ['n0', 5],
      ['n1', Date.parse('2026-03-10T09:00:00Z')],
    ],
  );
  assert.deepEqual(await readJournal(journal), payloads(2));
});

test('refuses a segment of a newer format, and says which file and what to do', async (t) => {
  const { folder } = await leaveJournal(t, payloads(1));
  const magic = Buffer.from('TRACKSIDE JOURNAL\n');
  const header = JSON.stringify({ format: 3, node: 'n1', columns: [], createdAt: 0 });
  const bytes = Buffer.alloc(magic.length + frameHeaderBytes + header.length);
  magic.copy(bytes);
  writeFrame(bytes, magic.length, header);
  await writeFile(segmentPath(folder, 2), bytes);
  await assert.rejects(
    openTestJournal(t, folder),
    /0000000002\.segment: format 3 is of a newer version\. Start that version, or move the file out/,
  );
});

test('a file that is no segment is set aside, and so is a folder in the place of one', async (t) => {
  const { folder } = await leaveJournal(t, payloads(1));
  await writeFile(segmentPath(folder, 2), 'something else that someone put here, long enough');
  await mkdir(segmentPath(folder, 3));
  const noted = keepDamage();
  const { segments, last } = await recover(folder, { damage: noted });
  assert.deepEqual(
    segments.map(({ number }) => number),
    [1],
  );
  assert.equal(last, 3);
  assert.match(noted.told('journal-segment-2'), /not a journal segment/);
  assert.match(noted.told('journal-segment-3'), /can't be read \(EISDIR\)/);
});

test('other files in the folder are left alone', async (t) => {
  const { folder } = await leaveJournal(t, payloads(1));
  for (const name of ['ledger', '1.segment', '0000000009.segment.bak', 'x0000000009.segment']) {
    await writeFile(`${folder}/${name}`, 'not ours');
  }
  const { segments, last } = await recover(folder);
  assert.deepEqual(
    segments.map(({ number }) => number),
    [1],
  );
  assert.equal(last, 1);
  assert.equal((await readdir(folder)).length, 5);
});

test('a segment remembers its node, its columns and when it was begun', async (t) => {
  const { folder } = await leaveJournal(t, payloads(1));
  const { segments } = await recover(folder);
  const { node, columns, createdAt } = segments[0]!;
  assert.deepEqual(
    { node, columns, createdAt },
    {
      node: 'n1',
      columns: ['day', 'website_id', 'received_at', 'text'],
      createdAt: Date.parse('2026-03-10T09:00:00Z'),
    },
  );
});

test('opens an empty folder, and one that does not exist yet', async (t) => {
  const journal = await openTestJournal(t, `${await makeFolder()}/deep/journal`);
  assert.deepEqual(
    journal.segments().map(({ number }) => number),
    [1],
  );
});

test('segments that never had a record, or were removed in order, are not missed', async (t) => {
  const folder = await makeFolder();
  const noted = keepDamage();
  const restart = async (texts: readonly string[], answered: RecoverOptions['answered'] = []) => {
    const journal = await openTestJournal(t, folder, { damage: noted, answered });
    await appendEach(journal, texts);
    await journal.close();
    return [{ ...journal.answeredTo(), isStored: false }];
  };
  // A server that is started and stopped without a record, three times with the same checkpoint.
  const empty = await restart([]);
  await restart([], empty);
  await restart([], empty);
  // Records, then starts without any, with a checkpoint that one of these wrote.
  const first = await restart(payloads(2), empty);
  const later = await restart([], first);
  assert.deepEqual(later, first);
  await restart([], later);
  await restart([], later);
  // The store has the records, and their segment was removed.
  await rm(segmentPath(folder, first[0]!.segment));
  await restart([], later);
  await restart([], later);
  assert.deepEqual(noted.ids(), []);
});
