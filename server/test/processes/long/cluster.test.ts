import { importTests } from '../../support/import-tests.ts';
import { longGroups } from '../../support/test-groups.ts';

// Tests read this when they are loaded, which is later.
process.env.TRACKSIDE_TEST_STORE = 'cluster';

importTests(new URL('../../', import.meta.url), { only: longGroups.cluster });

/** Tests of the store that run at the engine's socket elsewhere. `npm run test:shards` runs all of them. */
importTests(new URL('../../engine/', import.meta.url), { only: ['live.test.ts'] });
