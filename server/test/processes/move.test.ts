import { importTests } from '../support/import-tests.ts';
import { testGroups } from '../support/test-groups.ts';

importTests(new URL('../', import.meta.url), { only: testGroups.move });
