import { importTests } from '../../support/import-tests.ts';
import { longGroups } from '../../support/test-groups.ts';

// Tests read this when they are loaded, which is later.
process.env.TRACKSIDE_TEST_STORE = 'cluster';

importTests(new URL('../../', import.meta.url), { only: longGroups.moreOfCluster });
