import { importTests } from '../support/import-tests.ts';
import { testGroups } from '../support/test-groups.ts';

// Tests read this when they are loaded, which is later.
process.env.TRACKSIDE_TEST_STORE = 'outside';

importTests(new URL('../', import.meta.url), { only: testGroups.outside });
