import { importTests } from '../support/import-tests.ts';
import { testGroups } from '../support/test-groups.ts';

const grouped = Object.values(testGroups).flat();
importTests(new URL('../', import.meta.url), { except: [...grouped, 'processes'] });
