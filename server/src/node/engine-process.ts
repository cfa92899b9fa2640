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
  /** On whose behalf the store is held: others that wait for it are told. */
  command: string;
  log: Log;
  /** Called while another process holds the store, with who that is. */
  onWaiting: (says: string) => void;
  /** Called when the store is this engine's, and is being opened. */
  onOpening: () => void;
};

export type EngineExit = {
  wasReady: boolean;
  /**
   * What the engine itself gave as the reason, when it could; "cannot-start" when there was no process at
   * all.
   */
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
 * Both allocators, chDB's and Node's, told to give freed memory back. At rest after 20 batches of 20,000
 * rows, with chDB's alone: 384 MiB; with both: 323 MiB; with small thread caches as well: 313 MiB.
 */
const allocatorEnvironment = {
  JE_MALLOC_CONF:
    'percpu_arena:disabled,narenas:1,dirty_decay_ms:500,muzzy_decay_ms:0,' +
    'background_thread:true,prof:false,lg_tcache_max:12',
  MALLOC_ARENA_MAX: '2',
  MALLOC_MMAP_THRESHOLD_: '131072',
  MALLOC_TRIM_THRESHOLD_: '1048576',
};

/** Spare threads of Node's pool beside one for each session; a native call keeps its thread until it ends. */
const spareThreads = 3;
/** One for loading, three for quick statements, one to stop others; the engine makes them by itself. */
const keptSessions = 5;

export function startEngineProcess(options: EngineProcessOptions): EngineProcess {
  const { folder, socketPath, maxMemoryBytes, sessions, log } = options;
  const workingFolder = `${folder}.run`;
  mkdirSync(workingFolder, { recursive: true, mode: 0o700 });
  const child = spawn(
    process.execPath,
    [
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
    ],
    {
      cwd: workingFolder,
      // Nothing of our own environment: secrets in it are not the engine's business.
      env: {
        TZ: 'UTC',
        ...allocatorEnvironment,
        // From the second start on, Node need not load its TypeScript compiler: 17 MB less, and quicker.
        NODE_COMPILE_CACHE: join(workingFolder, 'compile-cache'),
        UV_THREADPOOL_SIZE: String(sessions + keptSessions + spareThreads),
      },
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    },
  );

  const ready = Promise.withResolvers<{ brokenParts: number }>();
  const exited = Promise.withResolvers<EngineExit>();
  // Before anything else: without a listener this event ends the node, and it may be all that comes of the
  // child.
  child.on('error', (error) => {
    if (child.pid !== undefined) log.warn({ err: error, pid: child.pid }, 'a message to the engine failed');
    else exited.resolve({ wasReady: false, reason: 'cannot-start', message: error.message });
  });

  // Before it is ready, the first line has the cause; later, what it said last is nearest to its end.
  let tellingLine: string | undefined;
  let failure: { reason: string; message: string } | undefined;
  let wasReady = false;
  let wasTold = false;
  // Not there when the system had no descriptor left for it.
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
      log.warn({ message }, 'ended an engine that a server had left behind');
  });
  // Not "exit": what it said last has been read by the time of "close".
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

/** What chDB writes may quote a statement with what somebody filters by: that is nobody's business. */
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
