import { AssertionError } from 'node:assert';
import { existsSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { addWebsite } from '../../actions/add-website.ts';
import { type Config, settings } from '../../config.ts';
import type { Control } from '../../control/open-control.ts';
import { dataFolder } from '../../files/data-folder.ts';
import { isNoSpace } from '../../files/disk-space.ts';
import { holdFolder } from '../../files/hold-folder.ts';
import { writeInstallation } from '../../files/installation-file.ts';
import type { Log } from '../../log.ts';
import type { NodeOptions } from '../../node/node-options.ts';
import { openLog } from '../../node/open-log.ts';
import { openWaitingServer } from '../../node/open-waiting-server.ts';
import { startNode } from '../../node/start-node.ts';
import { originOf, startWhenPossible } from '../../node/start-when-possible.ts';
import { OperatorError } from '../../operator-error.ts';
import type { Clock } from '../../time/clock.ts';
import { type Command, CommandError, type CommandInput } from '../command.ts';
import { LostControlError, markFolder, openOwnControl } from '../parts/open-own-control.ts';
import { ensureFirstUser } from './ensure-first-user.ts';
import { firstSteps } from './first-steps.ts';
import { secureFolder } from './secure-folder.ts';

const demoDomain = 'demo.test';
const hourMs = 60 * 60 * 1000;
/**
 * Under npm, Ctrl-C arrives twice, from the terminal and from npm. Signals this close together count as one.
 */
const sameSignalMs = 150;
/** The longest that an operator has to wait. Records that are not loaded by then stay in the journal. */
const stopWithinMs = 9500;

export const serveCommand: Command = {
  usage: 'serve [flags]',
  help: 'Runs the server. Every flag can also be set in the environment (shown in brackets).',
  words: { min: 0, max: 0 },
  flags: Object.fromEntries(
    Object.values(settings).map(({ flag, variable, fallback, help }) => [
      flag,
      {
        type: 'string' as const,
        help: `${help}${fallback === undefined ? '' : ` (default: ${fallback})`} [${variable}]`,
      },
    ]),
  ),
  run: serve,
};

async function serve({ config, clock }: CommandInput): Promise<undefined> {
  const isTerminal = process.stdout.isTTY === true;
  const log = openLog({ level: config.logLevel, isTerminal });
  const { dataDir, host, port } = config;
  let demoKey: string | undefined;
  const started = await startWhenPossible({
    dataDir,
    host,
    port,
    log,
    start: async (atPort, beforeListen) => {
      const parts = await openParts(config, clock, log);
      try {
        const { control, folder } = parts;
        await markFolder(folder, control);
        await ensureFirstUser({ control, email: config.adminEmail, password: config.adminPassword, log });
        demoKey = (await addDemoWebsite(control)) ?? demoKey;
        const setupToken =
          (await control.users.count()) > 0 ? undefined : await control.users.makeSetupToken();
        const node = await startOn(config, { ...parts, clock, log, port: atPort, beforeListen });
        return { ...parts, setupToken, node };
      } catch (error) {
        await parts.close();
        throw error;
      }
    },
  })
    .catch((error: unknown) => {
      if (error instanceof LostControlError) return refuseUntilStopped(error, config, log);
      throw error;
    })
    .catch((error: unknown) => {
      throw toCommandError(error, host, port);
    });
  const { node, setupToken } = started;

  const origin = originOf(node);
  log.info({ origin, dataDir }, 'accepting records');
  await writeFile(started.folder.origin, `${origin}\n`, { mode: 0o600 }).catch((error: unknown) =>
    log.warn({ err: error }, 'cannot write down for other commands where this server listens'),
  );
  const isFirstStart = demoKey !== undefined;
  const apiKey = isTerminal ? demoKey : undefined;
  // The link is also printed where there is no terminal, because operators of containers look at the log. It
  // is useless once there is a user, so it may stay in the log.
  const setupLink = setupToken === undefined ? undefined : `${origin}/setup#${setupToken}`;
  const text = firstSteps({ origin, isFirstStart, setupLink, domain: demoDomain, apiKey, dataDir });
  process.stdout.write(`${text}\n`);

  await firstSignal(() => log.info('stopping: answering what is under way (a second signal ends at once)'));
  const deadline = setTimeout(() => {
    log.warn('stopping took too long; the journal keeps what is not loaded');
    process.exit(0);
  }, stopWithinMs);
  await node.stop();
  await started.close();
  clearTimeout(deadline);
  log.info('stopped');
  process.exit(0);
}

/** Opens the data folder for this process alone, and its control database. */
async function openParts(config: Config, clock: Clock, log: Log) {
  const folder = dataFolder(config.dataDir);
  await makeFolder(folder.root);
  await makeFolder(folder.journal);
  const lock = holdFolder([folder.nodeLock, folder.journalLock], (file) => {
    log.error({ file }, 'the lock file was removed, and another server has started on this folder: stopping');
    process.exit(1);
  });
  if (lock === undefined) {
    throw new CommandError(
      `${config.dataDir}: another server runs on this folder. Stop it, or set another --data-dir.`,
    );
  }
  try {
    await rm(folder.origin, { force: true });
    const { secretKeyFile } = config;
    await secureFolder({ folder, secretKeyFile, uid: process.getuid?.() ?? -1, log });
    const control = await openOwnControl({ folder, secretKeyFile, clock, log });
    return {
      folder,
      control,
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
  parts: Pick<NodeOptions, 'folder' | 'control' | 'clock' | 'log' | 'port' | 'beforeListen'>,
) {
  const { folder, log } = parts;
  const installation = await parts.control.installation();
  return await startNode({
    ...parts,
    host: config.host,
    metricsToken: config.metricsToken,
    trustedProxies: config.trustedProxies,
    pagesFolder: fileURLToPath(new URL('../../../../dashboard/dist', import.meta.url)),
    journalMaxBytes: config.journalMaxBytes,
    journalRetentionMs: config.journalRetentionHours * hourMs,
    minFreeBytes: config.minFreeBytes,
    engineMaxMemoryBytes: config.engineMaxMemoryBytes,
    onBroken: (error) => {
      if (error instanceof OperatorError) log.error(error.message);
      else log.error({ err: error }, whyBroken(error));
      // Gives answers that are already decided (503) a moment to leave.
      const left = delay(200);
      Promise.race([markEmptyFolder(folder.installation, installation, log), delay(2000)])
        .then(() => left)
        .then(() => process.exit(1));
    },
  });
}

function whyBroken(error: Error): string {
  return error instanceof AssertionError
    ? 'the server is in a state that must not be, which is a bug: stopping, ' +
        'so that no record is lost or counted twice'
    : 'the journal could not be made durable: stopping, so that nothing false is answered';
}

/**
 * Marks the empty place where the data was, so that the next start does not take it for a new installation.
 */
async function markEmptyFolder(file: string, installation: string, log: Log): Promise<void> {
  if (existsSync(file)) return;
  await writeInstallation(file, installation).catch((error: unknown) =>
    log.error({ err: error }, 'cannot mark the place of the data folder'),
  );
}

/**
 * Answers 503 until the server is stopped. That is better than exiting: clients are told to try again, and
 * /health says what is wrong.
 */
async function refuseUntilStopped(error: LostControlError, config: Config, log: Log): Promise<never> {
  const { host, port } = config;
  const degraded = {
    part: 'control',
    why: 'the control database is missing or not the right one: see the log',
  };
  log.error(error.message);
  const server = await openWaitingServer({ host, port, degraded, retryAfterSeconds: 30 });
  process.stdout.write(`Trackside listens on ${originOf(server)} but answers 503: ${error.message}\n`);
  await firstSignal(() => {});
  process.exit(1);
}

async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(path, { recursive: true, mode: 0o700 });
  } catch (error) {
    if (isNoSpace(error)) throw error;
    const why = error instanceof Error ? error.message : String(error);
    throw new CommandError(`${path}: the data folder cannot be made (${why}). Set another --data-dir.`);
  }
}

/** Adds a website to start with, and returns its API key. Returns undefined if there is a website already. */
async function addDemoWebsite(control: Control): Promise<string | undefined> {
  if ((await control.websites.list()).length > 0) return undefined;
  const timezone = Intl.DateTimeFormat().resolvedOptions().timeZone ?? 'UTC';
  const added = await addWebsite(control, 'server', { domain: demoDomain, timezone, contingent: null });
  return added.apiKey;
}

function toCommandError(error: unknown, host: string, port: number): unknown {
  if (!(error instanceof Error) || !('code' in error) || !('syscall' in error)) return error;
  // Operations on files fail with the same codes.
  if (error.syscall !== 'listen') return error;
  if (error.code === 'EADDRINUSE') {
    return new CommandError(`Port ${port} of ${host} is taken. Stop what uses it, or set another --port.`);
  }
  if (error.code === 'EACCES' || error.code === 'EADDRNOTAVAIL') {
    return new CommandError(
      `Cannot listen on ${host}, port ${port} (${error.code}). Set another --host or --port.`,
    );
  }
  return error;
}

/**
 * Settles at the first SIGTERM or SIGINT. The second one ends the process at once, which loses nothing that
 * was acknowledged.
 */
function firstSignal(onFirst: () => void): Promise<void> {
  return new Promise((resolve) => {
    let firstAtMs: number | undefined;
    const onSignal = () => {
      const nowMs = performance.now();
      if (firstAtMs === undefined) {
        firstAtMs = nowMs;
        onFirst();
        resolve();
      } else if (nowMs - firstAtMs > sameSignalMs) process.exit(130);
    };
    process.on('SIGTERM', onSignal);
    process.on('SIGINT', onSignal);
  });
}
