import { mkdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { settings } from '../config.ts';
import { type Control, openControl } from '../control/open-control.ts';
import { dataFolder } from '../core/data-folder.ts';
import { takeFolderLock } from '../core/folder-lock.ts';
import { openLog } from '../serve/open-log.ts';
import { startNode } from '../serve/start-node.ts';
import { type Command, CommandError, type CommandInput } from './command.ts';
import { ensureFirstUser } from './ensure-first-user.ts';
import { firstSteps } from './first-steps.ts';
import { secureFolder } from './secure-folder.ts';

const demoDomain = 'demo.test';
const hourMs = 60 * 60 * 1000;
/** Ctrl-C under npm arrives twice, from the terminal and from npm: that is one wish. */
const sameSignalMs = 150;
/** A command that looks whether a server runs holds the lock for a moment. */
const probeMs = 1000;
/** An operator waits for this long at most; what is not loaded by then stays in the journal. */
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
  const folder = dataFolder(config.dataDir);
  await makeFolder(config.dataDir);
  const lock = takeFolderLock(folder.nodeLock, { waitMs: probeMs });
  if (lock === undefined) {
    throw new CommandError(
      `${config.dataDir}: another server runs on this folder. Stop it, or set another --data-dir.`,
    );
  }
  const { secretKeyFile } = config;
  await secureFolder({ folder, secretKeyFile, uid: process.getuid?.() ?? -1, log });
  const control = await openControl({
    folder: folder.control,
    secretKeyFile,
    clock,
    log,
  });
  await ensureFirstUser({ control, email: config.adminEmail, password: config.adminPassword, log });
  const isFirstStart = await addDemoWebsite(control);
  const node = await startNode({
    host: config.host,
    port: config.port,
    folder,
    metricsToken: config.metricsToken,
    trustedProxies: config.trustedProxies,
    pagesFolder: fileURLToPath(new URL('../../../dashboard/dist', import.meta.url)),
    journalMaxBytes: config.journalMaxBytes,
    journalRetentionMs: config.journalRetentionHours * hourMs,
    minFreeBytes: config.minFreeBytes,
    engineMaxMemoryBytes: config.engineMaxMemoryBytes,
    control,
    clock,
    log,
    onBroken: (error) => {
      log.error(
        { err: error },
        'the journal could not be made durable: stopping, so that nothing false is answered',
      );
      // Answers that are already decided (503) get a moment to leave.
      setTimeout(() => process.exit(1), 200);
    },
  }).catch((error: unknown) => {
    throw toCommandError(error, config.host, config.port);
  });

  const shownHost = node.address.family === 'IPv6' ? `[${node.address.address}]` : node.address.address;
  const origin = `http://${shownHost}:${node.address.port}`;
  log.info({ origin, dataDir: config.dataDir }, 'accepting records');
  const apiKey = isFirstStart && isTerminal ? await control.websites.apiKey(1) : undefined;
  const setupLink = await makeSetupLink(control, origin);
  const text = firstSteps({
    ...{ origin, isFirstStart, setupLink, domain: demoDomain, apiKey, dataDir: config.dataDir },
  });
  process.stdout.write(`${text}\n`);

  await firstSignal(() => log.info('stopping: answering what is under way (a second signal ends at once)'));
  const deadline = setTimeout(() => {
    log.warn('stopping took too long; the journal keeps what is not loaded');
    process.exit(0);
  }, stopWithinMs);
  await node.stop();
  await control.close();
  lock.release();
  clearTimeout(deadline);
  log.info('stopped');
  process.exit(0);
}

async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(path, { recursive: true, mode: 0o700 });
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new CommandError(`${path}: the data folder cannot be made (${why}). Set another --data-dir.`);
  }
}

async function addDemoWebsite(control: Control): Promise<boolean> {
  if ((await control.websites.list()).length > 0) return false;
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  await control.websites.add({ domain: demoDomain, timezone: timeZone ?? 'UTC', contingent: null });
  return true;
}

/**
 * Also where no person looks at a terminal: the log of a container is where its operator looks. What stays behind there
 * is of no use after the first user.
 */
async function makeSetupLink({ users }: Control, origin: string): Promise<string | undefined> {
  if ((await users.count()) > 0) return undefined;
  return `${origin}/setup#${await users.makeSetupToken()}`;
}

function toCommandError(error: unknown, host: string, port: number): unknown {
  if (!(error instanceof Error) || !('code' in error) || !('syscall' in error)) return error;
  // The same codes come from files, too.
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

/** Settles at the first SIGTERM or SIGINT; the second ends the process at once, which loses nothing that was answered. */
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
