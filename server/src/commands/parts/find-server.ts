import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import type { Config } from '../../config/config.ts';
import { dataFolder } from '../../files/data-folder.ts';
import { isHalfRestored } from '../../files/half-restored.ts';
import { isServerRunning } from '../server/is-server-running.ts';

/** A busy machine may take seconds for what usually takes milliseconds. */
const answerWithinMs = 10_000;
const retryEveryMs = 100;
const everyAddress: Record<string, string> = { '0.0.0.0': '127.0.0.1', '::': '::1' };

/** What a server reports about itself at /health. */
export type ServerHealth = {
  isAccepting: boolean;
  /** `why` is for people; the other members are for programs. */
  degraded: { part: string; why: string; state?: string; reason?: string; damage?: string }[];
};

/**
 * The server that runs on a data folder. It has no origin when it does not answer, or when its address is
 * unknown.
 */
export type FoundServer = {
  isRunning: boolean;
  /** Whether the server has yet to write down its address. */
  isStarting: boolean;
  /** The origin for a browser on this machine. */
  origin: string | undefined;
  health: ServerHealth | undefined;
};

/**
 * Asks the server at the address that it wrote down. If the server could not write it down, asks at the
 * address in the settings.
 */
export async function findServer({ dataDir, host, port }: Config): Promise<FoundServer> {
  if (!isServerRunning(dataDir))
    return { isRunning: false, isStarting: false, origin: undefined, health: undefined };
  const written = await readOrigin(dataFolder(dataDir).origin);
  if (written !== undefined) {
    const health = await askPatiently(written);
    if (health !== undefined) return { isRunning: true, isStarting: false, origin: written, health };
  }
  const origin = originOf(host, port);
  const health = await ask(origin, answerWithinMs);
  const isStarting = written === undefined && health === undefined;
  return { isRunning: true, isStarting, origin: health && origin, health };
}

/** Returns the origin of a server that waits until a restore into the folder is finished. It doesn't hold the folder. */
export async function findWaitingServer({ dataDir, host, port }: Config): Promise<string | undefined> {
  const folder = dataFolder(dataDir);
  if (!isHalfRestored(folder)) return undefined;
  const origin = (await readOrigin(folder.origin)) ?? originOf(host, port);
  const health = await ask(origin, answerWithinMs);
  return health?.degraded.some(({ state }) => state === 'restoring') === true ? origin : undefined;
}

/** The written address, for a browser on this machine. */
async function readOrigin(file: string): Promise<string | undefined> {
  const written = await readFile(file, 'utf8').catch(() => '');
  const url = URL.parse(written);
  return url === null ? undefined : originOf(url.hostname.replace(/^\[(.*)\]$/, '$1'), url.port);
}

function originOf(host: string, port: number | string): string {
  const shownHost = everyAddress[host] ?? host;
  return `http://${shownHost.includes(':') ? `[${shownHost}]` : shownHost}:${port}`;
}

/**
 * Asks until the time is up. A server without a free file descriptor closes connections at once, and a later
 * attempt may succeed.
 */
async function askPatiently(origin: string): Promise<ServerHealth | undefined> {
  const startMs = performance.now();
  for (;;) {
    const leftMs = answerWithinMs - (performance.now() - startMs);
    if (leftMs <= 0) return undefined;
    const health = await ask(origin, leftMs);
    if (health !== undefined) return health;
    await delay(retryEveryMs);
  }
}

/** Returns undefined when nobody answers at the origin, or when something other than Trackside does. */
async function ask(origin: string, withinMs: number): Promise<ServerHealth | undefined> {
  try {
    const response = await fetch(`${origin}/health`, { signal: AbortSignal.timeout(Math.ceil(withinMs)) });
    const { degraded } = (await response.json()) as { degraded?: unknown };
    return Array.isArray(degraded) ? { isAccepting: response.ok, degraded } : undefined;
  } catch {
    return undefined;
  }
}
