import type { WaitUntil } from '../../client/tracker.ts';
import { createEventTracker, type EventTrackerOptions } from '../../handler/create-event-tracker.ts';
import { createHandler } from '../../handler/create-handler.ts';
import { createPageCounter } from '../../handler/create-page-counter.ts';
import type { HandlerOptions, PageCounterOptions } from '../../handler/handler-options.ts';
import type { EventParameters } from '../../record/metrics.ts';
import { pathOf, toIncomingRecord, toIncomingRequest, toResponse } from './web-request.ts';

export type { EventTrackerOptions } from '../../handler/create-event-tracker.ts';
export type { HandlerOptions, PageCounterOptions } from '../../handler/handler-options.ts';

export type WebContext = {
  /** The address of the other side of the connection, if the runtime reveals it. */
  peer?: string | undefined;
  /** For runtimes that end with the answer: `(work) => ctx.waitUntil(work)`. */
  waitUntil?: WaitUntil | undefined;
};

/**
 * Creates the endpoint for runtimes that take a Request and return a Response. Returns undefined for a
 * request that is not ours.
 */
export function createWebHandler<R extends Request>(
  options: HandlerOptions<R>,
): (request: R, context?: WebContext) => Promise<Response | undefined> {
  const handler = createHandler(options);
  return async (request, { peer, waitUntil } = {}) => {
    if (!handler.matches(pathOf(request.url))) return undefined;
    return toResponse(await handler.handle(toIncomingRecord(request, peer), request, { waitUntil }));
  };
}

/** Counts pages without a script. Pass it the request and the response; it returns the response unchanged. */
export function countPages<R extends Request>(
  options: PageCounterOptions<R>,
): (request: R, response: Response, context?: WebContext) => Response {
  const counter = createPageCounter(options);
  return (request, response, { peer, waitUntil } = {}) => {
    const incoming = toIncomingRequest(request, peer);
    if (counter.isCandidate(incoming)) {
      const contentType = response.headers.get('content-type') ?? undefined;
      counter.count(incoming, { status: response.status, contentType }, request, { waitUntil });
    }
    return response;
  };
}

/**
 * Creates a function for events that the backend knows about: `trackEvent(request, 'Order paid', { total: 44
 * })`. The event belongs to the visitor of that request.
 */
export function trackEvents<R extends Request>(
  options: EventTrackerOptions<R>,
): (request: R, name: string, parameters?: EventParameters, context?: WebContext) => void {
  const tracker = createEventTracker(options);
  return (request, name, parameters = {}, { peer, waitUntil } = {}) => {
    tracker.track(toIncomingRequest(request, peer), request, { name, parameters }, { waitUntil });
  };
}
