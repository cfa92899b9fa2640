import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { runHere } from '../../test/support/run-here.ts';
import { makeFolder } from '../control/test-control.ts';

test('every command warns about a misspelled variable, beside its result', async (t) => {
  const dataDir = join(await makeFolder(t), 'data');
  const env = { TRACKSIDE_DATADIR: '/elsewhere' };
  const { code, stdout, stderr } = await runHere(['website', 'list', '--json', '--data-dir', dataDir], env);
  assert.deepEqual([code, JSON.parse(stdout).websites], [0, []]);
  assert.equal(
    stderr,
    'trackside: TRACKSIDE_DATADIR is not a setting of this version and has no effect. ' +
      'Did you mean TRACKSIDE_DATA_DIR?\n',
  );
});
