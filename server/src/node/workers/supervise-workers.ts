import { type ChildProcess, fork } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { getCompileCacheDir } from 'node:module';
import type { Server, Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { unforgetWorker } from '../../damage/damage-of-worker.ts';
import { dataFolder } from '../../files/data-folder.ts';
import { workerFolder } from '../../files/worker-folders.ts';
import type { Loader } from '../../loader/start-loader.ts';
import type { Log } from '../../log.ts';
import type { EngineSupervisor } from '../supervise-engine.ts';
import { portOf, takeIn } from './move-connection.ts';
import { openChannel } from './open-channel.ts';
import type { WorkersPlan } from './plan-workers.ts';
import type {
  EngineView,
  FirstAnswers,
  WorkerAnswers,
  WorkerReport,
  WorkerStart,
} from './worker-protocol.ts';

export type Workers = ReturnType<typeof superviseWorkers>;
type Channel = ReturnType<typeof openChannel<WorkerAnswers>>;
type Worker = {
  worker: number;
  isRetired: boolean;
  /** Undefined while there is no process, or while it is starting. */
  channel: Channel | undefined;
  child: ChildProcess | undefined;
  /** What it last said. It stays while the worker is away, because its journal does. */
  report: WorkerReport | undefined;
  lastError: string | undefined;
  delayMs: number;
  hasRetired: boolean;
};
/** What the workers need of the first one, which is put together in the meantime. */
type FirstParts = {
  engine: Pick<EngineSupervisor, 'state' | 'generation' | 'restart'>;
  loader: Pick<Loader, 'isPrepared'>;
};

const firstDelayMs = 250;
const longestDelayMs = 10_000;
const healthyAfterMs = 60_000;
const lookMs = 100;
/** How long the start of the server waits for workers. Those that take longer get the port later. */
const startWithinMs = 5_000;
const pauseWithinMs = 60_000;

/** Starts all workers but the first, and starts those again that end. */
export function superviseWorkers(options: {
  plan: WorkersPlan;
  start: Omit<WorkerStart, 'worker' | 'isRetired' | 'workers' | 'keysMovedAtMs' | 'compileCache'>;
  log: Log;
}) {
  const { plan, log } = options;
  const { dataDir } = options.start;
  const workers: Worker[] = plan.others.map((other) => ({
    ...other,
    channel: undefined,
    child: undefined,
    report: undefined,
    lastError: undefined,
    delayMs: firstDelayMs,
    hasRetired: false,
  }));
  let first: FirstParts | undefined;
  let adopt: ((socket: Socket) => void) | undefined;
  let port: Server | undefined;
  let mends = 0;
  let isStopping = false;
  let said = '';
  let timer: NodeJS.Timeout | undefined;

  const viewEngine = (): EngineView => ({
    isReady: first!.loader.isPrepared(),
    generation: first!.engine.generation(),
    hasBrokenParts: first!.engine.state().brokenParts > 0,
    mends,
  });
  function broadcast(): void {
    const view = viewEngine();
    const text = JSON.stringify(view);
    if (text === said) return;
    said = text;
    for (const { channel } of workers) channel?.tell('engine', view);
  }

  function spawn(one: Worker): Promise<void> {
    const { worker, isRetired } = one;
    const program = fileURLToPath(new URL('./worker-main.ts', import.meta.url));
    const child = fork(program, [], {
      serialization: 'advanced',
      execArgv: ['--disable-warning=ExperimentalWarning'],
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    one.child = child;
    const startedMs = performance.now();
    const answers: FirstAnswers = {
      report(report) {
        one.report = report;
      },
      async restartEngine(reason, generation) {
        const { engine } = first!;
        if (engine.state().state === 'ready' && engine.generation() === generation)
          await engine.restart(`worker ${worker}: ${reason}`);
      },
      connection(bytes: Uint8Array, handle?: unknown) {
        const socket = takeIn(bytes, handle);
        if (adopt === undefined) socket.destroy();
        else adopt(socket);
      },
      retired() {
        one.hasRetired = true;
        void channel.ask('finish').catch(() => {});
      },
    };
    const channel = openChannel<WorkerAnswers>(child, answers);
    const ended = new Promise<string>((resolve) => {
      child.once('error', (error) => resolve(error.message));
      child.once('exit', (code, signal) => resolve(`ended with ${signal ?? `code ${code}`}`));
    });
    void ended.then(async (why) => {
      const wasRunning = one.channel === channel;
      one.channel = undefined;
      one.child = undefined;
      if (isStopping) return;
      if (one.hasRetired) return await forget(one);
      await startAgain(one, { why: one.lastError ?? why, wasRunning, ranMs: performance.now() - startedMs });
    });
    const { workers: count, keysMovedAtMs } = plan;
    const compileCache = getCompileCacheDir();
    const started = channel
      .ask('start', { ...options.start, compileCache, worker, isRetired, workers: count, keysMovedAtMs })
      .then(
        (report) => {
          one.report = report;
          one.lastError = undefined;
          one.channel = channel;
          channel.tell('engine', viewEngine());
          if (port !== undefined && !isRetired) channel.give('listen', [], portOf(port));
          log.info({ worker, pid: child.pid }, 'a worker is ready');
        },
        (error: Error) => {
          one.lastError = error.message;
          child.kill('SIGKILL');
        },
      );
    return Promise.race([started, ended.then(() => {})]);
  }

  /**
   * What the worker was inserting may still be running, and would come into the store after it was counted. So
   * the engine is restarted first.
   */
  async function startAgain(one: Worker, end: { why: string; wasRunning: boolean; ranMs: number }) {
    const { worker } = one;
    if (end.ranMs >= healthyAfterMs) one.delayMs = firstDelayMs;
    const retryInMs = one.delayMs;
    one.delayMs = Math.min(2 * retryInMs, longestDelayMs);
    one.lastError = end.why;
    log.error({ worker, reason: end.why, retryInMs }, 'a worker ended: starting it again');
    if (end.wasRunning) await first!.engine.restart(`worker ${worker} ended`);
    await delay(retryInMs, undefined, { ref: false });
    if (!isStopping) await spawn(one);
  }

  async function forget(one: Worker): Promise<void> {
    workers.splice(workers.indexOf(one), 1);
    await unforgetWorker(dataFolder(dataDir).damage, one.worker);
    await rm(workerFolder(dataDir, one.worker).root, { recursive: true, force: true });
    log.info(
      { worker: one.worker },
      'a worker of an earlier start has nothing left, and its folder is removed',
    );
  }

  /** Asks all workers. Fails if one of them is away. */
  function askAll<T>(ask: (channel: Channel, worker: number) => Promise<T>): Promise<T[]> {
    return Promise.all(
      workers.map(({ worker, channel }) =>
        channel === undefined
          ? Promise.reject(new Error(`worker ${worker} is starting`))
          : ask(channel, worker),
      ),
    );
  }
  /** Asks those that are there, and goes on without those that end in the meantime. */
  async function askThere<T>(ask: (channel: Channel) => Promise<T>): Promise<T[]> {
    const channels = workers.map(({ channel }) => channel).filter((channel) => channel !== undefined);
    const answers = await Promise.allSettled(channels.map(ask));
    return answers.filter((answer) => answer.status === 'fulfilled').map(({ value }) => value);
  }

  return {
    /** Whether there are other workers at all. */
    isAlone: () => workers.length === 0,
    list: (): readonly Pick<Worker, 'worker' | 'report' | 'lastError' | 'channel'>[] => workers,
    /** Returns when all workers are ready, or when it is no use to wait for them. */
    async start(parts: FirstParts): Promise<void> {
      first = parts;
      if (workers.length === 0) return;
      timer = setInterval(broadcast, lookMs).unref();
      const started = Promise.all(workers.map(spawn));
      await Promise.race([started, delay(startWithinMs, undefined, { ref: false })]);
    },
    /** Lets the workers accept connections from the port, and hand over those that are not for them. */
    share(server: Server, adoptConnection: (socket: Socket) => void): void {
      adopt = adoptConnection;
      port = server;
      for (const { channel, isRetired } of workers)
        if (!isRetired) channel?.give('listen', [], portOf(server));
    },
    /** No worker loads anything from here on, until the first one has prepared the store again. */
    async pauseLoading(): Promise<void> {
      mends += 1;
      const paused = askThere((channel) => channel.ask('pauseLoading'));
      const late = delay(pauseWithinMs, undefined, { ref: false }).then(() => {
        throw new Error('a worker does not stop loading');
      });
      await Promise.race([paused, late]);
    },
    completeUpToMs: (): number =>
      Math.min(Number.POSITIVE_INFINITY, ...workers.map(({ report }) => report?.completeUpToMs ?? 0)),
    holdsFromMs: (): number =>
      Math.min(Number.POSITIVE_INFINITY, ...workers.map(({ report }) => report?.holdsFromMs ?? 0)),
    askAll,
    askThere,
    /** Closes the port in all workers, and returns when they have answered everything. */
    async drain(): Promise<void> {
      isStopping = true;
      await askThere((channel) => channel.ask('drain'));
    },
    /** Returns when all workers have ended. */
    async finish(): Promise<void> {
      isStopping = true;
      clearInterval(timer);
      const children = workers.map(({ child }) => child).filter((child) => child !== undefined);
      const exited = children.map((child) => new Promise((resolve) => child.once('exit', resolve)));
      const there = new Set(workers.filter(({ channel }) => channel).map(({ child }) => child));
      for (const child of children) if (!there.has(child)) child.kill('SIGKILL');
      await askThere((channel) => channel.ask('finish'));
      await Promise.all(exited);
    },
    /** Ends all workers at once, because the start has failed. */
    kill(): void {
      isStopping = true;
      clearInterval(timer);
      for (const { child } of workers) child?.kill('SIGKILL');
    },
  };
}
