import { filesOfFaults } from './support/engine-files.ts';
import { importTests } from './support/import-tests.ts';

importTests(new URL('engine/', import.meta.url), { only: filesOfFaults });
