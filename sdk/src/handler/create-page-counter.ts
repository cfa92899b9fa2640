import { pageUrl, referrerUrl } from '@trackside/contract/rules/urls.ts';
import { readAcceptLanguage } from '../visitor/read-language.ts';
import { createRecorder } from './create-recorder.ts';
import { createPathTest } from './endpoint-path.ts';
import type { HandlerContext, PageCounterOptions } from './handler-options.ts';
import type { IncomingRequest } from './incoming-request.ts';
import { isPage, isPageLoad, type PageAnswer } from './is-page-load.ts';

export type PageCounter<R> = {
  /** Judges by the request alone: what cannot be a page needs no watching. */
  isCandidate(request: IncomingRequest): boolean;
  /** Records a page view if the answer was a page. Never throws. */
  count(request: IncomingRequest, answer: PageAnswer, original: R, context?: HandlerContext): void;
};

/** Counts pages by what the server answers, without any script. Bots are counted too: Trackside knows them. */
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
    const page = `${recorder.origin(request)}${request.url.pathname}${request.url.search}`;
    if (pageUrl(page) !== undefined || options.ignore?.(new URL(page))) return;
    const ip = recorder.readIp(request);
    if (ip === undefined || recorder.waitMs(ip, request) > 0) return;
    const language = readAcceptLanguage(request.header('accept-language'), recorder.language);
    const referrer = readReferrer(request.header('referer'));
    recorder.record(
      { ip, language, page, referrer, width: 0, height: 0 },
      undefined,
      request,
      original,
      context,
    );
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

function readReferrer(referer: string | undefined): string | null {
  return referer === undefined || referer === '' || referrerUrl(referer) !== undefined ? null : referer;
}
