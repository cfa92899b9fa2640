import type { WebsiteSettings } from './shapes.ts';

/** Every way in which a request can fail. */
export type Fault =
  | {
      kind: 'unreachable' | 'signed-out' | 'forbidden' | 'not-found' | 'broken';
      message: string;
    }
  | {
      kind: 'unavailable';
      message: string;
      waitSeconds: number;
      /** The reason as a code of the contract. No decision depends on the wording of the message. */
      code: string | undefined;
    }
  | { kind: 'invalid'; message: string; fields: Readonly<Record<string, string>> }
  | { kind: 'conflict'; message: string; current: WebsiteSettings | null }
  | { kind: 'throttled'; message: string; waitSeconds: number };

export type Answer<Value> = { isOk: true; value: Value } | { isOk: false; fault: Fault };

export const ok = <Value>(value: Value): Answer<Value> => ({ isOk: true, value });

export const unreachable: Fault = {
  kind: 'unreachable',
  message: 'The server cannot be reached. Check your connection; nothing you typed is lost.',
};

type Body = { message?: unknown; fault?: unknown; fields?: unknown; current?: unknown };

/** Turns a status into a fault. This is the only place that does. */
export function toFault(status: number, body: unknown, retryAfter: string | null): Fault {
  const came = (typeof body === 'object' && body !== null ? body : {}) as Body;
  const { fault, fields, current } = came;
  const message = typeof came.message === 'string' ? came.message : `The server answered ${status}.`;
  if (status === 401) return { kind: 'signed-out', message };
  if (status === 403) return { kind: 'forbidden', message };
  if (status === 404) return { kind: 'not-found', message };
  if (status === 409)
    return { kind: 'conflict', message, current: (current ?? null) as WebsiteSettings | null };
  const waitSeconds = Math.max(1, Number(retryAfter) || 1);
  if (status === 429) return { kind: 'throttled', message, waitSeconds };
  if (status === 400) return { kind: 'invalid', message, fields: (fields ?? {}) as Record<string, string> };
  if (status === 503 && typeof came.message === 'string') {
    const code = typeof fault === 'string' ? fault : undefined;
    return { kind: 'unavailable', message, waitSeconds, code };
  }
  // A proxy answers for a node that is not running.
  if (status >= 502 && status <= 504) return unreachable;
  return { kind: 'broken', message };
}
