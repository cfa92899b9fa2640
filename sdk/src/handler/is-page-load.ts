import type { IncomingRequest } from '../request/incoming-request.ts';

export type PageAnswer = { status: number; contentType: string | undefined };

const ahead = /prefetch|prerender|preview|instant/i;
const aheadHeaders = ['sec-purpose', 'x-sec-purpose', 'purpose', 'x-purpose', 'x-moz'] as const;
/** Headers of scripts that load parts of pages. */
const pieceHeaders = ['hx-request', 'turbo-frame', 'rsc', 'next-router-prefetch', 'x-nextjs-data'] as const;
const healthPaths = /^\/(?:health|healthz|livez|readyz|ping|up|status)$/;
const healthAgents =
  /kube-probe|ELB-HealthChecker|GoogleHC|GoogleStackdriverMonitoring|Consul Health Check|Route ?53-Health-Check|Cloudflare-(?:Healthchecks|Traffic-Manager)|Edge Health Probe|Load Balancer Agent|Envoy\/HC|HAProxy/i;
const html = /^\s*(?:text\/html|application\/xhtml\+xml)\s*(?:;|$)/i;

/** Returns whether a person asks for a page with this request, as far as that is known before the answer. */
export function isPageLoad(request: IncomingRequest): boolean {
  if (request.method !== 'GET') return false;
  const { header } = request;
  const dest = header('sec-fetch-dest');
  const mode = header('sec-fetch-mode');
  if ((dest !== undefined && dest !== 'document') || (mode !== undefined && mode !== 'navigate'))
    return false;
  if (header('range') !== undefined || header('x-requested-with')?.toLowerCase() === 'xmlhttprequest')
    return false;
  if (pieceHeaders.some((name) => header(name) !== undefined)) return false;
  if (aheadHeaders.some((name) => ahead.test(header(name) ?? ''))) return false;
  return !healthAgents.test(header('user-agent') ?? '') && !healthPaths.test(request.url.pathname);
}

/** Returns whether the answer was a page. A 304 has no type, so the request shows what was asked for. */
export function isPage({ status, contentType }: PageAnswer, request: IncomingRequest): boolean {
  if (status === 304 && contentType === undefined) {
    return (
      request.header('sec-fetch-dest') === 'document' || /text\/html/i.test(request.header('accept') ?? '')
    );
  }
  return ((status >= 200 && status <= 299) || status === 304) && html.test(contentType ?? '');
}
