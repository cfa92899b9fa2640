import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { createServerProcess, type ServerProcess } from '../support/spawn-server.ts';
import { waitFor } from '../support/wait-for.ts';
import { copyFolder, type FilledFolder, pathOf } from './filled-folder.ts';
import { type Complaints, complaintsOfHealth, lookAt, type Run, readPaths, runInProcess } from './looks.ts';
import { type Sending, startSending } from './start-sending.ts';

export type Scene = Awaited<ReturnType<typeof openScene>>;

/** All records of a filled folder have lower numbers. */
const lastOfFolder = 1000;
const diskFaults = fileURLToPath(new URL('disk-faults.ts', import.meta.url));

/**
 * Opens a copy of a filled folder with one server at a time on it, and a client that sends records to
 * whichever runs.
 */
export async function openScene(t: TestContext, filled: FilledFolder) {
  const dataDir = await copyFolder(t, filled.dataDir);
  const said: string[] = [];
  const servers: ServerProcess[] = [];
  const sendings: Sending[] = [];
  let lastRecord = lastOfFolder;
  let current: ServerProcess | undefined;

  const server = (): ServerProcess => {
    assert.ok(current, 'expected a server to have been started');
    return current;
  };
  const origin = () =>
    current === undefined || current.hasEnded() || current.origin() === '' ? undefined : current.origin();
  t.after(async () => {
    for (const one of servers) await one.end('SIGKILL');
    for (const one of sendings) await one.stop();
  });

  /**
   * Remembers everything that is said. None of it may suggest a repair of the store, which can't help with
   * these troubles.
   */
  const look = async (
    options: { run?: Run; isHealthAsked?: boolean; isVerified?: boolean } = {},
  ): Promise<Complaints> => {
    const { isHealthAsked = true, ...how } = options;
    const complaints = await lookAt(isHealthAsked ? origin() : undefined, dataDir, how);
    said.push(...Object.values(complaints));
    return complaints;
  };
  const nextRecord = () => {
    lastRecord += 1;
    return lastRecord;
  };
  const others: string[] = [];
  let disk: FaultyDisk | undefined;
  const accepted = () => [...others, ...sendings.flatMap((sending) => sending.accepted())];

  return {
    t,
    dataDir,
    filled,
    server,
    look,
    said,
    async start(options: Omit<Parameters<typeof createServerProcess>[0], 'dataDir'> = {}): Promise<void> {
      const started = createServerProcess({ dataDir, ...options });
      servers.push(started);
      current = started;
      await started.start();
    },
    isServerRunning: () => current !== undefined && !current.hasEnded(),
    send(options: { atOnce: number } = { atOnce: 4 }): Sending {
      const sending = startSending({ origin, apiKey: filled.apiKey, nextRecord, ...options });
      sendings.push(sending);
      return sending;
    },
    /** Adds a record that somebody else has sent and that was answered with 200. */
    accept: (path: string) => void others.push(path),
    /** Waits until this many more records have been answered with 200. */
    async untilAccepted(count: number): Promise<void> {
      const before = accepted().length;
      await waitFor(`${count} more records to be accepted`, () => accepted().length >= before + count).catch(
        (error: Error) => {
          throw new Error(`${error.message}\n${server().output.join('')}`);
        },
      );
    },
    async untilHealthSays(what: RegExp): Promise<void> {
      let last = '';
      await waitFor(`/health to say ${what}`, async () => {
        last = await complaintsOfHealth(server().origin()).catch(String);
        return what.test(last);
      }).catch((error: Error) => {
        throw new Error(`${error.message}: ${last}\n${server().output.join('')}`);
      });
      said.push(last);
    },
    /**
     * Counts the records independently of the product's own counting. Returns undefined while the store
     * cannot be asked.
     */
    async count(): Promise<{ missing: number; doubled: number } | undefined> {
      const paths = await readPaths(dataDir, filled.websiteId);
      if (paths === undefined) return undefined;
      const expected = [...filled.acknowledged.map(pathOf), ...accepted()];
      const missing = expected.filter((path) => !paths.has(path)).length;
      const doubled = [...paths.values()].filter((rows) => rows > 1).length;
      return { missing, doubled };
    },
    async stopSending(): Promise<void> {
      for (const one of sendings) await one.stop();
    },
    /** Returns everything that was said, in the servers' logs and by /health, `doctor` and `verify`. */
    allSaid: () => [...servers.flatMap(({ output }) => output), ...said].join('\n'),
    /** Opens a disk that can be made to hang or to be full, for processes started with its options. */
    async openFaultyDisk(): Promise<FaultyDisk> {
      disk ??= await makeFaultyDisk(t, dataDir);
      return disk;
    },
  };
}

type FaultyDisk = Awaited<ReturnType<typeof makeFaultyDisk>>;

async function makeFaultyDisk(t: TestContext, dataDir: string) {
  const folder = await mkdtemp(join(tmpdir(), 'trackside-disk-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const file = join(folder, 'mode');
  const say = (mode: 'hang' | 'full' | 'well') => writeFileSync(file, mode);
  say('well');
  const environment = { DISK_FAULT_FOLDER: dataDir, DISK_FAULT_FILE: file };
  const options = { nodeArguments: ['--import', diskFaults], environment };
  return { say, options, run: runInProcess(options) };
}
