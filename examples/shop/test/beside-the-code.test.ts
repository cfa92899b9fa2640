import { importTests } from '../../../server/test/support/import-tests.ts';

importTests(new URL('../', import.meta.url), { except: ['test'] });
