import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { openControl, type WritableControl } from '../../src/control/open-control.ts';
import { dataFolder } from '../../src/files/data-folder.ts';
import { readSegments } from '../../src/journal/read-segments.ts';
import { readLedger } from '../../src/loader/open-ledger.ts';
import { bytesBehind } from '../../src/loader/read-batch.ts';
import { openStore, type Store } from '../../src/store/open-store.ts';
import { systemClock } from '../../src/time/clock.ts';
import { checkFetchedAnswers } from './check-fetched-answers.ts';
import { copyEmptyStore } from './copy-empty-store.ts';
import { enginePids } from './engine-pids.ts';
import { runHere } from './run-here.ts';
import { createServerHere } from './serve-here.ts';
import { shareCompiledCode } from './share-compiled-code.ts';
import { createServerProcess, main, type ServerProcess } from './spawn-server.ts';
import { waitFor } from './wait-for.ts';

type Cleaning = { after(cleanUp: () => Promise<void>): void };

export type Trackside = Awaited<ReturnType<typeof startTrackside>>;
export type TracksideHere = Awaited<ReturnType<typeof startTracksideHere>>;

/** Starts a real server in its own process, on its own folder, and opens control and store next to it. */
export async function startTrackside(
  t: Cleaning,
  options: {
    environment?: Record<string, string>;
    nodeArguments?: string[];
    port?: number;
    /** Whether the test itself starts the server, on a folder that it has prepared. */
    isStartedLater?: boolean;
  } = {},
) {
  const dataDir = await makeDataDir();
  const { isStartedLater = false, ...ofProcess } = options;
  const server = createServerProcess({ dataDir, ...ofProcess });
  const trackside = await openBeside(t, { dataDir, server, isStartedLater });
  const findEngines = () => (server.hasEnded() ? [] : enginePids(server.pid()));
  return { ...trackside, pid: server.pid, enginePids: findEngines };
}

/** Does the same with a server in this process, for tests that don't need signals, exit codes or crashes. */
export async function startTracksideHere(
  t: Cleaning,
  options: { environment?: Record<string, string>; isStartedLater?: boolean } = {},
) {
  const dataDir = await makeDataDir();
  const { isStartedLater = false, ...ofServer } = options;
  const server = createServerHere({ dataDir, ...ofServer });
  const trackside = await openBeside(t, { dataDir, server, isStartedLater });
  return { ...trackside, enginePids: server.enginePids };
}

const makeDataDir = () => mkdtemp(join(tmpdir(), 'trackside-'));

async function openBeside(
  t: Cleaning,
  options: { dataDir: string; server: Omit<ServerProcess, 'launch' | 'pid'>; isStartedLater: boolean },
) {
  const { dataDir, server, isStartedLater } = options;
  const { start, end, output, onStdout } = server;
  const folder = dataFolder(dataDir);
  const log = pino({ level: 'silent' });

  checkFetchedAnswers();
  shareCompiledCode(folder.store);
  await copyEmptyStore(folder.store);
  if (!isStartedLater) await start();
  const control: WritableControl = await openControl({
    folder: folder.control,
    secretKeyFile: join(dataDir, 'secret.key'),
    clock: systemClock,
    log,
  });
  const store: Store = openStore({ socketPath: folder.engineSocket, use: 'asking', log });
  t.after(async () => {
    await store.close();
    await control.close();
    await end('SIGKILL');
    await rm(dataDir, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  });

  const countRows = async (where = '1'): Promise<number> => {
    const [row] = await store.query<{ rows: string }>({
      query: `select count() as rows from records where ${where}`,
    });
    return Number(row?.rows ?? 0);
  };
  const isStoreReady = () =>
    countRows().then(
      () => true,
      () => false,
    );
  if (!isStartedLater) await waitFor('the store to be there', isStoreReady);

  return {
    dataDir,
    folder,
    control,
    store,
    start,
    end,
    origin: server.origin,
    hasEnded: server.hasEnded,
    exitCode: server.exitCode,
    output: () => output.join(''),
    onStdout: () => onStdout.join(''),
    /** Runs a command next to the server, as an operator would. */
    async run(...words: string[]): Promise<{ code: number | null; stdout: string; stderr: string }> {
      const command = spawn(process.execPath, [main, ...words, '--data-dir', dataDir], {
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      const texts = { stdout: '', stderr: '' };
      command.stdout.setEncoding('utf8').on('data', (text: string) => {
        texts.stdout += text;
      });
      command.stderr.setEncoding('utf8').on('data', (text: string) => {
        texts.stderr += text;
      });
      await once(command, 'close');
      output.push(texts.stdout, texts.stderr);
      return { code: command.exitCode, ...texts };
    },
    /**
     * Does the same without a separate process, which would take most of a second. Works for commands that
     * only print text.
     */
    runHere: (...words: string[]) => runHere([...words, '--data-dir', dataDir]),
    runHereWith: (environment: Record<string, string>, ...words: string[]) =>
      runHere([...words, '--data-dir', dataDir], environment),
    async addWebsite(
      domain: string,
      contingent: number | null = null,
    ): Promise<{ id: number; apiKey: string }> {
      const { website, apiKey } = await control.websites.add({ domain, timezone: 'UTC', contingent });
      return { id: website.id, apiKey };
    },
    countRows,
    /**
     * Waits until the loader has taken up all records in the journal. Tests that wait for a number of the
     * statistics wait for this first, because every question about a changing day takes the engine much
     * longer than this look at two files.
     */
    untilTakenUp: () =>
      waitFor('the loader to take up all records', async () => {
        const ledger = await readLedger(folder.journal);
        return (
          ledger !== undefined && bytesBehind(await readSegments(folder.journal), ledger.batchedTo) === 0
        );
      }),
  };
}
