/** The engine: a separate process around chDB, so that no query and no crash of chDB can take intake down. */
import { chmodSync, rmSync } from 'node:fs';
import type { Server } from 'node:http';
import { flushCompileCache } from 'node:module';
import { recordHolder } from '../files/store-holder.ts';
import { SystemFaultError } from '../files/system-fault.ts';
import { memoryShares } from './chdb-config.ts';
import { EngineError, faults } from './engine-error.ts';
import { type EngineOptions, parseEngineOptions } from './engine-options.ts';
import { lockFolder } from './folder-lock.ts';
import { createHttpFront } from './http-front.ts';
import { createKeptDefinitions, type KeptDefinitions } from './kept-definitions.ts';
import { lowerPriority } from './lower-priority.ts';
import { openSessions } from './open-sessions.ts';
import { SessionPool } from './session-pool.ts';
import { StatementStopper } from './statement-stopper.ts';
import { TableColumns } from './table-columns.ts';
import { watchParent } from './watch-parent.ts';

type FailureReason = 'bad-options' | 'cannot-listen' | 'cannot-open';

const stopWithinMs = 5_000;
const maxExecutionSeconds = 600;
const maxBodyBytes = 256 * 2 ** 20;
const maxWaitingQueries = 64;
/**
 * Reserved for statements that are marked as taking milliseconds, so that none of them waits for a long one.
 */
const quickSessions = 3;
const maxWaitingInserts = 16;

class StartFailure extends Error {
  readonly reason: FailureReason;

  constructor(reason: FailureReason, message: string) {
    super(message);
    this.reason = reason;
  }
}

async function start(): Promise<void> {
  process.once('disconnect', endNow);
  process.once('uncaughtException', dieOfUncaughtError);
  const options = await failingAs('bad-options', () => parseEngineOptions(process.argv.slice(2)));
  watchParent(options.parentPid);
  // This comes before chDB starts its threads, which inherit the priority: intake and the dashboard come
  // first.
  lowerPriority();
  process.umask(0o077);
  await failingAs('cannot-open', () => lock(options));
  const definitions = createKeptDefinitions(options.folder);
  await failingAs('cannot-open', () => restoreDefinitions(definitions));
  const memory = memoryShares(options.maxMemoryBytes);
  const tables = new TableColumns();
  const count = options.sessions + 2 + quickSessions;
  const { sessions, brokenParts } = await failingAs('cannot-open', () =>
    openSessions({ folder: options.folder, count, memory, tables }),
  );
  keepIfPossible(definitions);
  // One session is reserved for loading, so that an INSERT never waits behind a query.
  const inserts = new SessionPool(sessions.splice(0, 1), maxWaitingInserts);
  const quick = new SessionPool(sessions.splice(0, quickSessions), maxWaitingQueries);
  // Another one is reserved for stopping the statements that run on the others.
  const stopping = new SessionPool(sessions.splice(0, 1), maxWaitingQueries);
  const queries = new SessionPool(sessions, maxWaitingQueries);
  const stopper = new StatementStopper(stopping);
  const caps = { maxExecutionSeconds, maxMemoryBytes: memory.queryBytes };
  const server = createHttpFront({
    queries,
    quick,
    inserts,
    stopper,
    caps,
    maxBodyBytes,
    onFatal: dieOfFatalError,
    onTablesChanged: () => {
      tables.forget();
      checkDefinitions(definitions);
    },
  });
  await failingAs('cannot-listen', () => listen(server, options));
  process.once('SIGTERM', () => void stop(server, [queries, quick, inserts, stopping]));
  process.send?.({ type: 'ready', brokenParts });
  // By default this is written only at a regular exit, but an engine may be killed instead.
  flushCompileCache();
}

/**
 * The only way in which an engine ends. At a regular exit, chDB's destructors run at the same time as its own
 * threads, which crashes or hangs about one time in ten and leaves the store locked. The store survives a
 * kill at any moment.
 */
function endNow(): void {
  process.kill(process.pid, 'SIGKILL');
}

function dieOfUncaughtError(error: Error): void {
  process.stderr.write(`the engine stops: ${error.stack}\n`);
  endNow();
}

/**
 * After an internal fault, chDB refuses everything for good, so the supervisor has to start a new process.
 * chDB's message may quote a statement, so it must not get into the log.
 */
function dieOfFatalError(code: number): void {
  process.stderr.write(`the engine stops: chDB has failed as a whole (code ${code})\n`);
  endNow();
}

function restoreDefinitions(definitions: KeptDefinitions): void {
  const restored = definitions.restore();
  if (restored.length > 0) process.stderr.write(`restored lost definitions: ${restored.join(', ')}\n`);
}

/** Without space, the copies are as old as before. They are written after the next change of a table. */
function keepIfPossible(definitions: KeptDefinitions): void {
  try {
    definitions.keep();
  } catch (error) {
    process.stderr.write(`cannot copy the definitions of tables: ${(error as Error).message}\n`);
  }
}

/**
 * chDB's memory says that the change succeeded, and only the next start would see that it didn't. So the next
 * start is now, with the definition from before, and whoever sent the statement hears nothing and repeats it.
 */
function checkDefinitions(definitions: KeptDefinitions): void {
  const broken = definitions.findBroken();
  if (broken.length > 0) {
    process.stderr.write(`the engine stops: chDB could not write ${broken.join(', ')}; is the disk full?\n`);
    endNow();
  }
  try {
    definitions.keep();
  } catch (error) {
    throw new EngineError(faults.noSpace, `expected space for a definition: ${(error as Error).message}`);
  }
}

async function lock({ folder, parentPid, command }: EngineOptions): Promise<void> {
  const held = await lockFolder(folder, {
    onWaiting: (says) => process.send?.({ type: 'waiting', says }),
    onOrphan: (pid) => process.send?.({ type: 'orphan-ended', pid }),
  });
  // The lock is held until the process ends, because chDB's threads write until then. Without a reference to
  // it, it would be collected and released.
  process.once('exit', () => held.release());
  recordHolder(folder, { parentPid, command });
  process.send?.({ type: 'opening' });
}

async function listen(server: Server, { socketPath }: EngineOptions): Promise<void> {
  // The process that created the socket is gone, because this process has the folder's lock.
  rmSync(socketPath, { force: true });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(socketPath, resolve);
  });
  chmodSync(socketPath, 0o600);
}

/**
 * Waits a while for running statements to end. Nothing here calls into chDB: a call that hangs would block
 * the timer too.
 */
async function stop(server: Server, pools: SessionPool[]): Promise<void> {
  setTimeout(endNow, stopWithinMs);
  server.close();
  server.closeIdleConnections();
  await Promise.all(pools.map((pool) => pool.close()));
  tellAndEnd({ type: 'stopped' });
}

async function failingAs<Value>(reason: FailureReason, work: () => Value | Promise<Value>): Promise<Value> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof StartFailure) throw error;
    throw new StartFailure(reason, describeFault(error));
  }
}

/** Without a period at the end, because whoever reports it goes on with what to do. */
function describeFault(error: unknown): string {
  if (error instanceof SystemFaultError) return `${error.fault.says}; ${error.fault.todo}`;
  return error instanceof Error ? error.message : String(error);
}

function giveUp(error: unknown): void {
  const reason = error instanceof StartFailure ? error.reason : 'cannot-open';
  const message = error instanceof Error ? error.message : String(error);
  process.stderr.write(`engine cannot start (${reason}): ${message}\n`);
  tellAndEnd({ type: 'failed', reason, message });
}

function tellAndEnd(message: object): void {
  if (process.send === undefined) endNow();
  else process.send(message, endNow);
}

start().catch(giveUp);
