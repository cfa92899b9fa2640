import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { waitFor } from './wait-for.ts';

/** What an operator starts. */
export const main = fileURLToPath(new URL('../../bin/trackside.js', import.meta.url));

/** Tests keep all processors busy, so an engine that gives way would starve, and be started again. */
export const onBusyMachine = { TRACKSIDE_ENGINE_PRIORITY: 'low' };

/** Arguments that make Node look like another version, which may hand over to the pinned one, and platform. */
export function pretendToBe({
  version,
  platform = process.platform,
}: {
  version: string;
  platform?: string;
}) {
  const pretend =
    `Object.defineProperty(process,'versions',{value:{...process.versions,node:'${version}'}});` +
    `Object.defineProperty(process,'platform',{value:'${platform}'})`;
  return ['--import', `data:text/javascript,${encodeURIComponent(pretend)}`];
}

export type ServerProcess = ReturnType<typeof createServerProcess>;

/** Runs `trackside serve`, or another service, in its own process on a data folder. It can be ended and started again. */
export function createServerProcess(options: {
  dataDir: string;
  port?: number | undefined;
  environment?: Record<string, string> | undefined;
  /** Arguments before the path of the program, such as `--import`. */
  nodeArguments?: string[] | undefined;
  /** How many files the process may have open. */
  openFiles?: number | undefined;
  words?: string[] | undefined;
  /** What runs the command, such as `ip netns exec`, and becomes it. */
  within?: string[] | undefined;
}) {
  const { dataDir, port = 0, environment, nodeArguments = [], openFiles, words: given = ['serve'] } = options;
  const { within = [] } = options;
  const output: string[] = [];
  const onStdout: string[] = [];
  let child: ChildProcess | undefined;
  let origin = '';

  const hasEnded = () => child === undefined || child.exitCode !== null || child.signalCode !== null;

  /** Starts the process without waiting, because a server may also refuse to start. */
  const launch = (): void => {
    const [command, ...words] = limited(openFiles, [
      ...within,
      process.execPath,
      ...nodeArguments,
      main,
      ...given,
    ]);
    const started = spawn(command!, words, {
      env: {
        PATH: process.env.PATH,
        HOME: dataDir,
        ...compileCache(),
        TRACKSIDE_DATA_DIR: dataDir,
        TRACKSIDE_PORT: String(port),
        ...onBusyMachine,
        ...environment,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    child = started;
    origin = '';
    for (const stream of [started.stdout, started.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        output.push(text);
        if (stream === started.stdout) onStdout.push(text);
        origin ||= /is running at (\S+)/.exec(text)?.[1] ?? '';
      });
    }
  };

  return {
    launch,
    async start(): Promise<void> {
      launch();
      await waitFor('the server to listen', () => {
        if (hasEnded()) throw new Error(`the server ended:\n${output.join('')}`);
        return origin !== '';
      });
    },
    async end(signal: NodeJS.Signals): Promise<number | null> {
      if (hasEnded()) return child?.exitCode ?? null;
      const exited = once(child!, 'exit');
      child!.kill(signal);
      await exited;
      return child!.exitCode;
    },
    hasEnded,
    exitCode: () => child?.exitCode ?? null,
    origin: () => origin,
    pid: () => child!.pid!,
    output,
    onStdout,
  };
}

/** Returns a command that runs with a limit on open files, which only a shell can set. */
function limited(openFiles: number | undefined, command: string[]): string[] {
  if (openFiles === undefined) return command;
  return ['sh', '-c', `ulimit -n ${openFiles}; exec "$@"`, 'sh', ...command];
}

/** Returns where a run of all tests keeps compiled code. A server starts in half the time with it. */
function compileCache(): Record<string, string> {
  const { NODE_COMPILE_CACHE } = process.env;
  return NODE_COMPILE_CACHE === undefined ? {} : { NODE_COMPILE_CACHE };
}
