import { AssertionError } from 'node:assert';
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { addWebsite } from '../../actions/add-website.ts';
import type { Config } from '../../config/config.ts';
import { ControlError } from '../../control/database/control-error.ts';
import type { Control } from '../../control/open-control.ts';
import { dataFolder } from '../../files/data-folder.ts';
import { HalfRestoredError, isHalfRestored } from '../../files/half-restored.ts';
import { holdFolder } from '../../files/hold-folder.ts';
import { writeMark } from '../../files/mark-file.ts';
import { writeOrigin } from '../../files/origin-file.ts';
import { answersWithinMs, tryFolder } from '../../files/try-folder.ts';
import type { Log } from '../../log.ts';
import { whyNotIdle } from '../../node/engine-priority.ts';
import type { NodeOptions } from '../../node/node-options.ts';
import { startNode } from '../../node/start-node.ts';
import { originOf, startWhenPossible } from '../../node/start-when-possible.ts';
import { OperatorError } from '../../operator-error.ts';
import type { Clock } from '../../time/clock.ts';
import { CommandError } from '../command.ts';
import { makeDataFolder } from '../parts/make-data-folder.ts';
import { checkStorePlace, markStorePlace } from '../parts/mark-store-place.ts';
import { markFolder, openOwnControl } from '../parts/open-own-control.ts';
import { readOutsideStore } from '../parts/read-outside-store.ts';
import { ensureFirstUser } from './ensure-first-user.ts';
import { firstSteps } from './first-steps.ts';
import { secureFolder } from './secure-folder.ts';

const demoDomain = 'demo.test';
const hourMs = 60 * 60 * 1000;

export type RunningServer = Awaited<ReturnType<typeof startServer>>;

/** What the server needs from the process around it. */
type Surroundings = {
  clock: Clock;
  log: Log;
  /** Whether a person sees what is printed, so that it may hold a key. */
  isTerminal: boolean;
  print: (text: string) => void;
  /** Ends the process, because the server cannot continue without giving false answers. */
  exit: (code: number) => void;
};

/** Opens the data folder, starts a node on it, and prints the first steps. */
export async function startServer(config: Config, surroundings: Surroundings) {
  const { clock, log, isTerminal, print } = surroundings;
  const { dataDir, host, port } = config;
  let demoKey: string | undefined;
  const started = await startWhenPossible({
    dataDir,
    host,
    port,
    log,
    start: async (atPort, beforeListen) => {
      const parts = await openParts(config, surroundings);
      try {
        const { control, folder } = parts;
        await markFolder(folder, control);
        await ensureFirstUser({ control, email: config.adminEmail, password: config.adminPassword, log });
        demoKey = (await addDemoWebsite(control)) ?? demoKey;
        const setupToken =
          (await control.users.count()) > 0 ? undefined : await control.users.makeSetupToken();
        const options = { ...parts, clock, log, port: atPort, beforeListen };
        const node = await startOn(config, options, surroundings.exit);
        return { ...parts, setupToken, node };
      } catch (error) {
        await parts.close();
        throw error;
      }
    },
  });
  const { node, setupToken } = started;

  const origin = originOf(node);
  log.info({ origin, dataDir }, 'accepting records');
  await writeOrigin(started.folder.origin, origin, log);
  const isFirstStart = demoKey !== undefined;
  const apiKey = isTerminal ? demoKey : undefined;
  // The link is also printed where there is no terminal, because operators of containers look at the log. It
  // is useless once there is a user, so it may stay in the log.
  const setupLink = setupToken === undefined ? undefined : `${origin}/setup#${setupToken}`;
  const text = firstSteps({ origin, isFirstStart, setupLink, domain: demoDomain, apiKey, dataDir });
  print(`${text}\n`);
  return {
    origin,
    engine: node.engine,
    /** Finishes requests in progress, and closes everything. */
    async stop(): Promise<void> {
      await node.stop();
      await started.close();
    },
  };
}

/** Opens the data folder for this process alone, and its control database. */
async function openParts(config: Config, { clock, log, exit }: Surroundings) {
  const why = config.enginePriority === 'idle' ? whyNotIdle() : undefined;
  if (why !== undefined) throw new CommandError(`--engine-priority idle ${why}.`);
  const folder = dataFolder(config.dataDir);
  const { root, probe } = folder;
  await tryFolder({ folder: root, probe, make: () => makeDataFolder(root), withinMs: answersWithinMs });
  await makeDataFolder(folder.journal);
  const lock = holdFolder([folder.nodeLock, folder.journalLock], (file) => {
    log.error({ file }, 'the lock file was removed, and another server was started on this folder: stopping');
    exit(1);
  });
  if (lock === undefined) {
    // The restore itself has the folder.
    if (config.databaseUrl === undefined && isHalfRestored(folder)) throw new HalfRestoredError(folder);
    throw new CommandError(
      `${config.dataDir}: another server is running on this folder. Stop it, or choose another --data-dir.`,
    );
  }
  try {
    await rm(folder.origin, { force: true });
    const { secretKeyFile, databaseUrl } = config;
    const outsideStore = readOutsideStore(config);
    checkStorePlace(folder, outsideStore);
    await secureFolder({ folder, secretKeyFile, uid: process.getuid?.() ?? -1, log });
    const control = await openOwnControl({
      folder,
      databaseUrl,
      mustBeWhole: true,
      secretKeyFile,
      clock,
      log,
    });
    // An installation that was moved back must not be said to have its records outside.
    await markStorePlace(folder, outsideStore, log).catch(async (error: unknown) => {
      await control.close();
      throw error;
    });
    return {
      folder,
      control,
      outsideStore,
      async close() {
        await control.close();
        lock.release();
      },
    };
  } catch (error) {
    lock.release();
    throw error;
  }
}

async function startOn(
  config: Config,
  parts: Pick<NodeOptions, 'folder' | 'control' | 'outsideStore' | 'clock' | 'log' | 'port' | 'beforeListen'>,
  exit: (code: number) => void,
) {
  const { folder, log } = parts;
  const installation = await parts.control.installation();
  return await startNode({
    ...parts,
    host: config.host,
    workers: config.workers,
    ack: config.ack,
    nodeAddress: config.nodeAddress,
    ofWorkers: { ...config, isTerminal: process.stdout.isTTY === true },
    metricsToken: config.metricsToken,
    trustedProxies: config.trustedProxies,
    pagesFolder: fileURLToPath(new URL('../../../../dashboard/dist', import.meta.url)),
    journalMaxBytes: config.journalMaxBytes,
    journalRetentionMs: config.journalRetentionHours * hourMs,
    lateHours: config.lateHours,
    minFreeBytes: config.minFreeBytes,
    engineMaxMemoryBytes: config.engineMaxMemoryBytes,
    enginePriority: config.enginePriority,
    s3: config,
    onBroken: (error) => {
      if (error instanceof OperatorError) log.error(error.message);
      else log.error({ err: error }, whyBroken(error));
      // Gives answers that are already decided (503) a moment to leave.
      const left = delay(200);
      Promise.race([markEmptyFolder(folder.installation, installation, log), delay(2000)])
        .then(() => left)
        .then(() => exit(1));
    },
  });
}

function whyBroken(error: Error): string {
  return error instanceof AssertionError
    ? 'the server is in an invalid state, which is a bug: stopping, ' +
        'so that no record is lost or counted twice'
    : 'the journal could not be written to disk: stopping, so that no record is acknowledged and then lost';
}

/**
 * Marks the empty place where the data was, so that the next start does not take it for a new installation.
 */
async function markEmptyFolder(file: string, installation: string, log: Log): Promise<void> {
  if (existsSync(file)) return;
  await writeMark(file, installation).catch((error: unknown) =>
    log.error({ err: error }, 'cannot mark the location of the data folder'),
  );
}

/** Adds a website to start with, and returns its API key. Returns undefined if there is a website already. */
async function addDemoWebsite(control: Control): Promise<string | undefined> {
  if ((await control.websites.list()).length > 0) return undefined;
  const timezone = Intl.DateTimeFormat().resolvedOptions().timeZone ?? 'UTC';
  try {
    const added = await addWebsite(control, 'server', { domain: demoDomain, timezone, contingent: null });
    return added.apiKey;
  } catch (error) {
    // Another node has started at the same moment.
    if (error instanceof ControlError && error.reason === 'already-exists') return undefined;
    throw error;
  }
}
