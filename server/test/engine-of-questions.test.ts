import { filesOfQuestions } from './support/engine-files.ts';
import { importTests } from './support/import-tests.ts';

importTests(new URL('engine/', import.meta.url), { only: filesOfQuestions });
