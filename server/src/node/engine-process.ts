import { spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import type { Log } from '../log.ts';
import { readLines } from './read-lines.ts';

export type EngineProcessOptions = {
  folder: string;
  socketPath: string;
  maxMemoryBytes: number;
  sessions: number;
  /** The command that holds the store. Others who wait for the store are told about it. */
  command: string;
  log: Log;
  /** Called while another process holds the store, with a description of that process. */
  onWaiting: (says: string) => void;
  /** Called when this engine has the store and is opening it. */
  onOpening: () => void;
};

export type EngineExit = {
  wasReady: boolean;
  /** The reason that the engine gave, if it could. "cannot-start" if there was no process at all. */
  reason: string | undefined;
  message: string;
};

export type EngineProcess = {
  pid: number | undefined;
  /** Never settles when the engine ends before it is ready. */
  ready: Promise<{ brokenParts: number }>;
  /** Never rejects. */
  exited: Promise<EngineExit>;
  kill(signal: 'SIGTERM' | 'SIGKILL'): void;
};

/**
 * Both allocators, chDB's and Node's, are told to return freed memory. At rest after 20 batches of 20,000
 * rows, the engine takes 384 MiB if only chDB's does, 323 MiB if both do, and 313 MiB with small thread
 * caches as well.
 */
const allocatorEnvironment = {
  JE_MALLOC_CONF:
    'percpu_arena:disabled,narenas:1,dirty_decay_ms:500,muzzy_decay_ms:0,' +
    'background_thread:true,prof:false,lg_tcache_max:12',
  MALLOC_ARENA_MAX: '2',
  MALLOC_MMAP_THRESHOLD_: '131072',
  MALLOC_TRIM_THRESHOLD_: '1048576',
};

/**
 * Node's pool has one thread for each session and these spare ones. A native call keeps its thread until it
 * ends.
 */
const spareThreads = 3;
/** One for loading, three for quick statements, and one to stop others. The engine creates them itself. */
const keptSessions = 5;

export function startEngineProcess(options: EngineProcessOptions): EngineProcess {
  const { folder, socketPath, maxMemoryBytes, sessions, log } = options;
  const workingFolder = `${folder}.run`;
  mkdirSync(workingFolder, { recursive: true, mode: 0o700 });
  const args = [
    '--max-semi-space-size=1',
    '--disable-warning=ExperimentalWarning',
    fileURLToPath(new URL('../engine/main.ts', import.meta.url)),
    '--folder',
    folder,
    '--socket',
    socketPath,
    '--max-memory-bytes',
    String(maxMemoryBytes),
    '--sessions',
    String(sessions),
    '--parent',
    String(process.pid),
    '--command',
    options.command,
  ];
  const child = spawn(process.execPath, args, {
    cwd: workingFolder,
    // The engine gets no other variable of our own environment, because it must not see secrets in them.
    env: {
      TZ: 'UTC',
      PATH: process.env.PATH,
      ...allocatorEnvironment,
      // From the second start on, Node doesn't have to load its TypeScript compiler, which saves 17 MB and
      // some time.
      NODE_COMPILE_CACHE: join(workingFolder, 'compile-cache'),
      UV_THREADPOOL_SIZE: String(sessions + keptSessions + spareThreads),
    },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });

  const ready = Promise.withResolvers<{ brokenParts: number }>();
  const exited = Promise.withResolvers<EngineExit>();
  // This listener comes first: without one this event ends the node, and it may be the only event that the
  // child emits.
  child.on('error', (error) => {
    if (child.pid !== undefined)
      log.warn({ err: error, pid: child.pid }, 'cannot send a message to the engine');
    else exited.resolve({ wasReady: false, reason: 'cannot-start', message: error.message });
  });

  // Before the engine is ready, its first line has the cause. Later, its last line is closest to the end.
  let tellingLine: string | undefined;
  let failure: { reason: string; message: string } | undefined;
  let wasReady = false;
  let wasTold = false;
  // Undefined if the system had no descriptor left for it.
  const stderr: Readable | null | undefined = child.stderr;
  if (stderr) {
    readLines(stderr, (said) => {
      const line = hideQuoted(said);
      if (wasReady || tellingLine === undefined) tellingLine = line;
      log.warn({ pid: child.pid, line }, 'the engine says');
    });
  }
  child.on('message', (message) => {
    if (isReadyMessage(message)) {
      wasReady = true;
      tellingLine = undefined;
      ready.resolve({ brokenParts: message.brokenParts });
    } else if (isFailedMessage(message)) failure = message;
    else if (isWaitingMessage(message)) options.onWaiting(message.says);
    else if (hasType(message, 'opening')) options.onOpening();
    else if (hasType(message, 'stopped')) wasTold = true;
    else if (hasType(message, 'orphan-ended'))
      log.warn({ message }, 'ended an engine left over from an earlier server');
  });
  // At "close" its last output has been read. At "exit" it may not have been.
  child.once('close', (code, signal) => {
    const end = failure?.message ?? (wasTold ? 'was told to end' : `ended with ${signal ?? `code ${code}`}`);
    const message = tellingLine === undefined || tellingLine.includes(end) ? end : `${end}: ${tellingLine}`;
    exited.resolve({ wasReady, reason: failure?.reason, message });
  });

  return {
    pid: child.pid,
    ready: ready.promise,
    exited: exited.promise,
    kill: (signal) => void child.kill(signal),
  };
}

/** chDB's output may quote a statement with the values of a filter, which nobody else should see. */
export function hideQuoted(line: string): string {
  return line
    .replace(/\b(?:in )?query:.*|\bparam_\w+.*/is, 'query: …')
    .replaceAll(/'(?:[^'\\]|\\.)*(?:'|$)|"(?:[^"\\]|\\.)*(?:"|$)|`(?:[^`\\]|\\.)*(?:`|$)/gs, '…');
}

function isReadyMessage(message: unknown): message is { type: 'ready'; brokenParts: number } {
  return hasType(message, 'ready') && 'brokenParts' in message && typeof message.brokenParts === 'number';
}

function isFailedMessage(message: unknown): message is { type: 'failed'; reason: string; message: string } {
  return hasType(message, 'failed') && 'reason' in message && 'message' in message;
}

function isWaitingMessage(message: unknown): message is { type: 'waiting'; says: string } {
  return hasType(message, 'waiting') && 'says' in message && typeof message.says === 'string';
}

function hasType(message: unknown, type: string): message is object {
  return typeof message === 'object' && message !== null && 'type' in message && message.type === type;
}
