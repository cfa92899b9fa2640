import { mkdir } from 'node:fs/promises';
import { BlockList, isIP } from 'node:net';
import type { Config } from '../../config/config.ts';
import { secrets } from '../../config/secrets.ts';
import { engineSettings, settings } from '../../config/settings.ts';
import { dataFolder } from '../../files/data-folder.ts';
import { holdFolder } from '../../files/hold-folder.ts';
import type { Log } from '../../log.ts';
import { openLog } from '../../node/open-log.ts';
import { openEngineFront } from '../../node/service/open-engine-front.ts';
import { originOf } from '../../node/start-when-possible.ts';
import { superviseEngine } from '../../node/supervise-engine.ts';
import type { Clock } from '../../time/clock.ts';
import { type Command, CommandError, type CommandInput } from '../command.ts';
import { explainListenFault } from './explain-listen-fault.ts';
import { findUnknownVariables } from './find-unknown-variables.ts';
import { firstSignal } from './first-signal.ts';

/** Two servers with a screen each don't wait for each other. */
const querySessions = 6;
/** Longer than a batch takes to be written, and shorter than service managers wait. */
const drainMs = 8_000;

const flags = [engineSettings.host, engineSettings.port, settings.engineMaxMemoryBytes, settings.logLevel];

export const engineCommand: Command = {
  usage: 'engine [--host HOST] [--port PORT] [flags]',
  help:
    'Runs the engine as a service of its own, as a small ClickHouse for servers on other machines. ' +
    'It answers\n' +
    `ClickHouse's HTTP interface. The user is in TRACKSIDE_ENGINE_USER (default: default), the password in\n` +
    `${secrets.enginePassword.variable} or in the file that ${secrets.enginePassword.fileVariable} names. ` +
    'Without a\npassword, it listens on this machine only. Servers use it with TRACKSIDE_CLICKHOUSE_URL.',
  words: { min: 0, max: 0 },
  flags: Object.fromEntries(
    flags.map(({ flag, variable, fallback, help }) => [
      flag,
      { type: 'string' as const, help: `${help} (default: ${fallback}) [${variable}]` },
    ]),
  ),
  isForAnyUser: true,
  isForAnyFolder: true,
  run: runEngine,
};

async function runEngine({ config, clock }: CommandInput): Promise<undefined> {
  refuseOpenDoor(config);
  const log = openLog({ level: config.logLevel, isTerminal: process.stdout.isTTY === true });
  for (const warning of findUnknownVariables(process.env)) log.warn(warning);
  const service = await startEngineService(config, { clock, log, exit: (code) => process.exit(code) });
  log.info({ origin: service.origin, dataDir: config.dataDir }, 'the engine is listening');
  process.stderr.write(`The engine is running at ${service.origin}\n`);
  await firstSignal(
    () => log.info('stopping: finishing statements in progress (a second signal stops immediately)'),
    () => {},
  );
  await service.stop();
  log.info('stopped');
  process.exit(0);
}

/** Opens the port and the store of a folder. The port is open first, and tells clients to wait. */
async function startEngineService(
  config: Config,
  { clock, log, exit }: { clock: Clock; log: Log; exit: (code: number) => void },
) {
  const { dataDir, engineHost: host, enginePort: port, engineUser: user, enginePassword = '' } = config;
  const folder = dataFolder(dataDir);
  await mkdir(folder.root, { recursive: true, mode: 0o700 });
  const lock = holdFolder([folder.nodeLock], (file) => {
    log.error({ file }, 'the lock file was removed, and another server was started on this folder: stopping');
    exit(1);
  });
  if (lock === undefined) {
    throw new CommandError(
      `${dataDir}: another server or engine is running on this folder. ` +
        'Stop it, or choose another --data-dir.',
    );
  }
  try {
    const front = await openEngineFront({
      host,
      port,
      credentials: { user, password: enginePassword },
      socketPath: folder.engineSocket,
      whyAway: () => whyAway(),
      log: log.child({ part: 'front' }),
    });
    const engine = superviseEngine({
      folder: folder.store,
      socketPath: folder.engineSocket,
      maxMemoryBytes: config.engineMaxMemoryBytes,
      sessions: querySessions,
      command: 'trackside engine',
      clock,
      log: log.child({ part: 'engine' }),
    });
    const whyAway = () => {
      const { state, lastError } = engine.state();
      return state === 'ready' ? undefined : `${state}${lastError === undefined ? '' : ` (${lastError})`}`;
    };
    return {
      origin: originOf(front),
      async stop(): Promise<void> {
        await front.stop({ withinMs: drainMs });
        await engine.stop();
        lock.release();
      },
    };
  } catch (error) {
    lock.release();
    throw explainListenFault(error, host, port);
  }
}

/** Whoever reaches the port can read and delete everything, and read files as the user who runs the engine. */
function refuseOpenDoor({ engineHost: host, enginePassword }: Config): void {
  if (enginePassword !== undefined || isLoopback(host)) return;
  const { variable, fileVariable } = secrets.enginePassword;
  throw new CommandError(
    `--host ${host}: without a password, anyone who reaches this address could read and delete all records. ` +
      `Set ${variable} or ${fileVariable}, or listen on 127.0.0.1.`,
  );
}

function isLoopback(host: string): boolean {
  const loopback = new BlockList();
  loopback.addSubnet('127.0.0.0', 8, 'ipv4');
  loopback.addAddress('::1', 'ipv6');
  const family = isIP(host);
  if (family === 0) return host === 'localhost';
  return loopback.check(host, family === 6 ? 'ipv6' : 'ipv4');
}
