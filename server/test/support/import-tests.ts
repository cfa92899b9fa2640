import { channel } from 'node:diagnostics_channel';
import { globSync } from 'node:fs';
import { flushCompileCache } from 'node:module';
import { describe, test } from 'node:test';
import { testsDeclared } from './tests-declared.ts';

/** How many files are still being loaded. All of them begin before the first one is done. */
let loading = 0;

/**
 * Runs all test files below a folder in this process, each as its own suite. The runner's process for each
 * file would spend most of its time on starting. A file may wait before it declares its tests, but a suite may
 * not: the runner wouldn't know that its tests belong to it.
 */
export function importTests(
  folder: URL,
  options: {
    /** Names of files below the folder. All of them if left out. */
    only?: readonly string[];
    /** Names of files or folders. */
    except?: readonly string[];
  } = {},
): void {
  const { only = ['**/*.test.ts'], except = [] } = options;
  const files = globSync(only, { cwd: folder, exclude: except.flatMap((name) => [name, `${name}/**`]) });
  if (files.length === 0) throw new Error(`expected test files below ${folder.pathname}, got none`);
  for (const file of files.toSorted()) describe(file, () => importTest(new URL(file, folder)));
}

async function importTest(file: URL): Promise<void> {
  loading += 1;
  try {
    await import(file.href);
  } catch (error) {
    // Reported as a test, because the runner's summary does not count a suite that fails.
    test('can be loaded', () => {
      throw error;
    });
  }
  loading -= 1;
  if (loading > 0) return;
  // Otherwise, Node writes what it has compiled at the end, and processes that start until then compile it again.
  flushCompileCache();
  channel(testsDeclared).publish({});
}
