import type { IncomingMessage, ServerResponse } from 'node:http';
import { createEventTracker, type EventTrackerOptions } from '../../handler/create-event-tracker.ts';
import { createHandler } from '../../handler/create-handler.ts';
import { createPageCounter } from '../../handler/create-page-counter.ts';
import type { HandlerOptions, PageCounterOptions } from '../../handler/handler-options.ts';
import type { EventParameters } from '../../record/metrics.ts';
import { answerNodeRequest } from '../node/answer-node-request.ts';
import { pathOf, toIncomingRequest } from '../node/node-request.ts';
import { watchNodePage } from '../node/watch-node-page.ts';

export type { EventTrackerOptions } from '../../handler/create-event-tracker.ts';
export type { HandlerOptions, PageCounterOptions } from '../../handler/handler-options.ts';

/** The part of Express's request that we need, in versions 4 and 5. */
export type ExpressRequest = IncomingMessage & { originalUrl: string };
export type ExpressMiddleware<R> = (req: R, res: ServerResponse, next: () => void) => void;

/**
 * Creates the endpoint: `app.use(trackside({ … }))`. `path` is relative to where it is mounted, or to the
 * root.
 */
export function trackside<R extends ExpressRequest>(options: HandlerOptions<R>): ExpressMiddleware<R> {
  const handler = createHandler(options);
  return (req, res, next) => {
    const target = req.originalUrl ?? req.url;
    if (handler.matches(pathOf(req.url)) || handler.matches(pathOf(target))) {
      answerNodeRequest(handler, req, res, target);
    } else next();
  };
}

/** Counts pages without a script: `app.use(countPages({ … }))`, before the routes. */
export function countPages<R extends ExpressRequest>(options: PageCounterOptions<R>): ExpressMiddleware<R> {
  const counter = createPageCounter(options);
  return (req, res, next) => {
    watchNodePage(counter, req, res, req.originalUrl ?? req.url, req);
    next();
  };
}

/**
 * Creates a function for events that the backend knows about: `trackEvent(request, 'Order paid', { total: 44
 * })`. The event belongs to the visitor of that request.
 */
export function trackEvents<R extends ExpressRequest>(
  options: EventTrackerOptions<R>,
): (req: R, name: string, parameters?: EventParameters) => void {
  const tracker = createEventTracker(options);
  return (req, name, parameters = {}) => {
    tracker.track(toIncomingRequest(req, req.originalUrl ?? req.url), req, { name, parameters });
  };
}
