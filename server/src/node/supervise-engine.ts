import { resolve } from 'node:path';
import { describeHolder } from '../files/store-holder.ts';
import type { Log } from '../log.ts';
import { OperatorError } from '../operator-error.ts';
import type { Clock } from '../time/clock.ts';
import { type EnginePriority, makeIdle, makeUsual } from './engine-priority.ts';
import { type EngineExit, type EngineProcess, startEngineProcess } from './engine-process.ts';
import type { EngineState } from './engine-state.ts';
import { judgeExit } from './judge-exit.ts';
import { readRssBytes } from './read-rss-bytes.ts';
import { watchStarvation } from './watch-starvation.ts';

export type SuperviseEngineOptions = {
  folder: string;
  socketPath: string;
  maxMemoryBytes: number;
  sessions: number;
  /** Low if it is left out. */
  priority?: EnginePriority | undefined;
  /** How long an engine with the priority `auto` has too little of the processor before it gets more. */
  starvedAfterMs?: number;
  /**
   * The command that runs the engine, as a person would type it. Those who wait for the store are told about
   * it.
   */
  command: string;
  log: Log;
  clock: Clock;
};

export type EngineSupervisor = {
  state(): EngineState;
  /**
   * Calls the listener each time an engine has opened the store, and at once if one is ready now. Returns a
   * function that stops listening.
   */
  onReady(listener: () => void): () => void;
  /**
   * Counts the processes that were started. A higher number than before means that nothing of the older
   * process is still running.
   */
  generation(): number;
  restart(reason: string): Promise<void>;
  /** Stops the engine and leaves the store's folder free until `resume`. */
  pause(): Promise<void>;
  resume(): void;
  stop(): Promise<void>;
  rssBytes(): number | undefined;
};

/** What a node needs of its engine, whether it runs the engine itself or not. */
export type StoreEngine = Pick<
  EngineSupervisor,
  'state' | 'onReady' | 'generation' | 'restart' | 'stop' | 'rssBytes'
>;

const firstDelayMs = 200;
const longestDelayMs = 10_000;
const healthyAfterMs = 60_000;
const memoryCheckEveryMs = 2_000;
const startWithinMs = 300_000;
const stopWithinMs = 5_000;
const usualStarvedAfterMs = 10_000;

/** The kernel's limit is 107 bytes on Linux and 103 on macOS. Some systems silently cut off a longer path. */
const maxSocketPathBytes = 103;

export function superviseEngine(options: SuperviseEngineOptions): EngineSupervisor {
  // The path is absolute, because the engine works in another folder.
  const socketPath = resolve(options.socketPath);
  if (Buffer.byteLength(socketPath) > maxSocketPathBytes) {
    throw new OperatorError(
      `${socketPath}: expected a socket path of at most ${maxSocketPathBytes} bytes; ` +
        'choose a data folder with a shorter path',
    );
  }
  const supervisor = new Supervisor({ ...options, socketPath, folder: resolve(options.folder) });
  supervisor.resume();
  return supervisor;
}

class Supervisor implements EngineSupervisor {
  readonly #options: SuperviseEngineOptions;
  readonly #log: Log;
  readonly #readyListeners = new Set<() => void>();
  #intent: 'run' | 'pause' | 'stop' = 'pause';
  #state: EngineState['state'] = 'starting';
  #sinceMs: number;
  #restarts = 0;
  #generation = 0;
  #lastError: string | undefined;
  #process: EngineProcess | undefined;
  #delayMs = firstDelayMs;
  #startedAtMonotonicMs = 0;
  #crashesBeforeReady = 0;
  #brokenParts = 0;
  #isRestartWanted = false;
  #killReason: string | undefined;
  #priority: EnginePriority;
  #retryTimer: NodeJS.Timeout | undefined;
  #startTimer: NodeJS.Timeout | undefined;
  #memoryTimer: NodeJS.Timeout | undefined;
  #stopWatching = () => {};

  constructor(options: SuperviseEngineOptions) {
    this.#options = options;
    this.#log = options.log;
    this.#sinceMs = options.clock.now();
    this.#priority = options.priority ?? 'low';
  }

  state(): EngineState {
    return {
      state: this.#state,
      restarts: this.#restarts,
      brokenParts: this.#brokenParts,
      sinceMs: this.#sinceMs,
      ...(this.#process?.pid !== undefined && { pid: this.#process.pid }),
      ...(this.#lastError !== undefined && { lastError: this.#lastError }),
    };
  }

  onReady(listener: () => void): () => void {
    this.#readyListeners.add(listener);
    if (this.#state === 'ready') listener();
    return () => this.#readyListeners.delete(listener);
  }

  generation(): number {
    return this.#generation;
  }

  rssBytes(): number | undefined {
    return this.#process?.pid === undefined ? undefined : readRssBytes(this.#process.pid);
  }

  async restart(reason: string): Promise<void> {
    if (this.#intent !== 'run') return;
    const ending = this.#process;
    if (ending === undefined) {
      this.#start();
      return;
    }
    this.#log.warn({ reason, pid: ending.pid }, 'restarting the engine');
    this.#lastError = reason;
    this.#isRestartWanted = true;
    ending.kill('SIGKILL');
    await ending.exited;
  }

  async pause(): Promise<void> {
    if (this.#intent === 'run') this.#intent = 'pause';
    await this.#end();
  }

  resume(): void {
    if (this.#intent !== 'pause') return;
    this.#intent = 'run';
    this.#delayMs = firstDelayMs;
    this.#enter('starting');
    if (this.#process === undefined) this.#start();
  }

  async stop(): Promise<void> {
    this.#intent = 'stop';
    await this.#end();
  }

  async #end(): Promise<void> {
    clearTimeout(this.#retryTimer);
    const ending = this.#process;
    if (ending === undefined) {
      this.#enter('stopped');
      return;
    }
    ending.kill('SIGTERM');
    const timer = setTimeout(() => ending.kill('SIGKILL'), stopWithinMs);
    await ending.exited;
    clearTimeout(timer);
  }

  #start(): void {
    clearTimeout(this.#retryTimer);
    const { folder, socketPath, maxMemoryBytes, sessions, command, clock } = this.#options;
    this.#generation += 1;
    this.#isRestartWanted = false;
    this.#killReason = undefined;
    this.#startedAtMonotonicMs = clock.monotonicMs();
    let engine: EngineProcess;
    try {
      engine = startEngineProcess({
        folder,
        socketPath,
        maxMemoryBytes,
        sessions,
        command,
        log: this.#log,
        onWaiting: (says) => this.#becomeLocked(says),
        onOpening: () => this.#beginOpening(),
      });
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      const isSpawn =
        error instanceof Error && 'syscall' in error && String(error.syscall).startsWith('spawn');
      this.#handleExit({ wasReady: false, reason: isSpawn ? 'cannot-start' : 'cannot-open', message });
      return;
    }
    this.#process = engine;
    this.#limitStart();
    engine.ready.then((report) => this.#becomeReady(engine, report.brokenParts));
    engine.exited.then((exit) => this.#handleExit(exit));
  }

  /** Only an engine that is ready gives way: on a busy machine, an idle one would take long to start. */
  async #giveWay(pid: number): Promise<void> {
    try {
      await makeIdle(pid);
    } catch (error) {
      // It isn't watched: an engine that doesn't give way would gain nothing by a restart.
      const level = this.#priority === 'idle' ? 'warn' : 'debug';
      this.#log[level]({ err: error, pid }, 'the engine cannot give way to other programs');
      return;
    }
    if (this.#priority !== 'auto' || pid !== this.#process?.pid) return;
    const { starvedAfterMs = usualStarvedAfterMs } = this.#options;
    this.#stopWatching = watchStarvation(pid, starvedAfterMs, () => void this.#stopGivingWay(pid));
  }

  /**
   * The engine doesn't give way again, because whatever keeps the machine busy may come again. A process without
   * privileges can't leave the policy of idle ones, so only another engine gets more of the processor then.
   */
  async #stopGivingWay(pid: number): Promise<void> {
    this.#priority = 'low';
    const why = 'other programs leave it too little of the processor, so it no longer gives way to them';
    const hasMore = await makeUsual(pid).then(
      () => true,
      () => false,
    );
    if (pid !== this.#process?.pid) return;
    if (hasMore) this.#log.warn({ pid }, `the engine: ${why}`);
    else await this.restart(why);
  }

  #limitStart(): void {
    clearTimeout(this.#startTimer);
    this.#startTimer = setTimeout(
      () => void this.restart(`not ready after ${startWithinMs} ms`),
      startWithinMs,
    );
  }

  /** Waits for as long as it takes, because the process that holds the store has work to finish. */
  #becomeLocked(says: string): void {
    if (this.#intent !== 'run') return;
    clearTimeout(this.#startTimer);
    this.#lastError = says;
    this.#enter('locked');
    this.#log.warn(says);
  }

  #beginOpening(): void {
    if (this.#state !== 'locked') return;
    this.#lastError = undefined;
    this.#enter('starting');
    this.#limitStart();
  }

  #becomeReady(engine: EngineProcess, brokenParts: number): void {
    if (engine !== this.#process) return;
    clearTimeout(this.#startTimer);
    this.#crashesBeforeReady = 0;
    this.#lastError = undefined;
    this.#brokenParts = brokenParts;
    this.#enter('ready');
    this.#log.info({ pid: engine.pid, generation: this.#generation }, 'the engine is ready');
    if (this.#priority !== 'low' && engine.pid !== undefined) void this.#giveWay(engine.pid);
    if (brokenParts > 0) {
      this.#log.error({ brokenParts }, 'the engine found damaged parts and left them out of the store');
    }
    this.#memoryTimer = setInterval(() => this.#checkMemory(), memoryCheckEveryMs);
    this.#memoryTimer.unref();
    for (const listener of this.#readyListeners) listener();
  }

  #handleExit(exit: EngineExit): void {
    clearTimeout(this.#startTimer);
    clearInterval(this.#memoryTimer);
    this.#stopWatching();
    this.#process = undefined;
    if (this.#intent !== 'run') {
      this.#enter('stopped');
      return;
    }
    this.#restarts += 1;
    if (this.#isRestartWanted) {
      this.#enter('restarting');
      this.#start();
      return;
    }
    const { state, crashesBeforeReady } = judgeExit(exit, this.#crashesBeforeReady);
    this.#crashesBeforeReady = crashesBeforeReady;
    this.#lastError = this.#killReason ?? (state === 'locked' ? describeHolder(undefined) : exit.message);
    this.#enter(state);
    this.#retryLater(exit);
  }

  /**
   * Keeps trying forever, so that the node needs no restart after a permission was corrected or the disk has
   * space again.
   */
  #retryLater(exit: EngineExit): void {
    const ranMs = this.#options.clock.monotonicMs() - this.#startedAtMonotonicMs;
    if (exit.wasReady && ranMs >= healthyAfterMs) this.#delayMs = firstDelayMs;
    const delayMs = this.#delayMs;
    this.#delayMs = Math.min(delayMs * 2, longestDelayMs);
    this.#log.error({ state: this.#state, reason: this.#lastError, retryInMs: delayMs }, 'the engine ended');
    this.#retryTimer = setTimeout(() => this.#start(), delayMs);
  }

  /**
   * Ends in the usual back-off, so that a memory limit that is too low doesn't cause an endless fast loop.
   */
  #checkMemory(): void {
    const rssBytes = this.rssBytes();
    const { maxMemoryBytes } = this.#options;
    if (rssBytes === undefined || rssBytes <= maxMemoryBytes) return;
    this.#killReason = `used ${rssBytes} bytes of memory where ${maxMemoryBytes} are allowed`;
    this.#process?.kill('SIGKILL');
  }

  #enter(state: EngineState['state']): void {
    if (state === this.#state) return;
    this.#state = state;
    this.#sinceMs = this.#options.clock.now();
  }
}
