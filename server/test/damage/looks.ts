import { join } from 'node:path';
import { pino } from 'pino';
import { explainFault, runCommandLine } from '../../src/commands/run-command-line.ts';
import { openStore } from '../../src/store/open-store.ts';

/** What each of the three says: content, or what it complains of. */
export type Complaints = { health: string; doctor: string; verify: string };

/** What /health, `doctor` and `verify` say of a server that runs; an empty text means that all is well. */
export async function lookAt(origin: string, dataDir: string): Promise<Complaints> {
  return {
    health: await complaintsOfHealth(origin),
    doctor: await complaintsOfDoctor(dataDir),
    verify: await complaintsOfVerify(dataDir),
  };
}

export async function complaintsOfHealth(origin: string): Promise<string> {
  const response = await fetch(`${origin}/health`);
  const body = (await response.json()) as { Message: string; Degraded: { part: string; why: string }[] };
  const lines = body.Degraded.map(({ part, why }) => `${part}: ${why}`);
  return [...(response.status === 200 ? [] : [body.Message]), ...lines].join('\n');
}

export async function complaintsOfDoctor(dataDir: string): Promise<string> {
  const { code, stdout, stderr } = await run(dataDir, 'doctor', '--json');
  if (stderr !== '') return stderr;
  const { findings } = JSON.parse(stdout) as { findings: { check: string; state: string; says: string }[] };
  const faults = findings.filter(({ state }) => state === 'fault');
  if (faults.length > 0 !== (code === 1)) throw new Error(`doctor exits with ${code}, and says ${stdout}`);
  return faults.map(({ check, says }) => `${check}: ${says}`).join('\n');
}

export async function complaintsOfVerify(dataDir: string): Promise<string> {
  const { code, stdout, stderr } = await run(dataDir, 'verify');
  return code === 0 ? '' : `${stdout}${stderr}`;
}

async function run(dataDir: string, ...words: string[]) {
  const said = { stdout: '', stderr: '' };
  const into = (name: keyof typeof said) => ({
    write(text: string) {
      said[name] += text;
    },
  });
  const io = { stdout: into('stdout'), stderr: into('stderr'), env: {} };
  const argv = [...words, '--data-dir', dataDir];
  const code = await runCommandLine(argv, io).catch((error: unknown) => {
    const fault = explainFault(error);
    said.stderr += fault.text;
    return fault.code;
  });
  return { code, ...said };
}

/** Takes all that doctor and verify complain of off the list, as an operator does who accepts it. */
export async function forgetAll(dataDir: string): Promise<void> {
  const said = [await run(dataDir, 'doctor'), await run(dataDir, 'verify')]
    .map(({ stdout }) => stdout)
    .join();
  const ids = [...said.matchAll(/--forget ([a-z0-9-]+)/g)].map(([, id]) => id!);
  const { code, stdout, stderr } = await run(dataDir, 'doctor', ...ids.flatMap((id) => ['--forget', id]));
  if (code !== 0) throw new Error(`doctor --forget exits with ${code}: ${stdout}${stderr}`);
}

/** How often each path is in the store. Reads every column; undefined while that cannot be done. */
export async function readPaths(
  dataDir: string,
  websiteId: number,
): Promise<Map<string, number> | undefined> {
  const log = pino({ level: 'silent' });
  const store = openStore({ socketPath: join(dataDir, 'engine.sock'), use: 'asking', log });
  try {
    const rows = await store.query<{ path: string; rows: string }>({
      query: `select path, count() as rows, sum(cityHash64(*)) as whole from records where website_id = ${websiteId} group by path`,
    });
    return new Map(rows.map(({ path, rows }) => [path, Number(rows)]));
  } catch {
    return undefined;
  } finally {
    await store.close();
  }
}
