import { importTests } from '../../support/import-tests.ts';
import { shareTracksideOfProcess } from '../../support/share-trackside.ts';
import { longGroups } from '../../support/test-groups.ts';

shareTracksideOfProcess();
importTests(new URL('../../', import.meta.url), { only: longGroups.rare });
