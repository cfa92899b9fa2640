import type { Config } from '../../config.ts';
import { isServerRunning } from './is-server-running.ts';

const answerWithinMs = 2_000;
const everyAddress: Record<string, string> = { '0.0.0.0': '127.0.0.1', '::': '::1' };

/** Where a browser on this machine finds the server: undefined where it listens elsewhere than the settings here say. */
export type FoundServer = { isRunning: boolean; origin: string | undefined };

/** A running server tells nobody its address, so the one of the settings is tried. */
export async function findServerOrigin({ dataDir, host, port }: Config): Promise<FoundServer> {
  if (!isServerRunning(dataDir)) return { isRunning: false, origin: undefined };
  const shownHost = everyAddress[host] ?? host;
  const origin = `http://${shownHost.includes(':') ? `[${shownHost}]` : shownHost}:${port}`;
  return { isRunning: true, origin: (await isTrackside(origin)) ? origin : undefined };
}

async function isTrackside(origin: string): Promise<boolean> {
  try {
    const response = await fetch(`${origin}/health`, { signal: AbortSignal.timeout(answerWithinMs) });
    const { Degraded } = (await response.json()) as { Degraded?: unknown };
    return Array.isArray(Degraded);
  } catch {
    return false;
  }
}
