/** The engine: a process of its own around chDB, so that no query and no crash of it can take intake down. */
import { chmodSync, rmSync } from 'node:fs';
import type { Server } from 'node:http';
import { flushCompileCache } from 'node:module';
import { setPriority } from 'node:os';
import { memoryShares } from './chdb-config.ts';
import { type EngineOptions, parseEngineOptions } from './engine-options.ts';
import { lockFolder } from './folder-lock.ts';
import { createHttpFront } from './http-front.ts';
import { openSessions } from './open-sessions.ts';
import { SessionPool } from './session-pool.ts';
import { StatementStopper } from './statement-stopper.ts';

const exitCodes = { 'bad-options': 64, 'cannot-listen': 71, 'cannot-open': 74, locked: 75 } as const;
type FailureReason = keyof typeof exitCodes;

const lockWaitMs = 10_000;
const stopWithinMs = 5_000;
const maxExecutionSeconds = 600;
const maxBodyBytes = 256 * 2 ** 20;
const maxWaitingQueries = 64;
/** Kept for statements that say of themselves that they take milliseconds, so that none of them waits for a long one. */
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
  dieWithParent();
  const options = await failingAs('bad-options', () => parseEngineOptions(process.argv.slice(2)));
  // Before chDB starts its threads, which inherit it: intake and the dashboard come first.
  setPriority(0, 10);
  process.umask(0o077);
  await failingAs('cannot-open', () => lock(options.folder));
  const memory = memoryShares(options.maxMemoryBytes);
  const { sessions, brokenParts } = await failingAs('cannot-open', () =>
    openSessions({ folder: options.folder, count: options.sessions + 2 + quickSessions, memory }),
  );
  // One session is kept for loading, so that no query ever stands before an INSERT.
  const inserts = new SessionPool(sessions.splice(0, 1), maxWaitingInserts);
  const quick = new SessionPool(sessions.splice(0, quickSessions), maxWaitingQueries);
  // And one for stopping what runs on the others.
  const stopping = new SessionPool(sessions.splice(0, 1), maxWaitingQueries);
  const queries = new SessionPool(sessions, maxWaitingQueries);
  const stopper = new StatementStopper(stopping);
  const caps = { maxExecutionSeconds, maxMemoryBytes: memory.queryBytes };
  const server = createHttpFront({
    ...{ queries, quick, inserts, stopper, caps, maxBodyBytes },
    onFatal: dieOfFatalError,
  });
  await failingAs('cannot-listen', () => listen(server, options));
  process.once('SIGTERM', () => void stop(server, [queries, quick, inserts, stopping]));
  process.send?.({ type: 'ready', brokenParts });
  // Written by default at a regular exit only, and an engine may be killed instead.
  flushCompileCache();
}

/** The store survives a kill at any moment, and a second engine must not find this one still running. */
function dieWithParent(): void {
  process.once('disconnect', () => process.kill(process.pid, 'SIGKILL'));
}

/**
 * After a fault inside it chDB refuses everything for good, so the supervisor has to start a new process. What chDB says of
 * it may quote a statement, and this goes into the log.
 */
function dieOfFatalError(code: number): void {
  process.stderr.write(`engine ends itself: chDB has failed as a whole (code ${code})\n`);
  process.kill(process.pid, 'SIGKILL');
}

async function lock(folder: string): Promise<void> {
  const held = await lockFolder(folder, lockWaitMs);
  if (held === undefined) throw new StartFailure('locked', `${folder}: another engine has this store open`);
  // Never released before the process ends: chDB's threads write until then.
  process.once('exit', () => held.release());
}

async function listen(server: Server, { socketPath }: EngineOptions): Promise<void> {
  // Whoever made it is gone, because this process has the folder's lock.
  rmSync(socketPath, { force: true });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(socketPath, resolve);
  });
  chmodSync(socketPath, 0o600);
}

async function stop(server: Server, pools: SessionPool[]): Promise<void> {
  setTimeout(() => process.kill(process.pid, 'SIGKILL'), stopWithinMs);
  server.close();
  server.closeIdleConnections();
  await Promise.all(pools.map((pool) => pool.close()));
  process.exit(0);
}

async function failingAs<Value>(reason: FailureReason, work: () => Value | Promise<Value>): Promise<Value> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof StartFailure) throw error;
    throw new StartFailure(reason, error instanceof Error ? error.message : String(error));
  }
}

function giveUp(error: unknown): void {
  const reason = error instanceof StartFailure ? error.reason : 'cannot-open';
  const message = error instanceof Error ? error.message : String(error);
  process.stderr.write(`engine cannot start (${reason}): ${message}\n`);
  const end = () => process.exit(exitCodes[reason]);
  if (process.send === undefined) end();
  else process.send({ type: 'failed', reason, message }, end);
}

start().catch(giveUp);
