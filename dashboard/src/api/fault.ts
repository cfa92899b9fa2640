import { type AppFaultCode, appFaults } from '@trackside/contract/app/fault-codes.ts';
import type { StatsFaultCode } from '@trackside/contract/stats/fault-codes.ts';
import type { WebsiteSettings } from './shapes.ts';

/** The reasons that the server gives. Decisions depend on them, never on the wording of a message. */
export type FaultCode = AppFaultCode | StatsFaultCode;

type Reason = {
  /** The server's own sentence, in English. `useSpellFault` has one in the language of the page. */
  message: string;
  /** Undefined when the answer has none, or when there was no answer. */
  code: FaultCode | undefined;
};

/** Every way in which a request can fail. */
export type Fault = Reason &
  (
    | { kind: 'unreachable' | 'signed-out' | 'forbidden' | 'not-found' | 'broken' }
    | { kind: 'unavailable' | 'throttled'; waitSeconds: number }
    | { kind: 'invalid'; fields: Readonly<Record<string, string>> }
    | { kind: 'conflict'; current: WebsiteSettings | null }
  );

export type Answer<Value> = { isOk: true; value: Value } | { isOk: false; fault: Fault };

export const ok = <Value>(value: Value): Answer<Value> => ({ isOk: true, value });

export const unreachable: Fault = {
  kind: 'unreachable',
  message: 'The server can’t be reached.',
  code: undefined,
};

type Body = { message?: unknown; fault?: unknown; fields?: unknown; current?: unknown };

/** Turns a status into a fault. This is the only place that does. */
export function toFault(status: number, body: unknown, retryAfter: string | null): Fault {
  const came = (typeof body === 'object' && body !== null ? body : {}) as Body;
  const { fields, current } = came;
  const hasMessage = typeof came.message === 'string';
  const message = hasMessage ? (came.message as string) : `The server answered ${status}.`;
  const reason: Reason = { message, code: isFaultCode(came.fault) ? came.fault : undefined };
  const waitSeconds = Math.max(1, Number(retryAfter) || 1);
  if (status === 401) return { kind: 'signed-out', ...reason };
  if (status === 403) return { kind: 'forbidden', ...reason };
  if (status === 404) return { kind: 'not-found', ...reason };
  if (status === 409)
    return { kind: 'conflict', ...reason, current: (current ?? null) as WebsiteSettings | null };
  if (status === 429) return { kind: 'throttled', ...reason, waitSeconds };
  if (status === 400) return { kind: 'invalid', ...reason, fields: (fields ?? {}) as Record<string, string> };
  if (status === 503 && hasMessage) return { kind: 'unavailable', ...reason, waitSeconds };
  // A proxy answers for a node that is not running.
  if (status >= 502 && status <= 504) return unreachable;
  return { kind: 'broken', ...reason };
}

/** The settings API has every code of the statistics too. */
const isFaultCode = (code: unknown): code is FaultCode =>
  typeof code === 'string' && Object.hasOwn(appFaults, code);
