import { importTests } from '../../support/import-tests.ts';
import { longGroups } from '../../support/test-groups.ts';

// Tests read this when they are loaded, which is later.
process.env.TRACKSIDE_TEST_STORE = 'outside';

importTests(new URL('../../', import.meta.url), { only: longGroups.outside });

/** Tests of the store that run at the engine's socket elsewhere. */
importTests(new URL('../../engine/', import.meta.url), {
  only: ['large-questions.test.ts', 'store.test.ts'],
});
