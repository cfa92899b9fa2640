import assert from 'node:assert/strict';
import { readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { test } from 'node:test';
import { placesBetween } from '../../test/support/long-form.ts';
import type { RecoverOptions } from './recover-journal.ts';
import { segmentPath } from './segment-file.ts';
import { appendEach, damage, openTestJournal, payloads, readJournal, useFolders } from './test-journal.ts';
import { keepDamage, leaveJournal, recover } from './test-recovery.ts';

const makeFolder = useFolders();

test('reports an emptied segment if its records were answered; otherwise it is unfinished', async (t) => {
  for (const length of ['none', 'header'] as const) {
    for (const isAnswered of [true, false]) {
      const { folder, path, firstFrame, ends } = await leaveJournal(t, await makeFolder(), payloads(3));
      await truncate(path, length === 'none' ? 0 : firstFrame);
      const noted = keepDamage();
      const answered = isAnswered ? [{ segment: 1, offset: ends[2]!, isStored: false }] : [];
      const journal = await openTestJournal(t, folder, { damage: noted, answered });
      assert.deepEqual(noted.ids(), isAnswered ? ['journal-segment-1'] : [], `${length} ${isAnswered}`);
      assert.equal(journal.segments()[0]!.number, 2);
    }
  }
});

test('reports damage before a place that was answered, and keeps its bytes', async (t) => {
  const { folder, path, ends } = await leaveJournal(t, await makeFolder(), payloads(4));
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

test('reports a segment cut at any byte before an answered place, and reads it up to there', async (t) => {
  const { path, ends, firstFrame } = await leaveJournal(t, await makeFolder(), payloads(3));
  const whole = await readFile(path);
  for (const length of placesBetween(0, ends[2]! - 1, [firstFrame, ...ends])) {
    const folder = await makeFolder();
    await writeFile(segmentPath(folder, 1), whole.subarray(0, length));
    const noted = keepDamage();
    const answered = [{ segment: 1, offset: ends[2]!, isStored: false }];
    const journal = await openTestJournal(t, folder, { damage: noted, answered });
    assert.deepEqual(noted.ids(), ['journal-segment-1'], `cut at ${length}`);
    assert.deepEqual(await readJournal(journal), payloads(ends.filter((end) => end <= length).length));
    assert.equal(journal.segments().at(-1)!.number, 2);
    await journal.close();
    if (length > firstFrame) {
      // Zeros at the end have no content: they look like room for frames to come.
      const content = whole.subarray(0, whole.findLastIndex((byte, at) => at < length && byte !== 0) + 1);
      assert.deepEqual(await readFile(segmentPath(folder, 1)), content, `cut at ${length}`);
    }
  }
});

test('a segment knows the end of the previous one, so that a loss there is reported', async (t) => {
  const { folder, ends, path } = await leaveJournal(t, await makeFolder(), payloads(3));
  await (await openTestJournal(t, folder)).close();
  await appendEach(await openTestJournal(t, folder), payloads(1, 50));
  await truncate(path, ends[1]!);
  const noted = keepDamage();
  await (await openTestJournal(t, folder, { damage: noted })).close();
  assert.match(noted.told('journal-segment-1'), new RegExp(`byte ${ends[1]} only, .* byte ${ends[2]} were`));
});

test('reports a missing segment unless it was pruned, and reuses no known number', async (t) => {
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

test('says that the store has the lost records, if the ledger knows that', async (t) => {
  const { folder, ends, path } = await leaveJournal(t, await makeFolder(), payloads(3));
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

test('does not miss segments that never had a record, or were removed in order', async (t) => {
  const folder = await makeFolder();
  const noted = keepDamage();
  const restart = async (texts: readonly string[], answered: RecoverOptions['answered'] = []) => {
    const journal = await openTestJournal(t, folder, { damage: noted, answered });
    await appendEach(journal, texts);
    await journal.close();
    return [{ ...journal.answeredTo(), isStored: false }];
  };
  // A server is started and stopped without a record, three times with the same checkpoint.
  const empty = await restart([]);
  await restart([], empty);
  await restart([], empty);
  // After records come starts without any, with a checkpoint that one of these wrote.
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
