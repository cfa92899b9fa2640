import { importTests } from '../../server/test/support/import-tests.ts';

importTests(new URL('../src/', import.meta.url));
