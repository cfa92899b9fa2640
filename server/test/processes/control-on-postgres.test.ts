import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe } from 'node:test';
import { fileURLToPath } from 'node:url';
import { importTests } from '../support/import-tests.ts';
import { isLongForm } from '../support/long-form.ts';
import { testGroups } from '../support/test-groups.ts';

// Tests read this when they are loaded, which is later.
process.env.TRACKSIDE_TEST_DATABASE = 'postgres';

/** The tests that run on SQLite elsewhere, if they use a database, and those for PostgreSQL alone. */
for (const room of isLongForm ? ['control', 'actions', 'commands/parts'] : ['control']) {
  const folder = new URL(`../../src/${room}/`, import.meta.url);
  const usesDatabase = (file: string) =>
    /\b(openTestControl|openTestDatabase|testOnPostgres)\b/.test(
      readFileSync(join(fileURLToPath(folder), file), 'utf8'),
    );
  const exclude = isLongForm ? [] : ['accounts/**'];
  const only = globSync('**/*.test.ts', { cwd: folder, exclude }).filter(usesDatabase);
  describe(room, () => importTests(folder, { only }));
}

importTests(new URL('../../src/intake/', import.meta.url), { only: ['contingent/leases.test.ts'] });
importTests(new URL('../', import.meta.url), { only: testGroups.postgres });
