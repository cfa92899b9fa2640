import { setTimeout as delay } from 'node:timers/promises';
import { dataFolder } from '../../files/data-folder.ts';
import { describeHolder, readHolder, serverCommand } from '../../files/store-holder.ts';
import type { Log } from '../../log.ts';
import { openLog } from '../../node/open-log.ts';
import { type EngineSupervisor, superviseEngine } from '../../node/supervise-engine.ts';
import { openOutsideHost } from '../../store/open-outside-host.ts';
import { openStore, type Store } from '../../store/open-store.ts';
import type { OutsideStore } from '../../store/store-address.ts';
import { CommandError, type CommandInput } from '../command.ts';
import { isServerRunning } from '../server/is-server-running.ts';
import { findServer } from './find-server.ts';
import { checkStorePlace } from './mark-store-place.ts';
import { readOutsideStore } from './read-outside-store.ts';

type Input = Pick<CommandInput, 'name' | 'config' | 'clock' | 'progress'>;
type Work<T> = (store: Store, isServerRunning: boolean) => Promise<T>;
/** How long to wait for other work on the store, and for its engine. */
type Patience = { inUseMs: number; readyMs: number };

/** As long as a server waits for its engine. A command that gives up earlier would only be run again. */
const startMs = 300_000;
const patient: Patience = { inUseMs: startMs, readyMs: startMs };
/**
 * The longest gap between one engine and the next, or between the start of a server and the start of its
 * engine.
 */
const changeOverMs = 2_000;
const lookEveryMs = 100;
/**
 * The server retries a locked store every 10 s at most, so its report of the lock can be that old after the
 * holder was last seen.
 */
const lockedMs = 12_000;

/** The advice after a message. `doctor` itself leaves it out. */
const seeDoctor = '. Run `trackside doctor` to find out more.';

/** The store cannot be used. Only `cannot-open` can mean that something is wrong with the store itself. */
export class StoreAway extends CommandError {
  override name = 'StoreAway';
  readonly why: 'in-use' | 'cannot-start' | 'cannot-open' | 'no-answer';
  /** The message without the advice. */
  readonly says: string;

  constructor(why: StoreAway['why'], says: string, advice = '') {
    super(`${says}${advice}`);
    this.why = why;
    this.says = says;
  }
}

/**
 * Opens the store for one piece of work: through the running server's engine, or through its own engine if no
 * server is running on the folder. `isServerRunning` says which. If a server starts in the meantime, it
 * accepts records, and its engine waits.
 */
export async function withStore<T>(input: Input, work: Work<T>, given: Partial<Patience> = {}) {
  const patience = { ...patient, ...given };
  const log = openLog({ level: 'error', isTerminal: false, to: 'stderr' });
  const { config } = input;
  const outside = readOutsideStore(config);
  checkStorePlace(dataFolder(config.dataDir), outside);
  if (outside !== undefined) return await atOutsideStore(input, outside, work, log);
  if (isServerRunning(config.dataDir)) return await throughServer(input, work, patience, log);
  const workHere = async (store: Store) => ({ result: await work(store, false) });
  const done = await withOwnEngine(input, workHere, patience);
  return done === undefined ? await throughServer(input, work, patience, log) : done.result;
}

/** Runs an engine on the store in the data folder. Undefined if a server was started in the meantime and has it. */
export async function withOwnEngine<T>(
  input: Input,
  work: (store: Store) => Promise<T>,
  patience = patient,
): Promise<T | undefined> {
  const log = openLog({ level: 'error', isTerminal: false, to: 'stderr' });
  const { config, clock } = input;
  const folder = dataFolder(config.dataDir);
  const engine = superviseEngine({
    folder: folder.store,
    socketPath: folder.commandSocket,
    maxMemoryBytes: config.engineMaxMemoryBytes,
    sessions: 1,
    command: `trackside ${input.name}`,
    clock,
    log,
  });
  const store = openStore({ socketPath: folder.commandSocket, use: 'asking', log });
  try {
    if (!(await becomesReady(engine, input, patience))) return undefined;
    await store.migrate();
    return await work(store);
  } finally {
    await store.close();
    await engine.stop();
  }
}

/** Asks an outside store directly, whether a server is running or not. */
async function atOutsideStore<T>(
  { config }: Input,
  outside: OutsideStore,
  work: Work<T>,
  log: Log,
): Promise<T> {
  const store = openStore({ outside, use: 'asking', log });
  try {
    await reachOutside(outside);
    const isRunning = isServerRunning(config.dataDir);
    if (!isRunning || !(await store.isMigrated())) await store.migrate();
    return await work(store, isRunning);
  } finally {
    await store.close();
  }
}

/** Chooses the first host that answers. */
export async function reachOutside(outside: OutsideStore): Promise<void> {
  const faults: string[] = [];
  for (const url of outside.hosts.urls) {
    const host = openOutsideHost(outside, url);
    try {
      await host.startedAt();
      outside.hosts.choose(url);
      return;
    } catch (error) {
      faults.push(`${url}: ${error instanceof Error ? error.message : String(error)}`);
    } finally {
      await host.close();
    }
  }
  throw new StoreAway('no-answer', `The store does not answer (${faults.join('; ')})`);
}

async function throughServer<T>(
  { config, progress }: Input,
  work: Work<T>,
  { inUseMs, readyMs }: Patience,
  log: Log,
): Promise<T> {
  const folder = dataFolder(config.dataDir);
  const store = openStore({ socketPath: folder.engineSocket, use: 'asking', log });
  const beganMs = performance.now();
  let heldMs = beganMs;
  let seenMs = beganMs;
  let askedMs = beganMs;
  try {
    // A server that has just started creates its tables in the first seconds, or waits for another command.
    for (;;) {
      const isThere = await store.ping();
      if (isThere && (await store.isMigrated())) return await work(store, true);
      const waitedMs = performance.now() - beganMs;
      const holder = readHolder(folder.store);
      if (holder !== undefined) {
        heldMs = performance.now();
        seenMs = heldMs;
      }
      if (holder !== undefined && holder.command !== serverCommand) {
        const says = `The server is ${describeHolder(holder)}.`;
        if (waitedMs > inUseMs) throw new StoreAway('in-use', says);
        progress(says, { isPassing: true });
      } else if (!isThere && performance.now() - askedMs > changeOverMs) {
        const away = await askWhy(config);
        askedMs = performance.now();
        if (away instanceof StoreAway) {
          const isStale = askedMs - seenMs < lockedMs && waitedMs < inUseMs;
          const isPassing = away.why === 'in-use' && isStale;
          if (!isPassing) throw away;
          progress(away.says, { isPassing });
        }
        if (away !== undefined) heldMs = askedMs;
      }
      if (waitedMs > readyMs || (!isThere && performance.now() - heldMs > changeOverMs)) {
        const says = 'The server is running, but its engine does not respond';
        throw new StoreAway('no-answer', says, seeDoctor);
      }
      await delay(lookEveryMs);
    }
  } finally {
    await store.close();
  }
}

/** Returns the server's reason why its engine is away, or undefined if the server does not answer either. */
async function askWhy(config: CommandInput['config']): Promise<StoreAway | 'coming' | undefined> {
  const { health, isStarting } = await findServer(config);
  if (health === undefined) return isStarting ? 'coming' : undefined;
  const engine = health.degraded.find(({ part }) => part === 'engine');
  if (engine?.reason === undefined) return 'coming';
  const { state, reason } = engine;
  if (state === 'locked') return new StoreAway('in-use', `The server cannot open the store: ${reason}.`);
  if (state === 'cannot-start')
    return new StoreAway(state, `The server cannot start its engine: ${reason}`, seeDoctor);
  if (state === 'cannot-open')
    return new StoreAway(state, `The server cannot open the store: ${reason}`, seeDoctor);
  return 'coming';
}

/** Returns false if a server was started in the meantime and its engine has the store. */
async function becomesReady(
  engine: EngineSupervisor,
  input: Input,
  { inUseMs, readyMs }: Patience,
): Promise<boolean> {
  let before = engine.state().state;
  let sinceMs = performance.now();
  for (;;) {
    const { state, lastError = state } = engine.state();
    if (state === 'ready') return true;
    if (state === 'cannot-start') throw new StoreAway(state, `The engine cannot be started: ${lastError}.`);
    if (state === 'cannot-open')
      throw new StoreAway(state, `The store cannot be opened: ${lastError}`, seeDoctor);
    if (state !== before) sinceMs = performance.now();
    before = state;
    const waitedMs = performance.now() - sinceMs;
    if (state === 'locked') {
      if (isServerRunning(input.config.dataDir)) return false;
      if (waitedMs > inUseMs) throw new StoreAway('in-use', `The store is in use: ${lastError}.`);
      input.progress(lastError, { isPassing: true });
    } else if (waitedMs > readyMs) {
      throw new StoreAway(
        'cannot-start',
        `The engine was not ready within ${readyMs / 1000} s: ${lastError}.`,
      );
    }
    await delay(lookEveryMs);
  }
}
