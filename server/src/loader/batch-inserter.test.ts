import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemClock } from '../time/clock.ts';
import { BatchInserter } from './batch-inserter.ts';
import { LoaderProgress } from './loader-progress.ts';

/** Returns an inserter, the tokens that the store gets, and a switch that makes INSERTs fail. */
function openInserter() {
  const tokens: (string | undefined)[] = [];
  const faults: Error[] = [];
  const inserter = new BatchInserter({
    node: 'n1',
    store: {
      insertBatch: async ({ token }) => {
        tokens.push(token);
        const fault = faults.pop();
        if (fault !== undefined) throw fault;
      },
    },
    engine: {
      isOutside: true,
      isReady: () => true,
      generation: () => 1,
      hasBrokenParts: () => false,
      restart: async () => {},
    },
    progress: new LoaderProgress(systemClock, 0),
    clock: systemClock,
    onFailure: () => {},
  });
  const insert = (batch: number, options?: { areOthers: boolean }) =>
    inserter.insert(batch, ['day'], Buffer.from(''), 1, options);
  return { insert, tokens, fail: () => faults.push(new Error('cut off')) };
}

test('an INSERT of unknown outcome has the same token when it is repeated', async () => {
  const { insert, tokens, fail } = openInserter();
  fail();
  await assert.rejects(insert(7));
  await insert(7);
  assert.deepEqual(tokens, ['n1-7', 'n1-7']);
});

test('rows that were brought in and are missing, or were deleted, get another token', async () => {
  const { insert, tokens, fail } = openInserter();
  await insert(7);
  await insert(7);
  fail();
  await assert.rejects(insert(8));
  await insert(8, { areOthers: true });
  assert.equal(tokens[0], 'n1-7');
  assert.match(tokens[1]!, /^n1-7-./);
  assert.equal(tokens[2], 'n1-8');
  assert.match(tokens[3]!, /^n1-8-./);
});
