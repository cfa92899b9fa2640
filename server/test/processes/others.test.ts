import { importTests } from '../support/import-tests.ts';
import { shareTracksideOfProcess } from '../support/share-trackside.ts';
import { longGroups, testGroups } from '../support/test-groups.ts';

const grouped = Object.values({ ...testGroups, ...longGroups }).flat();
shareTracksideOfProcess();
importTests(new URL('../', import.meta.url), { except: [...grouped, 'processes'] });
