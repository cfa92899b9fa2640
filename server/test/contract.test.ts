import { importTests } from './support/import-tests.ts';

importTests(new URL('contract/', import.meta.url));
