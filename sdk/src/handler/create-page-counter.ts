import { pageUrl } from '@trackside/contract/tracking/field-rules.ts';
import type { IncomingRequest } from '../request/incoming-request.ts';
import { createRecorder } from './create-recorder.ts';
import { createPathTest } from './endpoint-path.ts';
import type { HandlerContext, PageCounterOptions } from './handler-options.ts';
import { isPage, isPageLoad, type PageAnswer } from './is-page-load.ts';
import { readPageRequest } from './read-page-request.ts';

export type PageCounter<R> = {
  /** Decides by the request alone whether it may load a page. Other requests need no watching. */
  isCandidate(request: IncomingRequest): boolean;
  /** Records a page view if the answer was a page. Never throws. */
  count(request: IncomingRequest, answer: PageAnswer, original: R, context?: HandlerContext): void;
};

/**
 * Counts pages by the server's answers, without any script. Bots are counted too, because Trackside
 * recognizes them.
 */
export function createPageCounter<R>(options: PageCounterOptions<R>): PageCounter<R> {
  const recorder = createRecorder(options);
  const isEndpoint = createPathTest(options.path);

  function count(
    request: IncomingRequest,
    answer: PageAnswer,
    original: R,
    context: HandlerContext | undefined,
  ): void {
    if (!isPage(answer, request) || recorder.isRefusedByVisitor(request)) return;
    const seen = readPageRequest(request, { origin: recorder.origin(request), language: recorder.language });
    if (pageUrl(seen.page) !== undefined || options.ignore?.(new URL(seen.page))) return;
    const ip = recorder.readIp(request);
    if (ip === undefined || recorder.waitMs(ip, request) > 0) return;
    recorder.record({ ip, ...seen }, undefined, request, original, context);
  }

  return {
    isCandidate: (request) => isPageLoad(request) && !isEndpoint(request.url.pathname),
    count(request, answer, original, context) {
      try {
        count(request, answer, original, context);
      } catch (fault) {
        recorder.report(fault);
      }
    },
  };
}
