import { importTests } from '../support/import-tests.ts';
import { shareTracksideOfProcess } from '../support/share-trackside.ts';
import { testGroups } from '../support/test-groups.ts';

const grouped = Object.values(testGroups).flat();
shareTracksideOfProcess();
importTests(new URL('../', import.meta.url), { except: [...grouped, 'processes'] });
