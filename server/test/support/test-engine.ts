import { mkdtempSync, rmSync } from 'node:fs';
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { serverCommand } from '../../src/files/store-holder.ts';
import type { EnginePriority } from '../../src/node/engine-priority.ts';
import { type EngineSupervisor, superviseEngine } from '../../src/node/supervise-engine.ts';
import { systemClock } from '../../src/time/clock.ts';
import { shareCompiledCode } from './share-compiled-code.ts';
import { waitFor } from './wait-for.ts';

export type Answer = { status: number; headers: IncomingHttpHeaders; body: string };

type RequestOptions = {
  method?: string;
  body?: string;
  signal?: AbortSignal;
  headers?: Record<string, string>;
};

export type TestEngine = {
  root: string;
  folder: string;
  socketPath: string;
  supervisor: EngineSupervisor;
  request(path: string, options?: RequestOptions): Promise<Answer>;
  stop(): Promise<void>;
};

export const silentLog = pino({ level: 'silent' });

/** Starts a real engine on its own folder, for tests. */
export async function startTestEngine(
  options: {
    root?: string;
    sessions?: number;
    maxMemoryBytes?: number;
    command?: string;
    priority?: EnginePriority;
    starvedAfterMs?: number;
    /** Called before the engine is started. */
    prepare?: (folder: string) => Promise<void>;
  } = {},
): Promise<TestEngine> {
  const root = options.root ?? mkdtempSync(join(tmpdir(), 'trackside-engine-'));
  const folder = join(root, 'store');
  const socketPath = join(root, 'engine.sock');
  shareCompiledCode(folder);
  await options.prepare?.(folder);
  const supervisor = superviseEngine({
    folder,
    socketPath,
    maxMemoryBytes: options.maxMemoryBytes ?? 2 ** 30,
    sessions: options.sessions ?? 3,
    command: options.command ?? serverCommand,
    priority: options.priority,
    ...(options.starvedAfterMs !== undefined && { starvedAfterMs: options.starvedAfterMs }),
    log: silentLog,
    clock: systemClock,
  });
  await untilReady(supervisor);
  return {
    root,
    folder,
    socketPath,
    supervisor,
    request: (path, init = {}) => askSocket(socketPath, path, init),
    stop: async () => {
      await supervisor.stop();
      rmSync(root, { recursive: true, force: true });
    },
  };
}

export async function untilReady(supervisor: EngineSupervisor): Promise<void> {
  await until(() => supervisor.state().state === 'ready', 'the engine to be ready');
}

export function until(
  holds: () => boolean | Promise<boolean>,
  what: string,
  withinMs?: number,
): Promise<void> {
  return waitFor(what, holds, withinMs);
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

function askSocket(
  socketPath: string,
  path: string,
  { method = 'POST', body = '', signal, headers = {} }: RequestOptions,
): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const options = { socketPath, path, method, headers, ...(signal && { signal }) };
  const request = httpRequest(options, (response) => {
    const chunks: Buffer[] = [];
    response.on('data', (chunk: Buffer) => chunks.push(chunk));
    response.on('error', reject);
    response.on('end', () =>
      resolve({
        status: response.statusCode ?? 0,
        headers: response.headers,
        body: Buffer.concat(chunks).toString('utf8'),
      }),
    );
  });
  request.on('error', reject);
  request.end(body);
  return promise;
}
