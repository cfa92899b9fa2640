import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, globSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isLongForm } from '../../server/test/support/long-form.ts';

/** A command that runs the client's `conformance` program. */
export type Driver = { command: string; args: string[]; env: NodeJS.ProcessEnv };

export type Language = {
  name: string;
  /** What prints the version, and the least that the client needs. */
  probe: [command: string, ...args: string[]];
  least: [major: number, minor: number];
  /** The minimum number of the contract's cases that its types allow. */
  fewestSent: { accepted: number; refused: number };
  /** Returns why it cannot be tested in the short form, or undefined. */
  tooDear?: () => string | undefined;
  /**
   * No process of it lives from record to record: records that failed are sent during a later request, have no
   * numbers, and know only the wall clock.
   */
  isShortLived?: true;
  /** Its own tests run the late cases, because nothing outside its package can set the clocks. */
  hasLateTest?: true;
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

/**
 * Go compiles its own library first, which takes most of a minute of processor time. The result is kept in
 * the folder for temporary files, next to a mark that says it is complete.
 */
const goCache = join(tmpdir(), `trackside-go-build-${userInfo().uid}`);
const goMark = join(goCache, 'trackside-complete');
const goFolder = join(clients, 'go');
export const goEnv = {
  ...process.env,
  GOCACHE: goCache,
  GOFLAGS: '-mod=mod',
  GOPROXY: 'off',
  GOTOOLCHAIN: 'local',
  // Go records its own usage data.
  XDG_CONFIG_HOME: join(goCache, 'config'),
  CGO_ENABLED: '0',
};

/** Returns why Go is not tested here in the short form, or undefined. */
export const whyNotGo = (): string | undefined =>
  isLongForm || existsSync(goMark)
    ? undefined
    : 'its library is not compiled yet, which a run with TRACKSIDE_LONG_TESTS=1 does';

const go: Language = {
  name: 'Go',
  probe: ['go', 'version'],
  least: [1, 21],
  fewestSent: { accepted: 112, refused: 94 },
  tooDear: whyNotGo,
  hasLateTest: true,
  prepare(folder) {
    const program = join(folder, 'go-conformance');
    run('go', ['build', '-o', program, './conformance'], goFolder, goEnv);
    return { command: program, args: [], env: process.env };
  },
  runOwnTests() {
    run('go', ['test', '-vet=off', '.'], goFolder, goEnv);
    writeFileSync(goMark, '');
    if (!isLongForm) return;
    run('go', ['vet', './...'], goFolder, goEnv);
    const unformatted = execFileSync('gofmt', ['-l', goFolder], { encoding: 'utf8' });
    if (unformatted !== '') throw new Error(`expected what gofmt writes, got ${unformatted}`);
  },
};

const php: Language = {
  name: 'PHP',
  probe: ['php', '-v'],
  least: [8, 1],
  fewestSent: { accepted: 122, refused: 183 },
  isShortLived: true,
  prepare: () => ({
    command: 'php',
    args: [join(clients, 'php/tests/conformance.php')],
    env: process.env,
  }),
  runOwnTests() {
    for (const folder of ['php', 'wordpress'])
      run('php', ['tests/run.php'], join(clients, folder), process.env);
  },
};

/** Java would spend most of its time optimizing code that runs once. */
const javaFlags = ['-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC', '-Xshare:auto'];
const java: Language = {
  name: 'Java',
  probe: ['javac', '-version'],
  least: [17, 0],
  tooDear: () => (isLongForm ? undefined : 'it compiles for seconds'),
  fewestSent: { accepted: 113, refused: 104 },
  prepare(folder) {
    const classes = join(folder, 'java');
    const javac = [...javaFlags.map((flag) => `-J${flag}`), '-proc:none', '-nowarn', '-d', classes];
    const files = globSync('**/*.java', { cwd: join(clients, 'java') });
    run('javac', [...javac, ...files], join(clients, 'java'), process.env);
    return {
      command: 'java',
      args: [...javaFlags, '-cp', classes, 'trackside.Conformance'],
      env: process.env,
    };
  },
  runOwnTests: (folder) =>
    run('java', [...javaFlags, '-cp', join(folder, 'java'), 'trackside.OwnTests'], clients, process.env),
};

export const languages: readonly Language[] = [python, go, php, java];

/** Returns why a language is not tested here, or undefined if it is. */
export function reasonNotToRun({ probe: [command, ...args], least, tooDear }: Language): string | undefined {
  const { status, stdout, stderr } = spawnSync(command, args, { encoding: 'utf8' });
  if (status !== 0) return `${command} is not installed`;
  const [, major, minor] = /(\d+)\.(\d+)/.exec(stdout || stderr) ?? [];
  const isOld = Number(major) < least[0] || (Number(major) === least[0] && Number(minor) < least[1]);
  return isOld ? `${command} is older than ${least.join('.')}` : tooDear?.();
}
