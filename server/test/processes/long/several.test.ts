import { importTests } from '../../support/import-tests.ts';
import { longGroups } from '../../support/test-groups.ts';

importTests(new URL('../../', import.meta.url), { only: longGroups.several });
