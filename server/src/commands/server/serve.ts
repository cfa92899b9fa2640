import { flushCompileCache } from 'node:module';
import { performance } from 'node:perf_hooks';
import type { Config } from '../../config/config.ts';
import { settings } from '../../config/settings.ts';
import { ControlOpenError, SecretKeyError } from '../../control/database/control-error.ts';
import type { Log } from '../../log.ts';
import { collectGarbage, collectStartGarbage } from '../../node/collect-start-garbage.ts';
import { letRequestsGoFirst } from '../../node/let-requests-go-first.ts';
import { openLog } from '../../node/open-log.ts';
import { openWaitingServer } from '../../node/open-waiting-server.ts';
import { originOf } from '../../node/start-when-possible.ts';
import type { Command, CommandInput } from '../command.ts';
import { LostControlError } from '../parts/open-own-control.ts';
import { endAtSignal } from './end-at-signal.ts';
import { checkFirstUser } from './ensure-first-user.ts';
import { explainListenFault } from './explain-listen-fault.ts';
import { findUnknownVariables } from './find-unknown-variables.ts';
import { firstSignal } from './first-signal.ts';
import { startServer } from './start-server.ts';

/** The longest that an operator has to wait. Records that are not loaded by then stay in the journal. */
const stopWithinMs = 9500;

export const serveCommand: Command = {
  usage: 'serve [flags]',
  help: 'Runs the server. Every flag can also be set by the environment variable shown in brackets.',
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
  isForAnyUser: true,
  isForAnyFolder: true,
  run: serve,
};

async function serve({ config, clock }: CommandInput): Promise<undefined> {
  checkFirstUser({ email: config.adminEmail, password: config.adminPassword });
  const isTerminal = process.stdout.isTTY === true;
  const log = openLog({ level: config.logLevel, isTerminal });
  // Without a terminal, standard output has a line of JSON for each entry of the log, and nothing else.
  const print = (text: string) => void (isTerminal ? process.stdout : process.stderr).write(text);
  for (const warning of findUnknownVariables(process.env)) log.warn(warning);
  const exit = (code: number) => process.exit(code);
  const letSignalsPass = endAtSignal();
  const server = await startServer(config, { clock, log, isTerminal, print, exit })
    .catch((error: unknown) => {
      const why = whyRefused(error);
      if (why !== undefined) return refuseUntilStopped(why, config, log, letSignalsPass);
      throw error;
    })
    .catch((error: unknown) => {
      throw explainListenFault(error, config.host, config.port);
    });

  // Node writes what it has compiled only at a regular exit, but a server may be killed instead.
  flushCompileCache();
  letRequestsGoFirst();
  collectStartGarbage({ utilization: performance.eventLoopUtilization, collect: collectGarbage });

  await firstSignal(
    () => log.info('stopping: finishing requests in progress (a second signal stops immediately)'),
    letSignalsPass,
  );
  const deadline = setTimeout(() => {
    log.warn('stopping took too long; records that are not loaded yet stay in the journal');
    process.exit(0);
  }, stopWithinMs);
  await server.stop();
  clearTimeout(deadline);
  log.info('stopped');
  process.exit(0);
}

/** Returns why no API key can be judged, or undefined if the start has failed for another reason. */
function whyRefused(error: unknown): { why: string; message: string } | undefined {
  if (!(error instanceof ControlOpenError)) return undefined;
  const { message } = error;
  if (error instanceof LostControlError)
    return { message, why: 'the control database is missing, damaged or not the right one: check the log' };
  if (error instanceof SecretKeyError)
    return { message, why: 'the secret key is missing, damaged or not the right one: check the log' };
  return undefined;
}

/**
 * Answers 503 until the server is stopped. That is better than exiting: clients are told to try again, and
 * /health says what is wrong.
 */
async function refuseUntilStopped(
  { why, message }: { why: string; message: string },
  config: Config,
  log: Log,
  letSignalsPass: () => void,
): Promise<never> {
  const { host, port } = config;
  const degraded = { part: 'control', why };
  log.error(message);
  const server = await openWaitingServer({ host, port, degraded, retryAfterSeconds: 30 });
  process.stderr.write(
    `Trackside is running at ${originOf(server)} but answers every request with 503: ${message}\n`,
  );
  await firstSignal(() => {}, letSignalsPass);
  process.exit(1);
}
