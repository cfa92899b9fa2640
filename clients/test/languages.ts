import { execFileSync, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A command that runs the client's `conformance` program. */
export type Driver = { command: string; args: string[]; env: NodeJS.ProcessEnv };

export type Language = {
  name: string;
  /** What prints the version, and the least that the client needs. */
  probe: [command: string, ...args: string[]];
  least: [major: number, minor: number];
  /** How many cases of the contract its types let through at least. */
  fewestSent: { accepted: number; refused: number };
  /** Returns why it cannot be tried in the short form, or undefined. */
  tooDear?: () => string | undefined;
  /** Compiles once, into `folder`. Nothing is written anywhere else. */
  prepare: (folder: string) => Driver;
  /** Runs the tests that are written in the language itself. */
  runOwnTests: (folder: string) => void;
};

const clients = fileURLToPath(new URL('..', import.meta.url));
const everyCase = { accepted: 125, refused: 184 };

function run(command: string, args: string[], cwd: string, env: NodeJS.ProcessEnv): void {
  try {
    execFileSync(command, args, { cwd, env, stdio: 'pipe', encoding: 'utf8', timeout: 600_000 });
  } catch (error) {
    const { stdout, stderr } = error as { stdout?: string; stderr?: string };
    throw new Error(`${command} ${args.join(' ')} failed:\n${stdout ?? ''}${stderr ?? error}`);
  }
}

const pythonEnv = { ...process.env, PYTHONDONTWRITEBYTECODE: '1' };
const python: Language = {
  name: 'Python',
  probe: ['python3', '--version'],
  least: [3, 9],
  fewestSent: everyCase,
  prepare: () => ({
    command: 'python3',
    args: [join(clients, 'python/tests/conformance.py')],
    env: pythonEnv,
  }),
  runOwnTests: () =>
    run(
      'python3',
      ['-m', 'unittest', 'discover', '-s', 'tests', '-t', '.'],
      join(clients, 'python'),
      pythonEnv,
    ),
};

export const languages: readonly Language[] = [python];

/** Returns why a language is not tried here, or undefined if it is. */
export function reasonNotToRun({ probe: [command, ...args], least, tooDear }: Language): string | undefined {
  const { status, stdout, stderr } = spawnSync(command, args, { encoding: 'utf8' });
  if (status !== 0) return `${command} is not installed`;
  const [, major, minor] = /(\d+)\.(\d+)/.exec(stdout || stderr) ?? [];
  const isOld = Number(major) < least[0] || (Number(major) === least[0] && Number(minor) < least[1]);
  return isOld ? `${command} is older than ${least.join('.')}` : tooDear?.();
}
