import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTestLog } from '../../control/test-control.ts';
import { retireWhenDone } from './retire-when-done.ts';

test('retires once, when the journal is empty and the usage is written down', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  const { log, messages } = createTestLog();
  const steps: string[] = [];
  let isEmpty = false;
  let isAway = true;
  const retiring = retireWhenDone({
    isJournalEmpty: () => isEmpty,
    contingent: {
      async checkpoint() {
        if (isAway) throw new Error('PostgreSQL is away');
        steps.push('checkpoint');
      },
      giveBack: async (idleMs) => void steps.push(`give back ${idleMs}`),
    },
    onRetired: () => steps.push('retired'),
    log,
  });
  const pass = async () => {
    t.mock.timers.tick(1_000);
    await new Promise<void>((resolve) => setImmediate(resolve));
  };
  await pass();
  assert.deepEqual(messages, [], 'the journal is not empty');
  isEmpty = true;
  await pass();
  await pass();
  assert.equal(messages.length, 2);
  assert.match(messages[0]!, /^cannot save the monthly usage/);
  assert.deepEqual(steps, []);
  isAway = false;
  await pass();
  await pass();
  assert.deepEqual(steps, ['checkpoint', 'give back 0', 'retired']);
  await retiring.stop();
});
