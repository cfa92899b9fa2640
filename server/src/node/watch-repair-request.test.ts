import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { test } from 'node:test';
import { waitFor } from '../../test/support/wait-for.ts';
import { makeFolder, silentLog } from '../control/test-control.ts';
import { dataFolder } from '../files/data-folder.ts';
import { handOverFile } from '../files/hand-over-file.ts';
import { watchRepairRequest } from './watch-repair-request.ts';

test('sets the store aside once, for a request that is written to its end', async (t) => {
  const folder = dataFolder(await makeFolder(t));
  await mkdir(folder.store);
  const steps: string[] = [];
  const engine = { pause: async () => void steps.push('pause'), resume: () => void steps.push('resume') };
  t.mock.timers.enable({ apis: ['setInterval'] });
  const watch = watchRepairRequest({ folder, engine, log: silentLog() });
  t.after(() => watch.stop());
  await writeFile(folder.repairRequest, '');
  // Each look takes a few calls to the disk.
  for (let look = 0; look < 100; look += 1) {
    t.mock.timers.tick(500);
    await stat(folder.repairRequest);
  }
  assert.deepEqual(steps, []);

  await handOverFile(folder.repairRequest, 'token');
  const answer = `${folder.repairRequest}.done`;
  await waitFor('the answer', () => {
    t.mock.timers.tick(500);
    return existsSync(answer);
  });
  const { token, aside } = JSON.parse(await readFile(answer, 'utf8'));
  assert.equal(token, 'token');
  assert.deepEqual(await readdir(aside), []);
  await waitFor('the engine to go on', () => steps.length === 2);
  assert.deepEqual(steps, ['pause', 'resume']);
});
