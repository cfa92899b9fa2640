import type { IncomingMessage, ServerResponse } from 'node:http';
import type { DirectoryEntry } from '../control/watch-directory.ts';
import type { Log } from '../core/log.ts';
import type { Intake, Verdict } from '../intake/create-intake.ts';
import { isRefusal, type Refusal } from '../intake/refusal.ts';
import type { RecordKind } from '../intake/validate.ts';
import { answerText, codeOf, contingentHeaders, retryAfterSeconds, successText } from './answer.ts';
import { endAfterDraining } from './end-after-draining.ts';
import { readBody, refuseByHeaders } from './read-body.ts';
import type { RefusalLog } from './refusal-log.ts';
import { readTrackingHeaders } from './tracking-headers.ts';

export type TrackingCounts = { accepted: Record<RecordKind, number>; refused: Map<string, number> };

/** The kind of record that a request's path is for, whatever its query; undefined for every other path. */
export function trackedKind(url: string): RecordKind | undefined {
  if (url === '/api/page-view') return 'page_view';
  if (url === '/api/event-view') return 'event';
  const query = url.indexOf('?');
  if (query !== -1) return trackedKind(url.slice(0, query));
  // A proxy may send the whole address.
  return /^https?:\/\/[^/]/i.test(url) ? trackedKind(url.replace(/^https?:\/\/[^/]*/i, '')) : undefined;
}

/** The two tracking endpoints, on bare node:http: from a request to an answer that means "on disk". */
export function createTrackingHandler(parts: {
  intake: Intake;
  counts: TrackingCounts;
  requestId: () => string;
  refusals: RefusalLog;
  log: Log;
}) {
  const { intake, counts, requestId, refusals, log } = parts;

  return (kind: RecordKind, request: IncomingMessage, response: ServerResponse): void => {
    if (request.method !== 'POST') {
      answerOther(request, response, 405, 'Method not allowed: send a POST', ['Allow', 'POST']);
      return;
    }
    const headers = readTrackingHeaders(request.rawHeaders);
    const authenticated = intake.authenticate(headers.authorization);
    if (isRefusal(authenticated)) {
      refuse(request, response, authenticated, undefined);
      return;
    }
    const { website } = authenticated;
    const refusal = refuseByHeaders(headers);
    if (refusal !== undefined) {
      refuse(request, response, refusal, website);
      return;
    }
    // HTTP/1.0 has no interim answers: its client would take this one for the final one.
    if (headers.expect !== undefined && request.httpVersion === '1.1') response.writeContinue();
    readBody(request, headers, (body) => {
      if (!Buffer.isBuffer(body)) {
        refuse(request, response, body, website);
        return;
      }
      try {
        intake.accept(kind, website, body, (verdict) => answer(kind, request, response, website, verdict));
      } catch (error) {
        fail(request, response, website, error);
      }
    });
  };

  function answer(
    kind: RecordKind,
    request: IncomingMessage,
    response: ServerResponse,
    website: DirectoryEntry,
    verdict: Verdict,
  ): void {
    if (isRefusal(verdict)) {
      refuse(request, response, verdict, website);
      return;
    }
    counts.accepted[kind] += 1;
    const allowance = intake.allowance(website);
    if (allowance === undefined) response.writeHead(200, plainSuccessHeaders);
    else response.writeHead(200, [...plainSuccessHeaders, ...contingentHeaders(allowance)]);
    // latin1: headers and body leave as one string of single bytes.
    response.end(successText, 'latin1');
  }

  function refuse(
    request: IncomingMessage,
    response: ServerResponse,
    { refused, message }: Refusal,
    website: DirectoryEntry | undefined,
  ): void {
    counts.refused.set(refused, (counts.refused.get(refused) ?? 0) + 1);
    const allowance = website && intake.allowance(website);
    const headers = contingentHeaders(allowance);
    const seconds = refused === 'contingent-used-up' ? allowance?.secondsToReset : retryAfterSeconds[refused];
    if (seconds !== undefined) headers.push('Retry-After', String(seconds));
    const id = answerOther(request, response, codeOf[refused], message, headers);
    refusals.note({ reason: refused, requestId: id, website: website?.id, message });
  }

  function fail(
    request: IncomingMessage,
    response: ServerResponse,
    website: DirectoryEntry,
    error: unknown,
  ): void {
    counts.refused.set('internal', (counts.refused.get('internal') ?? 0) + 1);
    const message = 'Internal fault: the record was not accepted, try again';
    const headers = [...contingentHeaders(intake.allowance(website)), 'Retry-After', '5'];
    const id = answerOther(request, response, 503, message, headers);
    log.error({ err: error, requestId: id }, 'a tracking request failed');
  }

  function answerOther(
    request: IncomingMessage,
    response: ServerResponse,
    code: number,
    message: string,
    headers: string[],
  ): string {
    const id = requestId();
    const text = answerText(code, message);
    const all = [
      ...['Content-Type', 'application/json', 'Content-Length', String(Buffer.byteLength(text))],
      ...['Request-Id', id],
      ...headers,
    ];
    endAfterDraining(request, response, code, all, text);
    return id;
  }
}

const plainSuccessHeaders = [
  ...['Content-Type', 'application/json', 'Content-Length', String(successText.length)],
];
