import assert from 'node:assert/strict';
import { test } from 'node:test';
import { waitFor } from '../../test/support/wait-for.ts';
import { createTestLog, makeFolder } from '../control/test-control.ts';
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
