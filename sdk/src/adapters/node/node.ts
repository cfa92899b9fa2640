import { createEventTracker, type EventTrackerOptions } from '../../handler/create-event-tracker.ts';
import { createHandler } from '../../handler/create-handler.ts';
import { createPageCounter } from '../../handler/create-page-counter.ts';
import type { HandlerOptions, PageCounterOptions } from '../../handler/handler-options.ts';
import type { EventParameters } from '../../record/metrics.ts';
import { answerNodeRequest } from './answer-node-request.ts';
import { type NodeRequest, type NodeResponse, pathOf, toIncomingRequest } from './node-request.ts';
import { watchNodePage } from './watch-node-page.ts';

export { closeOnSignals } from '../../client/close-on-signals.ts';
export type { EventTrackerOptions } from '../../handler/create-event-tracker.ts';
export type { HandlerOptions, PageCounterOptions } from '../../handler/handler-options.ts';
export type { NodeRequest, NodeResponse } from './node-request.ts';

/**
 * Creates the endpoint for `node:http` and `node:http2`. The listener returns true if the request was ours
 * and is being answered.
 */
export function createListener<R extends NodeRequest>(
  options: HandlerOptions<R>,
): (req: R, res: NodeResponse) => boolean {
  const handler = createHandler(options);
  return (req, res) => {
    const target = req.url ?? '/';
    if (!handler.matches(pathOf(target))) return false;
    answerNodeRequest(handler, req, res, target);
    return true;
  };
}

/** Counts pages without a script. Call it first in the listener, before anything is written. */
export function countPages<R extends NodeRequest>(
  options: PageCounterOptions<R>,
): (req: R, res: NodeResponse) => void {
  const counter = createPageCounter(options);
  return (req, res) => watchNodePage(counter, req, res, req.url ?? '/', req);
}

/**
 * Creates a function for events that the backend knows about: `trackEvent(request, 'Order paid', { total: 44
 * })`. The event belongs to the visitor of that request.
 */
export function trackEvents<R extends NodeRequest>(
  options: EventTrackerOptions<R>,
): (req: R, name: string, parameters?: EventParameters) => void {
  const tracker = createEventTracker(options);
  return (req, name, parameters = {}) => {
    tracker.track(toIncomingRequest(req, req.url ?? '/'), req, { name, parameters });
  };
}
