import type { WaitUntil } from '../../client/tracker.ts';
import { createEventTracker, type EventTrackerOptions } from '../../handler/create-event-tracker.ts';
import { createHandler } from '../../handler/create-handler.ts';
import { createPageCounter } from '../../handler/create-page-counter.ts';
import type { HandlerOptions, PageCounterOptions } from '../../handler/handler-options.ts';
import type { EventParameters } from '../../record/metrics.ts';
import type { IncomingRecord } from '../../request/incoming-request.ts';
import { toIncomingRecord, toIncomingRequest, toResponse } from '../web/web-request.ts';

export type { EventTrackerOptions } from '../../handler/create-event-tracker.ts';
export type { HandlerOptions, PageCounterOptions } from '../../handler/handler-options.ts';

/** The part of Hono's context that we need. */
export type HonoContext = {
  req: { raw: Request; path: string; text(): Promise<string> };
  res: Response;
  env: unknown;
  /** Throws if the runtime has none. */
  readonly executionCtx: { waitUntil(work: Promise<unknown>): void };
};
export type HonoMiddleware<C> = (c: C, next: () => Promise<void>) => Promise<Response | undefined>;

/**
 * Needed on runtimes other than Node: `peer: (c) => getConnInfo(c).remote.address`, with Hono's helper for
 * the runtime.
 */
type PeerOption<C> = { peer?: (c: C) => string | undefined };

/**
 * Creates the endpoint: `app.use(trackside({ … }))`. `path` is the whole path, even in an app that is mounted
 * below another.
 */
export function trackside<C extends HonoContext>(
  options: HandlerOptions<C> & PeerOption<C>,
): HonoMiddleware<C> {
  const handler = createHandler(options);
  const { peer = readPeer } = options;
  return async (c, next) => {
    if (handler.matches(c.req.path)) {
      return toResponse(
        await handler.handle(toRecord(c, askPeer(peer, c)), c, { waitUntil: findWaitUntil(c) }),
      );
    }
    await next();
    return undefined;
  };
}

/** Counts pages without a script: `app.use(countPages({ … }))`, before the routes. */
export function countPages<C extends HonoContext>(
  options: PageCounterOptions<C> & PeerOption<C>,
): HonoMiddleware<C> {
  const counter = createPageCounter(options);
  const { peer = readPeer } = options;
  return async (c, next) => {
    // Read before the answer, because the connection may be gone after it.
    const request = c.req.raw.method === 'GET' ? toIncomingRequest(c.req.raw, askPeer(peer, c)) : undefined;
    await next();
    if (request === undefined || !counter.isCandidate(request)) return undefined;
    const contentType = c.res.headers.get('content-type') ?? undefined;
    counter.count(request, { status: c.res.status, contentType }, c, { waitUntil: findWaitUntil(c) });
    return undefined;
  };
}

/**
 * Creates a function for events that the backend knows about: `trackEvent(c, 'Order paid', { total: 44 })`.
 * The event belongs to the visitor of that request.
 */
export function trackEvents<C extends HonoContext>(
  options: EventTrackerOptions<C> & PeerOption<C>,
): (c: C, name: string, parameters?: EventParameters) => void {
  const tracker = createEventTracker(options);
  const { peer = readPeer } = options;
  return (c, name, parameters = {}) => {
    const request = toIncomingRequest(c.req.raw, askPeer(peer, c));
    tracker.track(request, c, { name, parameters }, { waitUntil: findWaitUntil(c) });
  };
}

/** Converts the request. Hono keeps a body that was already read, in whatever form. */
function toRecord(c: HonoContext, peer: string | undefined): IncomingRecord {
  const record = toIncomingRecord(c.req.raw, peer);
  if (!c.req.raw.bodyUsed) return record;
  return {
    ...record,
    async readText(maxBytes) {
      const text = await c.req.text();
      return new TextEncoder().encode(text).length > maxBytes ? undefined : text;
    },
  };
}

/**
 * Returns the address of the other side. Hono's own helpers throw if there is no connection, and an unknown
 * address is reported later anyway.
 */
function askPeer<C>(peer: (c: C) => string | undefined, c: C): string | undefined {
  try {
    return peer(c);
  } catch {
    return undefined;
  }
}

/** Reads the address from where @hono/node-server puts it. */
function readPeer({ env }: HonoContext): string | undefined {
  const bindings = env as { incoming?: { socket?: { remoteAddress?: string } } } | undefined;
  return bindings?.incoming?.socket?.remoteAddress;
}

function findWaitUntil(c: HonoContext): WaitUntil | undefined {
  try {
    const { executionCtx } = c;
    return (work) => executionCtx.waitUntil(work);
  } catch {
    return undefined;
  }
}
