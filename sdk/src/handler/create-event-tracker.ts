import type { EventParameters } from '../record/metrics.ts';
import type { IncomingRequest } from '../request/incoming-request.ts';
import { createRecorder } from './create-recorder.ts';
import type { Visit } from './describe-visitor.ts';
import type { HandlerContext, HandlerOptions } from './handler-options.ts';
import { readPageRequest } from './read-page-request.ts';

/**
 * For events that the backend itself knows of. What may send them is its own code, so there is nothing to
 * limit.
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

/** Records events of the server for the visitor whose request it is about, so that both are one. */
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

/** A form or a script sends from a page: where it was one of ours, that is what the visitor sees. */
function findPage(seen: Omit<Visit, 'ip'>, request: IncomingRequest): Omit<Visit, 'ip'> {
  const { page, referrer } = seen;
  const isOwn = referrer !== null && URL.canParse(referrer) && new URL(referrer).host === new URL(page).host;
  return isOwn && request.method !== 'GET' ? { ...seen, page: referrer, referrer: null } : seen;
}
