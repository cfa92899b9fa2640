import type { EventParameters } from '../record/metrics.ts';
import type { IncomingRequest } from '../request/incoming-request.ts';
import { createRecorder } from './create-recorder.ts';
import type { Visit } from './describe-visitor.ts';
import type { HandlerContext, HandlerOptions } from './handler-options.ts';
import { readPageRequest } from './read-page-request.ts';

/**
 * Options for events that the backend itself knows about. Only its own code sends them, so there is nothing
 * to limit.
 */
export type EventTrackerOptions<R = unknown> = Omit<HandlerOptions<R>, 'path' | 'origins' | 'rateLimit'>;

export type EventTracker<R> = {
  /** Returns at once and never throws. */
  track(
    request: IncomingRequest,
    original: R,
    event: { name: string; parameters: EventParameters },
    context?: HandlerContext,
  ): void;
};

/**
 * Creates a tracker that records events of the server for the visitor of a request, so that they belong to
 * the same visitor as the page views.
 */
export function createEventTracker<R>(options: EventTrackerOptions<R>): EventTracker<R> {
  const recorder = createRecorder(options);
  return {
    track(request, original, event, context) {
      try {
        if (recorder.isRefusedByVisitor(request)) return;
        const ip = recorder.readIp(request);
        if (ip === undefined) return;
        const origin = recorder.origin(request);
        const seen = findPage(readPageRequest(request, { origin, language: recorder.language }), request);
        recorder.record({ ip, ...seen }, event, request, original, context);
      } catch (fault) {
        recorder.report(fault);
      }
    },
  };
}

/**
 * Returns the page that the visitor sees: the page that the form or script was sent from, if it is on this
 * site.
 */
function findPage(seen: Omit<Visit, 'ip'>, request: IncomingRequest): Omit<Visit, 'ip'> {
  const { page, referrer } = seen;
  const isOwn = referrer !== null && URL.canParse(referrer) && new URL(referrer).host === new URL(page).host;
  return isOwn && request.method !== 'GET' ? { ...seen, page: referrer, referrer: null } : seen;
}
