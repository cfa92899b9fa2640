import { referrerUrl } from '@trackside/contract/tracking/field-rules.ts';
import type { IncomingRequest } from '../request/incoming-request.ts';
import { readAcceptLanguage } from '../visitor/read-language.ts';
import type { Visit } from './describe-visitor.ts';

/** Returns what a request for a page says about a visit. It says nothing about the screen. */
export function readPageRequest(
  request: IncomingRequest,
  own: { origin: string; language: string },
): Omit<Visit, 'ip'> {
  return {
    language: readAcceptLanguage(request.header('accept-language'), own.language),
    page: `${own.origin}${request.url.pathname}${request.url.search}`,
    referrer: readReferrer(request.header('referer')),
    width: 0,
    height: 0,
  };
}

function readReferrer(referer: string | undefined): string | null {
  return referer === undefined || referer === '' || referrerUrl(referer) !== undefined ? null : referer;
}
