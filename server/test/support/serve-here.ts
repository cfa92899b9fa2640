import { pino } from 'pino';
import { type RunningServer, startServer } from '../../src/commands/server/start-server.ts';
import { readConfig } from '../../src/config/read-config.ts';
import { escapeControls } from '../../src/text/escape-controls.ts';
import { type Clock, systemClock } from '../../src/time/clock.ts';
import { onBusyMachine, type ServerProcess } from './spawn-server.ts';

/**
 * Runs what `trackside serve` runs in this process, which saves most of a second: its code is loaded and
 * compiled once for all servers of a test process. Its engine has its own process, as always. It can't be
 * killed, so a test that needs signals, exit codes or crashes starts a process.
 */
export function createServerHere(options: {
  dataDir: string;
  port?: number | undefined;
  environment?: Record<string, string> | undefined;
  clock?: Clock;
}): Omit<ServerProcess, 'launch' | 'pid'> & { enginePids(): number[] } {
  const { dataDir, port = 0, environment, clock = systemClock } = options;
  const output: string[] = [];
  let server: RunningServer | undefined;

  return {
    async start(): Promise<void> {
      const config = readConfig(
        {},
        { TRACKSIDE_DATA_DIR: dataDir, TRACKSIDE_PORT: String(port), ...onBusyMachine, ...environment },
      );
      const write = (line: string) => void output.push(`${escapeControls(line.trimEnd())}\n`);
      server = await startServer(config, {
        clock,
        log: pino({ level: config.logLevel, base: {} }, { write }),
        isTerminal: false,
        print: (text) => void output.push(text),
        exit: (code) => {
          throw new Error(`the server would have ended with ${code}:\n${output.join('')}`);
        },
      });
    },
    async end(): Promise<number | null> {
      const stopping = server;
      server = undefined;
      await stopping?.stop();
      return 0;
    },
    hasEnded: () => server === undefined,
    exitCode: () => (server === undefined ? 0 : null),
    origin: () => server?.origin ?? '',
    enginePids: () => [server?.engine.state().pid].filter((pid) => pid !== undefined),
    output,
    onStdout: [],
  };
}
