import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { goEnv, whyNotGo } from '../../../clients/test/languages.ts';
import { isLongForm } from '../../../server/test/support/long-form.ts';
import type { Language } from '../../src/pages/integrate/list-snippets.ts';

/** How a program is run, where its language is installed. */
export type Runner = {
  /** Succeeds if it can be run here. */
  probe: [command: string, ...args: string[]];
  /** What must be installed, if more than the command. */
  needs?: string;
  /** Returns why it cannot be tried in the short form, or undefined. */
  tooDear?: () => string | undefined;
  /** Each start takes seconds. */
  isSlow?: true;
  /** Compiles it, if that is a separate step. */
  prepare?: (folder: string, file: string) => void;
  test: (folder: string, file: string) => string[];
  /** Starts the endpoint. Undefined if there is none. */
  serve?: (folder: string, file: string, port: number) => string[];
};

const script = (...command: [string, ...string[]]): Pick<Runner, 'test' | 'serve'> => ({
  test: (folder, file) => [...command, join(folder, file)],
  serve: (folder, file) => [...command, join(folder, file), 'serve'],
});

/** Java would spend most of its time on optimizing code that runs once. */
const javaFlags = ['-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC'];

export const runners: Record<Language, Runner> = {
  curl: { probe: ['curl', '--version'], test: (folder, file) => ['sh', join(folder, file)] },
  node: { probe: [process.execPath, '-v'], ...script(process.execPath) },
  python: {
    probe: ['python3', '-c', 'import sys; sys.exit(sys.version_info < (3, 9))'],
    needs: 'Python 3.9 or newer',
    ...script('python3', '-B'),
  },
  php: {
    ...script('php'),
    probe: ['php', '-r', 'exit(PHP_VERSION_ID < 80100 ? 1 : 0);'],
    needs: 'PHP 8.1 or newer',
    serve: (folder, file, port) => ['php', '-S', `127.0.0.1:${port}`, join(folder, file)],
  },
  csharp: {
    probe: ['dotnet', '--version'],
    tooDear: () => (isLongForm ? undefined : 'it compiles for a minute'),
    prepare(folder, file) {
      // The new project comes with its own program.
      const program = readFileSync(join(folder, file));
      execFileSync('dotnet', ['new', 'web', '--force', '--output', folder], { stdio: 'pipe' });
      writeFileSync(join(folder, file), program);
    },
    test: (folder) => ['dotnet', 'run', '--project', folder],
    serve: (folder) => ['dotnet', 'run', '--project', folder, '--', 'serve'],
  },
  go: {
    probe: ['go', 'version'],
    tooDear: whyNotGo,
    isSlow: true,
    prepare(folder, file) {
      const unformatted = execFileSync('gofmt', ['-l', join(folder, file)], { encoding: 'utf8' });
      if (unformatted !== '') throw new Error(`expected what gofmt writes, got ${unformatted}`);
      if (isLongForm) execFileSync('go', ['vet', file], { cwd: folder, env: goEnv, stdio: 'pipe' });
      execFileSync('go', ['build', '-o', 'program', file], { cwd: folder, env: goEnv, stdio: 'pipe' });
    },
    test: (folder) => [join(folder, 'program')],
    serve: (folder) => [join(folder, 'program'), 'serve'],
  },
  ruby: {
    probe: ['ruby', '-e', 'require "rackup"; require "puma"; exit RUBY_VERSION.to_i >= 3'],
    needs: 'Ruby 3 with the gems rackup and puma',
    ...script('ruby'),
  },
  java: {
    probe: ['sh', '-c', "java -version 2>&1 | grep -qE 'version \"(1[7-9]|[2-9][0-9])'"],
    needs: 'Java 17 or newer',
    isSlow: true,
    tooDear: () => (isLongForm ? undefined : 'each start takes seconds'),
    ...script('java', ...javaFlags),
  },
};

/** Returns why a language is not tried here, or undefined if it is. */
export function whyNotHere({ probe: [command, ...args], needs, tooDear }: Runner): string | undefined {
  if (spawnSync(command, args).status !== 0) return `${needs ?? command} is not installed`;
  return tooDear?.();
}
