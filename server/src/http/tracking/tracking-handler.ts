import type { IncomingMessage, ServerResponse } from 'node:http';
import type { OpenRequest, RefusedRequest } from '../../intake/create-intake.ts';
import type { Refusal } from '../../intake/refusal.ts';
import type { RecordKind } from '../../intake/steps/validate.ts';
import { successHeaders, successText } from '../server/answer.ts';
import { endAfterDraining } from '../server/end-after-draining.ts';
import { readBody, refuseByHeaders } from '../server/read-body.ts';
import type { Tracking } from './create-tracking.ts';
import { readTrackingHeaders } from './tracking-headers.ts';
import type { TrackingReply } from './tracking-reply.ts';

/** Returns the kind of record that a path is for, whatever its query; undefined for every other path. */
export function trackedKind(url: string): RecordKind | undefined {
  if (url === '/api/page-view') return 'page_view';
  if (url === '/api/event-view') return 'event';
  const query = url.indexOf('?');
  if (query !== -1) return trackedKind(url.slice(0, query));
  // A proxy may send the whole URL.
  return /^https?:\/\/[^/]/i.test(url) ? trackedKind(url.replace(/^https?:\/\/[^/]*/i, '')) : undefined;
}

/** Answers the tracking requests that Node has parsed: all legal HTTP, and some that is not quite legal. */
export function createTrackingHandler(tracking: Tracking) {
  return (kind: RecordKind, request: IncomingMessage, response: ServerResponse): void => {
    const reply = replyTo(request, response);
    if (request.method !== 'POST') {
      tracking.refuseMethod(reply);
      return;
    }
    const headers = readTrackingHeaders(request.rawHeaders);
    const opened = tracking.open(kind, headers);
    if (!tracking.canOpenLater(opened, headers)) {
      goOn(opened);
      return;
    }
    tracking.openLater(kind, headers).then((later) => {
      // The client may have left meanwhile.
      if (request.destroyed) tracking.noteUnfinished();
      else goOn(later);
    });

    function goOn(opened: OpenRequest | RefusedRequest): void {
      if ('refused' in opened) {
        tracking.refuse(opened, kind, opened.website, reply);
        return;
      }
      const refusal = refuseByHeaders(headers);
      if (refusal !== undefined) {
        tracking.refuse(refusal, kind, opened.website, reply);
        return;
      }
      // HTTP/1.0 has no interim answers: the client would take this one for the final answer.
      if (headers.expect !== undefined && request.httpVersion === '1.1') response.writeContinue();
      const take = (body: Buffer | Refusal) => {
        if (Buffer.isBuffer(body)) tracking.take(opened, body, reply);
        else tracking.refuse(body, kind, opened.website, reply);
      };
      readBody(request, headers, take, tracking.noteUnfinished);
    }
  };
}

function replyTo(request: IncomingMessage, response: ServerResponse): TrackingReply {
  return {
    success(headers) {
      response.writeHead(200, [...successHeaders, ...headers]);
      // With latin1, headers and body leave as one string of single bytes.
      response.end(successText, 'latin1');
    },
    other: (code, headers, text) => endAfterDraining(request, response, code, headers, text),
  };
}
