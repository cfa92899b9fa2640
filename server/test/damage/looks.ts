import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { pino } from 'pino';
import { openStore } from '../../src/store/open-store.ts';
import { runHere as runCommandHere } from '../support/run-here.ts';
import { main } from '../support/spawn-server.ts';

type Finding = { check: string; state: string; says: string; todo?: string };

/** Doctor's checks of a server, in which even a warning counts. */
const ofServer = new Set(['server', 'engine']);
/** Only a command that hangs takes this long. */
const commandMs = 300_000;

/** What each of the three complains about. An empty text means that all is well. */
export type Complaints = { health: string; doctor: string; verify: string };

type Ran = { code: number; stdout: string; stderr: string };
/** Runs a command on a data folder. */
export type Run = (dataDir: string, ...words: string[]) => Promise<Ran>;

/**
 * Returns what /health, `doctor` and `verify` say. An empty text means that all is well. Without an origin,
 * /health is not asked, and `verify` is not run if `isVerified` is false.
 */
export async function lookAt(
  origin: string | undefined,
  dataDir: string,
  { run = runHere, isVerified = true }: { run?: Run; isVerified?: boolean } = {},
): Promise<Complaints> {
  const [health, doctor, verify] = await Promise.all([
    origin === undefined ? 'not asked' : complaintsOfHealth(origin),
    complaintsOfDoctor(dataDir, run),
    isVerified ? complaintsOfVerify(dataDir, run) : 'not asked',
  ]);
  return { health, doctor, verify };
}

export async function complaintsOfHealth(origin: string): Promise<string> {
  const response = await fetch(`${origin}/health`);
  const body = (await response.json()) as { message: string; degraded: { part: string; why: string }[] };
  const lines = body.degraded.map(({ part, why }) => `${part}: ${why}`);
  return [...(response.status === 200 ? [] : [body.message]), ...lines].join('\n');
}

async function complaintsOfDoctor(dataDir: string, run: Run): Promise<string> {
  const { code, stdout, stderr } = await run(dataDir, 'doctor', '--json');
  if (stderr !== '') return stderr;
  const { findings } = JSON.parse(stdout) as { findings: Finding[] };
  const faults = findings.filter(({ state }) => state === 'fault');
  if (faults.length > 0 !== (code === 1)) throw new Error(`doctor exits with ${code}, and says ${stdout}`);
  // Other warnings are about the machine, such as a disk in memory.
  const warnings = findings.filter(({ check, state }) => state === 'warning' && ofServer.has(check));
  return [...faults, ...warnings]
    .map(({ check, says, todo }) => `${check}: ${says}${todo === undefined ? '' : ` → ${todo}`}`)
    .join('\n');
}

async function complaintsOfVerify(dataDir: string, run: Run): Promise<string> {
  const { code, stdout, stderr } = await run(dataDir, 'verify');
  return code === 0 ? '' : `${stdout}${stderr}`;
}

/** Runs commands in their own processes, for which an environment and options of Node can be set. */
export function runInProcess(options: { nodeArguments: string[]; environment: Record<string, string> }): Run {
  const env = { PATH: process.env.PATH, ...options.environment };
  return (dataDir, ...words) => {
    const argv = [...options.nodeArguments, main, ...words, '--data-dir', dataDir];
    return new Promise((resolve) => {
      execFile(process.execPath, argv, { env, timeout: commandMs }, (error, stdout, stderr) => {
        const code = error === null ? 0 : error.code;
        resolve({ code: typeof code === 'number' ? code : -1, stdout, stderr });
      });
    });
  };
}

const runHere: Run = (dataDir, ...words) => runCommandHere([...words, '--data-dir', dataDir]);

/** Forgets everything that doctor and verify complain about, like an operator who accepts it. */
export async function forgetAll(dataDir: string): Promise<void> {
  const said = [await runHere(dataDir, 'doctor'), await runHere(dataDir, 'verify')]
    .map(({ stdout }) => stdout)
    .join();
  const ids = [...said.matchAll(/--forget ([a-z0-9-]+)/g)].map(([, id]) => id!);
  const { code, stdout, stderr } = await runHere(dataDir, 'doctor', ...ids.flatMap((id) => ['--forget', id]));
  if (code !== 0) throw new Error(`doctor --forget exits with ${code}: ${stdout}${stderr}`);
}

/**
 * Returns how often each path is in the store. Reads every column. Returns undefined while the store cannot
 * be read.
 */
export async function readPaths(
  dataDir: string,
  websiteId: number,
): Promise<Map<string, number> | undefined> {
  const log = pino({ level: 'silent' });
  const store = openStore({ socketPath: join(dataDir, 'engine.sock'), use: 'asking', log });
  try {
    const rows = await store.query<{ path: string; rows: string }>({
      query: `select path, count() as rows, sum(cityHash64(*)) as whole
              from records where website_id = ${websiteId} group by path`,
    });
    return new Map(rows.map(({ path, rows }) => [path, Number(rows)]));
  } catch {
    return undefined;
  } finally {
    await store.close();
  }
}
