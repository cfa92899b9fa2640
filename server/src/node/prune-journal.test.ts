import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { type TestContext, test } from 'node:test';
import { createFakeClock } from '../control/test-control.ts';
import { segmentPath } from '../journal/segment-file.ts';
import { appendEach, openTestJournal, payloads, useFolders } from '../journal/test-journal.ts';
import { openLedger } from '../loader/open-ledger.ts';
import { isBefore, type JournalPosition } from '../records/journal-position.ts';
import { pruneJournal } from './prune-journal.ts';

const makeFolder = useFolders();
const hourMs = 60 * 60 * 1000;
const everything: JournalPosition = { segment: 1e6, offset: 0 };

/** A journal and its ledger, with this many sealed segments of one batch each, begun an hour apart. */
async function open(t: TestContext, sealed: number) {
  const folder = await makeFolder();
  const clock = createFakeClock('2026-03-10T00:00:00Z');
  const ledger = await openLedger({ folder });
  t.after(() => ledger.close());
  const journal = await openTestJournal(t, folder, { clock });
  const at = '2026-03-10 00:00:00.000';
  for (let batch = 1; batch <= sealed; batch += 1) {
    await appendEach(journal, payloads(2));
    const { number, firstFrame, end } = journal.segments().at(-1)!;
    const place = { segment: number, from: firstFrame, to: end };
    await ledger.addBatch({
      batch,
      ...place,
      months: { '202603': 2 },
      firstReceivedAt: at,
      lastReceivedAt: at,
    });
    clock.pass(hourMs);
    await journal.rotate();
  }
  const known = {
    verifiedTo: everything,
    covered: everything as JournalPosition | undefined,
    verifyNow: 0,
    removals: 0,
    keys: 0,
    holdsRecalled: false,
  };
  const prune = (changes: { retentionMs?: number; pressureBytes?: number } = {}) =>
    pruneJournal({
      journal,
      ledger,
      retentionMs: 3 * hourMs,
      pressureBytes: 1e9,
      loader: {
        isVerifiedTo: (position) => !isBefore(known.verifiedTo, position),
        verifyNow: () => {
          known.verifyNow += 1;
        },
        runRemoval: async (remove) => {
          known.removals += 1;
          await remove();
        },
      },
      covered: () => known.covered,
      idempotencyIndex: { size: () => known.keys, holdsRecalled: () => known.holdsRecalled },
      ...changes,
    });
  const numbers = () => journal.segments().map(({ number }) => number);
  return { folder, clock, journal, ledger, known, prune, numbers };
}

test('removes segments in order, once the last record of each is old enough', async (t) => {
  const { folder, clock, ledger, known, prune, numbers } = await open(t, 5);
  // The segment after segment n was begun n hours after the start, and now five hours have passed.
  assert.deepEqual(await prune(), [1, 2]);
  assert.equal(known.removals, 2, 'the loader is told of each');
  assert.deepEqual(numbers(), [3, 4, 5, 6]);
  assert.deepEqual(
    [1, 2, 3].map((number) => existsSync(segmentPath(folder, number))),
    [false, false, true],
  );
  assert.deepEqual([...ledger.state.batches.keys()], [3, 4, 5]);
  assert.deepEqual([ledger.state.forgotten.batches, ledger.state.forgotten.rows], [2, 4]);
  assert.deepEqual(await prune(), []);
  clock.pass(hourMs);
  assert.deepEqual(await prune(), [3]);
});

test('setting the clock makes no segment of this run older or younger', async (t) => {
  for (const jumpMs of [900 * hourMs, -900 * hourMs]) {
    const { clock, prune } = await open(t, 5);
    clock.jump(jumpMs);
    assert.deepEqual(await prune(), [1, 2]);
    clock.pass(hourMs);
    assert.deepEqual(await prune(), [3]);
  }
});

test('keeps a segment that the store was not counted for, and requests the count', async (t) => {
  const { journal, known, prune, numbers } = await open(t, 5);
  known.verifiedTo = { segment: 2, offset: journal.segments()[1]!.end - 1 };
  assert.deepEqual(await prune(), [1]);
  assert.equal(known.verifyNow, 1);
  assert.deepEqual(numbers(), [2, 3, 4, 5, 6]);
  known.verifiedTo = { segment: 2, offset: journal.segments()[0]!.end };
  assert.deepEqual(await prune(), [2]);
});

test('keeps a segment that the contingent still needs', async (t) => {
  const { journal, known, prune } = await open(t, 5);
  known.covered = undefined;
  assert.deepEqual(await prune(), []);
  known.covered = { segment: 1, offset: journal.segments()[0]!.end - 1 };
  assert.deepEqual(await prune(), []);
  known.covered = { segment: 1, offset: journal.segments()[0]!.end };
  assert.deepEqual(await prune(), [1]);
});

test('does not request a count while the oldest segment is young', async (t) => {
  const { known, prune } = await open(t, 2);
  known.verifiedTo = { segment: 0, offset: 0 };
  assert.deepEqual(await prune(), []);
  assert.equal(known.verifyNow, 0);
});

test('under pressure removes young segments too, as many as needed, if verified and covered', async (t) => {
  const { journal, known, prune, numbers } = await open(t, 5);
  const segmentBytes = journal.segments()[0]!.end;
  const retentionMs = 1000 * hourMs;
  assert.deepEqual(await prune({ retentionMs }), []);
  assert.deepEqual(await prune({ retentionMs, pressureBytes: journal.bytes() - segmentBytes }), [1]);
  known.verifiedTo = { segment: 3, offset: 0 };
  assert.deepEqual(await prune({ retentionMs, pressureBytes: 0 }), [2]);
  known.verifiedTo = everything;
  known.covered = { segment: 4, offset: 0 };
  assert.deepEqual(await prune({ retentionMs, pressureBytes: 0 }), [3]);
  known.covered = everything;
  assert.deepEqual(await prune({ retentionMs, pressureBytes: 0 }), [4, 5]);
  assert.deepEqual(numbers(), [6]);
});

test('keeps the segments of the last hour while keys are remembered, except under pressure', async (t) => {
  const { clock, journal, known, prune } = await open(t, 3);
  known.keys = 1;
  // The segment after the third one was begun just now, and the one after the second an hour ago.
  assert.deepEqual(await prune({ retentionMs: 0 }), [1, 2]);
  clock.pass(hourMs - 1);
  assert.deepEqual(await prune({ retentionMs: 0 }), []);
  clock.pass(1);
  assert.deepEqual(await prune({ retentionMs: 0 }), [3]);
  await appendEach(journal, payloads(1));
  assert.deepEqual(await prune({ retentionMs: 0, pressureBytes: 0 }), [4]);
  await appendEach(journal, payloads(1));
  clock.pass(1);
  assert.deepEqual(await prune({ retentionMs: 0 }), []);
  known.keys = 0;
  assert.deepEqual(await prune({ retentionMs: 0 }), [5], 'without any, nothing is kept for them');
});

test('keeps all segments while keys from before the start are useful, except under pressure', async (t) => {
  const { known, prune } = await open(t, 3);
  known.keys = 1;
  known.holdsRecalled = true;
  assert.deepEqual(await prune({ retentionMs: 0 }), []);
  assert.deepEqual(await prune({ retentionMs: 0, pressureBytes: 0 }), [1, 2, 3]);
});

test('closes a used segment after an hour, and never an empty one', async (t) => {
  const { clock, journal, prune, numbers } = await open(t, 0);
  clock.pass(2 * hourMs);
  await prune();
  assert.deepEqual(numbers(), [1], 'an empty segment stays');
  await appendEach(journal, payloads(1));
  await prune();
  assert.deepEqual(numbers(), [1, 2]);
  await appendEach(journal, payloads(1));
  clock.pass(hourMs);
  await prune();
  assert.deepEqual(numbers(), [1, 2], 'not before the hour is over');
  clock.pass(1);
  await prune();
  assert.deepEqual(numbers(), [1, 2, 3]);
});

test('closes a used segment sooner with a retention below an hour, or under pressure', async (t) => {
  const { clock, journal, prune, numbers } = await open(t, 0);
  await appendEach(journal, payloads(1));
  clock.pass(60_001);
  await prune();
  assert.deepEqual(numbers(), [1]);
  await prune({ retentionMs: 60_000 });
  assert.deepEqual(numbers(), [1, 2], 'sealed now, so it is kept for another minute');
  clock.pass(60_000);
  assert.deepEqual(await prune({ retentionMs: 60_000 }), [1]);
  await appendEach(journal, payloads(1));
  assert.deepEqual(await prune({ pressureBytes: 0 }), [2]);
  assert.deepEqual(numbers(), [3]);
});
