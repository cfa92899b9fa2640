import { globSync } from 'node:fs';
import { describe, test } from 'node:test';

/**
 * Runs all test files below a folder in this process, each as its own suite. The runner's process for each
 * file would spend most of its time on starting.
 */
export function importTests(folder: URL, { except = [] }: { except?: readonly string[] } = {}): void {
  const files = globSync('**/*.test.ts', { cwd: folder, exclude: except.map((name) => `${name}/**`) });
  if (files.length === 0) throw new Error(`expected test files below ${folder.pathname}, got none`);
  for (const file of files.toSorted()) describe(file, () => importTest(new URL(file, folder)));
}

async function importTest(file: URL): Promise<void> {
  try {
    await import(file.href);
  } catch (error) {
    // Reported as a test, because the runner's summary does not count a suite that fails.
    test('can be loaded', () => {
      throw error;
    });
  }
}
