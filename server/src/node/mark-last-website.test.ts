import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { waitFor } from '../../test/support/wait-for.ts';
import { createTestLog, makeFolder } from '../control/test-control.ts';
import { readMark } from '../files/mark-file.ts';
import { markLastWebsite } from './mark-last-website.ts';

test('marks the highest ID, tries again after a fault, and never takes a lower one', async (t) => {
  const file = join(await makeFolder(t), 'last-website');
  const state = { lastId: 3, revision: 1, fault: undefined as Error | undefined, looks: 0, lost: 0 };
  const { log, messages } = createTestLog();
  const marking = markLastWebsite({
    file,
    control: {
      websites: {
        async lastId() {
          state.looks += 1;
          if (state.fault !== undefined) throw state.fault;
          return state.lastId;
        },
        async lose(lastId) {
          state.lost = lastId;
          state.lastId = lastId;
        },
      },
    },
    websiteCache: { revision: () => state.revision },
    intervalMs: 2,
    againMs: 50,
    log,
  });
  t.after(() => marking.stop());
  const marked = (lastId: number) =>
    waitFor(`the mark ${lastId}`, async () => (await readMark(file)) === String(lastId));
  await marked(3);

  Object.assign(state, { lastId: 4, revision: 2, fault: new Error('control is away') });
  const looks = state.looks;
  await waitFor('a second try', () => state.looks >= looks + 2);
  assert.equal(await readMark(file), '3');
  assert.ok(messages.includes('cannot write down the highest ID of a website'));
  state.fault = undefined;
  await marked(4);

  // PostgreSQL was restored while the server runs, and its revision is lower, so the cache doesn't change.
  state.lastId = 2;
  await waitFor('the newer websites to be given up as lost', () => state.lost === 4);
  assert.equal(await readMark(file), '4');
});
