import { trackingLengths } from '@trackside/contract/tracking/lengths.ts';
import { completeLocation } from '../location/complete-location.ts';
import type { LocationSource } from '../location/location-source.ts';
import type { Location, Metrics } from '../record/metrics.ts';
import type { IncomingRequest } from '../request/incoming-request.ts';
import type { FaultReporter } from './fault-reporter.ts';
import type { HandlerOptions } from './handler-options.ts';
import { withinMs } from './within-ms.ts';

/** What is known about a visit without asking any callback. */
export type Visit = {
  ip: string;
  language: string;
  page: string;
  referrer: string | null;
  width: number;
  height: number;
};

export type VisitorDescriber<R> = (visit: Visit, request: IncomingRequest, original: R) => Promise<Metrics>;

const { userAgent: maxUserAgentLength, clientId: maxClientIdLength } = trackingLengths;
/** A customer's callback may hang; the record is worth more than what it would have added. */
const callbackLimitMs = 2000;

/** Adds what the customer's callbacks return. If they fail, the record is sent without it. */
export function createVisitorDescriber<R>(
  { location, clientId }: Pick<HandlerOptions<R>, 'location' | 'clientId'>,
  { reportNowAndThen }: FaultReporter,
): VisitorDescriber<R> {
  const sources = location === undefined ? [] : [location].flat();

  /** Returns the value, or undefined if the callback fails or takes too long. */
  async function ask<T>(what: string, work: () => T | Promise<T>): Promise<T | undefined> {
    try {
      const begun = work();
      return isThenable(begun) ? await withinMs(Promise.resolve(begun), callbackLimitMs, what) : begun;
    } catch (cause) {
      // A callback that fails usually does so for every visitor.
      reportNowAndThen(
        what,
        () => new Error(`${what}: failed, so the record was sent without it`, { cause }),
      );
      return undefined;
    }
  }

  async function locate(request: IncomingRequest, ip: string): Promise<Location> {
    let first: Location | undefined;
    for (const source of sources as LocationSource[]) {
      const found = completeLocation(await ask('location', () => source(request, ip)));
      if (found.CountryCode != null) return found;
      first ??= found;
    }
    return first ?? completeLocation(undefined);
  }

  async function identify(original: R): Promise<string | null> {
    const id: unknown = await ask('clientId', () => clientId?.(original));
    if (id === undefined || id === null || id === '') return null;
    // Account numbers from a database are not always strings.
    const text = typeof id === 'number' || typeof id === 'bigint' ? String(id) : id;
    if (typeof text === 'string' && text.length <= maxClientIdLength) return text;
    const got = typeof text === 'string' ? `one of ${text.length}` : `a value of type ${typeof text}`;
    reportNowAndThen(
      'clientId',
      () =>
        new Error(
          `clientId: expected a string of at most ${maxClientIdLength} characters, got ${got}; ` +
            'the record was sent without it',
        ),
    );
    return null;
  }

  return async (visit, request, original) => {
    const [Location, ClientId] = await Promise.all([locate(request, visit.ip), identify(original)]);
    return {
      Browser: {
        IP: visit.ip,
        UserAgent: (request.header('user-agent') ?? '').slice(0, maxUserAgentLength),
      },
      Identify: { ClientId },
      Language: { Code: visit.language },
      Page: { Absolute: visit.page },
      Referrer: { Absolute: visit.referrer },
      Screen: { Width: visit.width, Height: visit.height },
      Location,
    };
  };
}

/** Accepts more than promises, because some database clients return their own objects that can be awaited. */
function isThenable<T>(value: T | Promise<T>): value is Promise<T> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function';
}
