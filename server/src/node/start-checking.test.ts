import assert from 'node:assert/strict';
import { test } from 'node:test';
import { waitFor } from '../../test/support/wait-for.ts';
import { createTestLog, makeFolder } from '../control/test-control.ts';
import { failToRead } from '../files/test-faulty-disk.ts';
import { segmentPath } from '../journal/segment-file.ts';
import { appendEach, openTestJournal, payloads } from '../journal/test-journal.ts';
import { startChecking } from './start-checking.ts';

test('waits for the tables of a new store without a word', async (t) => {
  const { log, messages } = createTestLog();
  let looks = 0;
  const checking = startChecking({
    journal: { folder: await makeFolder(t), segments: () => [] },
    batchedTo: () => ({ segment: 0, offset: 0 }),
    store: {
      async listParts() {
        looks += 1;
        if (looks < 3) throw Object.assign(new Error('Database trackside does not exist'), { code: '81' });
        return [];
      },
      checkPart: async () => undefined,
      countDamageMet: async () => 0,
    },
    loader: { mend: () => {} },
    isEngineReady: () => true,
    damage: { report: async () => {}, settle: async () => {} },
    log,
    stepMs: 1,
    restTimes: 1,
  });
  t.after(() => checking.stop());
  await waitFor('a round', () => checking.progress().rounds > 0);
  assert.deepEqual(messages, []);
});

test('reports loaded records that the disk can no longer read', async (t) => {
  const { log, messages } = createTestLog();
  const journal = await openTestJournal(t, await makeFolder(t));
  await appendEach(journal, payloads(20));
  failToRead(t, { path: segmentPath(journal.folder, 1), from: 0, to: 100_000 });
  const reported: string[] = [];
  const checking = startChecking({
    journal,
    batchedTo: journal.durable,
    store: undefined,
    loader: { mend: () => {} },
    isEngineReady: () => true,
    damage: { report: async ({ id }) => void reported.push(id), settle: async () => {} },
    log,
    stepMs: 1,
    restTimes: 1,
  });
  t.after(() => checking.stop());
  await waitFor('a round', () => checking.progress().rounds > 0);
  const { firstFrame, end } = journal.segments()[0]!;
  assert.deepEqual(reported, [`journal-frames-1-${firstFrame}-${end - firstFrame}`]);
  assert.deepEqual(messages, []);
});
