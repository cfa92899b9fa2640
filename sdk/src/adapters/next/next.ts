import type { WaitUntil } from '../../client/tracker.ts';
import { createEventTracker, type EventTrackerOptions } from '../../handler/create-event-tracker.ts';
import { createHandler } from '../../handler/create-handler.ts';
import type { HandlerOptions } from '../../handler/handler-options.ts';
import type { EventParameters } from '../../record/metrics.ts';
import { toIncomingRecord, toIncomingRequest, toResponse } from '../web/web-request.ts';

export type { EventTrackerOptions } from '../../handler/create-event-tracker.ts';
export type { HandlerOptions } from '../../handler/handler-options.ts';

/** `after` from `next/server`: keeps a serverless function running until the record is sent. */
type AfterOption = { after?: WaitUntil };
export type RouteOptions<R> = Omit<HandlerOptions<R>, 'path'> & AfterOption;
export type Route<R> = Record<'GET' | 'HEAD' | 'POST' | 'OPTIONS', (request: R) => Promise<Response>>;

/**
 * Creates the endpoint as a Next.js route: `export const { GET, POST } = createRoute({ … })` in
 * `app/side/route.ts`.
 */
export function createRoute<R extends Request>(options: RouteOptions<R>): Route<R> {
  const handler = createHandler(options);
  const { after } = options;
  const answer = async (request: R) =>
    toResponse(await handler.handle(toIncomingRecord(request, undefined), request, { waitUntil: after }));
  return { GET: answer, HEAD: answer, POST: answer, OPTIONS: answer };
}

/**
 * Creates a function for events that the backend knows about: `trackEvent(request, 'Order paid', { total: 44
 * })`. The event belongs to the visitor of that request.
 */
export function trackEvents<R extends Request>(
  options: EventTrackerOptions<R> & AfterOption,
): (request: R, name: string, parameters?: EventParameters) => void {
  const tracker = createEventTracker(options);
  const { after } = options;
  return (request, name, parameters = {}) => {
    tracker.track(toIncomingRequest(request, undefined), request, { name, parameters }, { waitUntil: after });
  };
}
